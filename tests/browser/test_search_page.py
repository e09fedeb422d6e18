"""The page of `python -m course search --serve`, in a browser: by keyboard, in light and dark, for hostile texts."""

from __future__ import annotations

import http.client
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from course.applications.search.bm25 import Bm25
from course.applications.search.document import Document
from course.applications.search.index import Index
from course.applications.search.indexing import make_index
from course.applications.search.part_file import open_part
from course.applications.search.serving import HOST, LONGEST_QUERY, SearchPage, serve
from course.applications.search.texts import Texts
from course.errors import CourseError
from tests.browser.conftest import accessibility_problems

EVIL = "<script>document.title = 'broken'</script>"
DOCUMENTS = [
    Document("a.csv, 1", f"Wings {EVIL}", f"Lift behind a slipstream. {EVIL} " + "and more " * 60),
    Document("a.csv, 2", "", "Heat flows; a wing does not. " + "x" * 300),
    *(Document(f"a.csv, {number}", f"Heat {number}", "Walls.") for number in range(3, 25)),
]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of the page, served from another thread."""
    make_index(Texts(EVIL, 0, lambda: iter(DOCUMENTS)), tmp_path / "index")
    index = Index(tmp_path / "index")
    servers: list[ThreadingHTTPServer] = []
    listens = threading.Event()

    def ready(server: ThreadingHTTPServer) -> None:
        servers.append(server)
        listens.set()

    thread = threading.Thread(target=serve, args=(SearchPage(index, {"BM25": Bm25(index)}), 0, ready))
    thread.start()
    assert listens.wait(60)
    yield f"http://{HOST}:{servers[0].server_port}"
    servers[0].shutdown()
    thread.join()


@pytest.fixture
def search_page(page: Page, address: str) -> Iterator[Page]:
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(viewport={"width": 1100, "height": 900}) as context:
        opened = context.new_page()
        complaints: list[str] = []
        asked: list[str] = []
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("request", lambda request: asked.append(request.url))
        opened.goto(address)
        yield opened
        assert not complaints
        assert all(url.startswith((address, "data:")) for url in asked)


def test_a_search_works_by_keyboard_alone(search_page: Page) -> None:
    page = search_page
    expect(page.get_by_label("Words to look for")).to_be_focused()
    expect(page.get_by_role("status")).to_have_text("24 documents.")
    page.keyboard.type("wing WINGS nowhere")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("2 results from 24 documents, in ")
    expect(page.get_by_role("status")).to_contain_text("No document has: nowhere.")
    assert set(page.locator("mark").all_inner_texts()) == {"Wings", "wing"}
    expect(page.get_by_label("Words to look for")).to_have_value("wing WINGS nowhere")
    expect(page.get_by_role("listitem").filter(has_text="a.csv, 2").get_by_role("heading")).to_have_text("a.csv, 2")
    page.get_by_label("Words to look for").fill("heat")
    page.keyboard.press("Tab")
    page.keyboard.type("20")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Search")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem")).to_have_count(20)
    page.go_back()
    expect(page.get_by_role("listitem")).to_have_count(2)


def test_text_and_queries_are_never_executed(search_page: Page) -> None:
    page = search_page
    expect(page).to_have_title(f"Search {EVIL}")
    page.get_by_label("Words to look for").fill(f'"{EVIL} slipstream')
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem")).to_have_count(1)
    expect(page).to_have_title(f'"{EVIL} slipstream - Search {EVIL}')
    expect(page.get_by_role("heading", level=2)).to_have_text(f"Wings {EVIL}")


@pytest.mark.parametrize("width", [1100, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_search_page_is_accessible_and_fits_the_screen(
    scheme: Literal["light", "dark"], width: int, search_page: Page, address: str, screenshots: Path
) -> None:
    page = search_page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for name, query in (("start", ""), ("found", "wing wings heat"), ("nothing", "nowhere")):
        page.goto(f"{address}/?q={query.replace(' ', '+')}")
        assert not accessibility_problems(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=screenshots / f"search-{name}-{width}-{scheme}.png")


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [
        ("/other", HOST, 404),
        ("/?q=wing&top=7", HOST, 400),
        (f"/?q={'x' * (LONGEST_QUERY + 1)}", HOST, 400),
        ("/?q=wing", "elsewhere.example", 403),
    ],
)
def test_other_requests_are_refused(path: str, host: str, status: int, address: str) -> None:
    port = address.rpartition(":")[2]
    asked = urllib.request.Request(address + path, headers={"Host": f"{host}:{port}"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(asked)
    assert caught.value.code == status
    assert caught.value.headers["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize("host", [HOST, "localhost"])
def test_the_port_may_be_omitted_if_it_is_80(host: str, address: str) -> None:
    asked = urllib.request.Request(f"{address}/?q=wing", headers={"Host": host})
    with urllib.request.urlopen(asked) as answer:
        assert b"a.csv, 2" in answer.read()


def test_an_invalid_address_is_not_found(address: str) -> None:
    connection = http.client.HTTPConnection(address.removeprefix("http://"))
    connection.putrequest("GET", "http://[/", skip_host=True)  # this client cannot find the host in it
    connection.putheader("Host", address.removeprefix("http://"))
    connection.endheaders()
    assert connection.getresponse().status == 404
    connection.close()


def test_a_damaged_index_and_a_taken_port_give_clear_errors(address: str, tmp_path: Path) -> None:
    page = SearchPage(Index(tmp_path / "index"), {"BM25": Bm25(Index(tmp_path / "index"))})
    with pytest.raises(CourseError, match=r"cannot listen at 127\.0\.0\.1.*--port"):
        serve(page, int(address.rpartition(":")[2]), lambda server: None)
    (part,) = (tmp_path / "index").glob("*.safetensors")
    part.unlink()
    open_part.cache_clear()
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{address}/?q=wing")
    assert caught.value.code == 500
    assert b"is damaged" in caught.value.read()
