"""The answers of the search page, without a browser."""

from __future__ import annotations

import socket
import struct
import threading
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from course.applications.search.bm25 import Bm25
from course.applications.search.part_file import open_part
from course.applications.search.ranking import Ranking
from course.applications.search.serving import SearchPage, serve
from tests.course.applications.search.made_texts import index_of


def test_a_page_outlives_the_files_of_its_index(tmp_path: Path) -> None:
    index = index_of(["a wing", "heat"], tmp_path / "index")
    open_part.cache_clear()
    page = SearchPage(index, {"BM25": Bm25(index)})
    for path in index.paths:
        path.unlink()
    assert "<mark>wing</mark>" in page.html("wing")


class Fixed:
    """Finds the same document for every query."""

    def __init__(self, document: int) -> None:
        self.document = document

    def rank(self, query: str, top: int) -> Ranking:
        return Ranking(np.array([self.document]), np.array([0.5]))


def test_a_page_has_a_choice_of_rankers(tmp_path: Path) -> None:
    index = index_of(["a wing", "heat"], tmp_path / "index")
    page = SearchPage(index, {"first & best": Fixed(0), "second": Fixed(1)})
    for address, name, found in (
        ("/?q=zzz", "first &amp; best", "a wing"),
        ("/?q=zzz&ranker=second", "second", "heat"),
        ("/?q=zzz&ranker=first+%26+best", "first &amp; best", "a wing"),
    ):
        status, html = page.answer(address)
        assert status == HTTPStatus.OK
        assert f"<option selected>{name}</option>" in html
        assert f"<p>{found}</p>" in html
    assert page.answer("/?q=zzz&ranker=third") == (
        HTTPStatus.BAD_REQUEST,
        "Choose one of the rankers first & best, second. Given: ranker=third.",
    )


def test_one_ranker_needs_no_choice(tmp_path: Path) -> None:
    index = index_of(["a wing", "heat"], tmp_path / "index")
    assert "Ranked by" not in SearchPage(index, {"BM25": Bm25(index)}).html("wing")


def test_counts_of_one_are_in_the_singular(tmp_path: Path) -> None:
    index = index_of(["a wing"], tmp_path / "index")
    page = SearchPage(index, {"BM25": Bm25(index)})
    assert "1 document." in page.html("")
    assert "1 result from 1 document, in" in page.html("wing")
    assert "Nothing found in 1 document." in page.html("heat")


class Interrupted(Fixed):
    """During the search, the browser disconnects, or the ranker fails."""

    def __init__(self, breaks: bool) -> None:
        super().__init__(0)
        self.breaks, self.browser, self.asked = breaks, socket.socket(), threading.Event()

    def rank(self, query: str, top: int) -> Ranking:
        self.asked_in = threading.current_thread()
        self.asked.set()
        if self.breaks:
            raise RuntimeError("it broke")
        self.browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # resets the connection
        self.browser.close()
        return super().rank(query, top)

    def ask(self, server: ThreadingHTTPServer) -> None:
        """Request a page, and shut the server down after the answer or failure."""
        self.browser.connect(server.server_address)
        self.browser.sendall(b"GET /?q=wing HTTP/1.0\r\nHost: localhost\r\n\r\n")
        threading.Thread(target=self._end, args=(server,)).start()

    def _end(self, server: ThreadingHTTPServer) -> None:
        assert self.asked.wait(60)
        self.asked_in.join(60)
        server.shutdown()
        self.browser.close()


@pytest.mark.parametrize(("breaks", "message"), [(False, ""), (True, "it broke")])
def test_disconnected_browsers_are_not_logged(
    breaks: bool, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ranker = Interrupted(breaks)
    serve(SearchPage(index_of(["a wing"], tmp_path / "index"), {"mine": ranker}), 0, ranker.ask)
    log = capsys.readouterr().err
    assert message in log
    assert bool(log) == breaks
