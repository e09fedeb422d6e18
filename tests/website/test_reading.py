"""The site is read in a browser, from its files and without a network: by everyone, on a phone, in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import HERE, PROJECT
from tests.website.pages import Page as PageRead

pytestmark = pytest.mark.long

AXE = (HERE / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
# One page of each kind; `test_touch` looks at the page to touch.
KINDS = (
    *("chapters/10_decoder", "reference/attention", "reference/index", "index", "search", "genindex"),
    *("docs/instructors", "docs/facts"),
)

# The theme cuts off what leaves the screen, so the page itself is never too wide: its boxes are.
WIDER_THAN_THE_SCREEN = """
    [...document.querySelectorAll('.article-container *:not(.katex-mathml, .katex-mathml *, svg *)')].filter((one) => {
        const box = one.getBoundingClientRect();
        if (!box.width || box.right <= window.innerWidth + 1) return false;
        for (let around = one; !around.matches('.article-container'); around = around.parentElement)
            if (['auto', 'scroll'].includes(getComputedStyle(around).overflowX)) return false;
        return true;
    }).map((one) => one.outerHTML.slice(0, 200))
"""


@pytest.fixture
def reader(page: Page) -> Iterator[Page]:
    """A page that has no network, and must have nothing to complain of."""
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(offline=True, viewport={"width": 1280, "height": 900}) as context:
        opened = context.new_page()
        complaints: list[str] = []
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        yield opened
        assert not complaints


@pytest.fixture
def looked_at(pages: dict[str, PageRead], request: pytest.FixtureRequest) -> list[str]:
    """The names of the pages in which barriers are looked for: one of each kind, or all with --every-page."""
    every = [name.removesuffix(".html") for name in pages]
    assert set(KINDS) < set(every)
    return every if request.config.getoption("--every-page") else list(KINDS)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_barrier_or_is_wider_than_the_screen(
    scheme: Literal["light", "dark"], width: int, reader: Page, site: Path, looked_at: list[str]
) -> None:
    reader.set_viewport_size({"width": width, "height": 900})
    reader.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    pictures = PROJECT / "build" / "screenshots"
    found = []
    for name in looked_at:
        reader.goto((site / f"{name}.html").as_uri())
        reader.screenshot(path=pictures / f"site-{name.replace('/', '-')}-{width}-{scheme}.png")
        reader.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        reader.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")  # widths are looked at
        reader.evaluate(AXE)
        violations = reader.evaluate("axe.run({ preload: false })")["violations"]
        found += [(name, one["id"], [node["html"] for node in one["nodes"]]) for one in violations]
        if wide := reader.evaluate(WIDER_THAN_THE_SCREEN):
            found.append((name, "wider than the screen", wide))
    assert found == []


def test_a_chapter_can_be_printed(reader: Page, site: Path) -> None:
    reader.set_viewport_size({"width": 700, "height": 1000})  # of A4, between its margins
    reader.emulate_media(media="print", color_scheme="dark")
    reader.goto((site / "chapters" / "03_attention.html").as_uri())
    reader.screenshot(path=PROJECT / "build" / "screenshots" / "site-printed.png", full_page=True)
    for one in (".sidebar-drawer", ".toc-drawer", ".mobile-header", ".related-pages", ".notebook-links", ".copybtn"):
        for place in reader.locator(one).all():
            expect(place).to_be_hidden()
    cut = (
        "[...document.querySelectorAll('pre, .equation, table')].filter((one) => one.scrollWidth > one.clientWidth + 1)"
    )
    reader.evaluate("document.querySelector('details.answer').open = true")
    assert reader.evaluate(f"{cut}.map((one) => one.textContent)") == []
    assert reader.evaluate("document.documentElement.scrollWidth") <= 700
    said = "(one) => getComputedStyle(one.querySelector('summary'), '::after').content"
    answers = reader.locator("details.answer")
    assert answers.first.evaluate(said) == "none"
    assert "folded" in answers.nth(1).evaluate(said)
    assert reader.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.fixture
def without_scripts(page: Page) -> Iterator[Page]:
    """A page in which no script runs."""
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(offline=True, java_script_enabled=False) as context:
        yield context.new_page()


def test_a_chapter_is_read_without_scripts(without_scripts: Page, site: Path) -> None:
    without_scripts.goto((site / "chapters" / "03_attention.html").as_uri())
    expect(without_scripts.get_by_role("heading", name="Attention", exact=True)).to_be_visible()
    expect(without_scripts.locator(".katex").first).to_be_visible()
    answer = without_scripts.locator("details.answer").first
    code = answer.get_by_text("ops.softmax", exact=False).first
    expect(code).to_be_hidden()
    answer.locator("summary").click()
    expect(code).to_be_visible()
    expect(without_scripts.get_by_role("link", name="4 The encoder").first).to_be_visible()


def test_the_page_to_touch_says_that_it_needs_scripts(without_scripts: Page, site: Path) -> None:
    without_scripts.goto((site / "touch.html").as_uri())
    expect(without_scripts.get_by_text("JavaScript, which does not run in this browser")).to_be_visible()
    expect(without_scripts.locator("#explorer-load")).to_be_hidden()


def test_a_search_finds_a_chapter_and_a_function(reader: Page, site: Path) -> None:
    reader.goto((site / "index.html").as_uri())
    reader.locator("input[name=q]").fill("causal_mask")
    reader.keyboard.press("Enter")
    results = reader.locator("#search-results")
    expect(results.get_by_role("link", name="course.attention.causal_mask")).to_be_visible()
    expect(results.get_by_role("link", name="Attention", exact=True)).to_be_visible()
    reader.screenshot(path=PROJECT / "build" / "screenshots" / "site-results.png")


def test_a_search_shows_nothing_from_behind_a_fold(reader: Page, site: Path) -> None:
    """The piece of a page that stands below each result is cut out of what this function gives."""
    reader.goto((site / "search.html").as_uri())
    text = "<main role='main'><p>open</p><details><p>one</p><details>two</details>three</details><p>end</p></main>"
    assert reader.evaluate("(text) => Search.htmlToText(text)", text) == "openend"


def test_an_answer_unfolds_where_it_is_asked_for(reader: Page, site: Path) -> None:
    reader.goto((site / "chapters" / "03_attention.html").as_uri())
    answer = reader.locator("details.answer", has_text="the course's own padding_mask")
    code = answer.get_by_text("ops.not_equal", exact=False).first
    expect(code).to_be_hidden()
    answer.locator("summary").first.press("Enter")
    expect(code).to_be_visible()


def test_a_page_is_dark_where_the_reader_wants_it(reader: Page, site: Path) -> None:
    reader.goto((site / "chapters" / "03_attention.html").as_uri())
    background = "getComputedStyle(document.body).backgroundColor"
    for scheme in ("light", "dark"):
        reader.emulate_media(color_scheme=scheme)
        red, green, blue = (int(part) for part in reader.evaluate(background)[4:-1].split(","))
        assert (red + green + blue < 3 * 128) == (scheme == "dark")
