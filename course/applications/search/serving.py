"""A page that searches, for the browser of this machine alone. It has no script, and takes nothing from the network."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from jinja2 import Environment

from course.applications.search.index import Index
from course.applications.search.marking import passage
from course.applications.search.ranking import Ranker, search
from course.applications.search.words import search_words
from course.errors import CourseError

HOST = "127.0.0.1"
LONGEST_QUERY = 1000  # characters
_TOPS = (10, 20, 50)
_TEMPLATE = Path(__file__).parent / "templates" / "search.html"
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    # No script runs, nothing is loaded, and no other page may hold this one.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class SearchPage:
    """The page, as it answers a query.

    Args:
        index: to search in.
        rankers: of its documents, by what they are called; the first one is asked where none is chosen.

    Raises:
        CourseError: the index is damaged.
    """

    def __init__(self, index: Index, rankers: Mapping[str, Ranker]) -> None:
        self.index, self.rankers = index, dict(rankers)
        index.document_frequencies(())  # opens all parts: while the page is served, another indexing may remove them
        environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
        self._template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))

    def html(self, query: str, top: int = _TOPS[0], ranker: str | None = None) -> str:
        """The page with the results of a query; with no results, where the query is empty.

        Args:
            query: of any words.
            top: how many results, at most.
            ranker: what one of the rankers is called. None: the first one.

        Raises:
            CourseError: the index is damaged.
        """
        words = dict.fromkeys(search_words(query))
        chosen = next(iter(self.rankers)) if ranker is None else ranker
        began = time.perf_counter()
        results = search(self.index, self.rankers[chosen], query, top) if words else []
        milliseconds = 1000 * (time.perf_counter() - began)
        return self._template.render(
            index=self.index,
            query=query,
            top=top,
            tops=_TOPS,
            ranker=chosen,
            rankers=[*self.rankers],
            longest=LONGEST_QUERY,
            words=words,
            unknown=unknown_words(self.index, list(words)),
            milliseconds=milliseconds,
            results=[(one, passage(one.found.title, words, 200), passage(one.found.text, words)) for one in results],
        )

    def answer(self, path: str) -> tuple[HTTPStatus, str]:
        """What is said to who asks for an address, such as "/?q=wings&top=20"."""
        place, _, asked_for = path.partition("?")
        if place != "/":
            return HTTPStatus.NOT_FOUND, "There is one page here: /"
        asked = parse_qs(asked_for)
        query, top = asked.get("q", [""])[0].strip(), asked.get("top", [str(_TOPS[0])])[0]
        ranker = asked.get("ranker", [next(iter(self.rankers))])[0]
        if ranker not in self.rankers:
            there = ", ".join(self.rankers)
            return HTTPStatus.BAD_REQUEST, f"Wanted: one of the rankers {there}. Given: ranker={ranker:.80}."
        if len(query) > LONGEST_QUERY or top not in map(str, _TOPS):
            tops = ", ".join(map(str, _TOPS))
            return (
                HTTPStatus.BAD_REQUEST,
                f"Wanted: a query of at most {LONGEST_QUERY} characters, and one of {tops} results. "
                f"Given: {len(query)} characters, and top={top:.20}.",
            )
        try:
            return HTTPStatus.OK, self.html(query, int(top), ranker)
        except CourseError as error:
            return HTTPStatus.INTERNAL_SERVER_ERROR, str(error)


def unknown_words(index: Index, words: list[str]) -> list[str]:
    """Those words that no document of an index has."""
    return [word for word, n in zip(words, index.document_frequencies(words), strict=True) if not n] if words else []


def serve(page: SearchPage, port: int, ready: Callable[[ThreadingHTTPServer], None]) -> None:
    """Serves a page until the server is shut down.

    Args:
        page: the page.
        port: where it listens; with 0, the system chooses.
        ready: is given the server, which listens.

    Raises:
        CourseError: another program listens there.
    """

    class Handler(_Handler):
        answer = staticmethod(page.answer)

    try:
        server = _Server((HOST, port), Handler)
    except (OSError, OverflowError) as error:
        raise CourseError(f"cannot listen at {HOST}:{port}: {error}. Name another --port, or 0 for any.") from error
    with server:
        ready(server)
        server.serve_forever()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of a browser that has gone away, such as one whose page was closed before the answer came."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    answer: Callable[[str], tuple[HTTPStatus, str]]

    def do_GET(self) -> None:
        # A page from elsewhere whose name suddenly stands for this machine must not read what is here.
        name = self.headers.get("Host", "").partition(":")[0]  # without a port where that is 80
        if name in (HOST, "localhost"):
            status, said = self.answer(self.path)
        else:
            status, said = HTTPStatus.FORBIDDEN, f"This page is at {HOST} alone."
        content = said.encode("utf-8", "replace")
        self.send_response(status)
        for header, value in _HEADERS.items():
            self.send_header(header, value if status == HTTPStatus.OK else value.replace("text/html", "text/plain"))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing: who searches for what is nobody's business."""
