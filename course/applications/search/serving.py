"""A search page for browsers on this machine only. It has no script, and loads nothing from the network."""

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
from course.applications.search.words import query_words, stems
from course.errors import CourseError

HOST = "127.0.0.1"
LONGEST_QUERY = 1000  # characters
_TOPS = (10, 20, 50)
_TEMPLATE = Path(__file__).parent / "templates" / "search.html"
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    # Forbids scripts, loading anything, and other pages that embed this one.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class SearchPage:
    """The search page of an index.

    Args:
        index: to search in.
        rankers: of its documents, by their names. The first one is the default.

    Raises:
        CourseError: the index is damaged.
    """

    def __init__(self, index: Index, rankers: Mapping[str, Ranker]) -> None:
        self.index, self.rankers = index, dict(rankers)
        index.document_frequencies(())  # opens all parts now: another indexing may remove them while the page is served
        environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
        self._template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))

    def html(self, query: str, top: int = _TOPS[0], ranker: str | None = None) -> str:
        """Return the page with the results of a query; without results if the query is empty.

        Args:
            query: of any words.
            top: the most results.
            ranker: the name of one of the rankers. None: the first one.

        Raises:
            CourseError: the index is damaged.
        """
        language = self.index.language
        words = dict.fromkeys(query_words(query, language))
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
            results=[
                (
                    result,
                    passage(result.found.title, words, 200, language),
                    passage(result.found.text, words, language=language),
                )
                for result in results
            ],
        )

    def answer(self, path: str) -> tuple[HTTPStatus, str]:
        """Return the status and the text for an address, such as "/?q=wings&top=20"."""
        place, _, asked_for = path.partition("?")
        if place != "/":
            return HTTPStatus.NOT_FOUND, "The only page here is /"
        asked = parse_qs(asked_for)
        query, top = asked.get("q", [""])[0].strip(), asked.get("top", [str(_TOPS[0])])[0]
        ranker = asked.get("ranker", [next(iter(self.rankers))])[0]
        if ranker not in self.rankers:
            there = ", ".join(self.rankers)
            return HTTPStatus.BAD_REQUEST, f"Choose one of the rankers {there}. Given: ranker={ranker:.80}."
        if len(query) > LONGEST_QUERY or top not in map(str, _TOPS):
            tops = ", ".join(map(str, _TOPS))
            return (
                HTTPStatus.BAD_REQUEST,
                f"The query may have at most {LONGEST_QUERY} characters, and top must be one of {tops}. "
                f"Given: {len(query)} characters, and top={top:.20}.",
            )
        try:
            return HTTPStatus.OK, self.html(query, int(top), ranker)
        except CourseError as error:
            return HTTPStatus.INTERNAL_SERVER_ERROR, str(error)


def unknown_words(index: Index, words: list[str]) -> list[str]:
    """Return the words that no document of an index has."""
    if not words:
        return []
    frequencies = index.document_frequencies(stems(words, index.language))
    return [word for word, n in zip(words, frequencies, strict=True) if not n]


def serve(page: SearchPage, port: int, ready: Callable[[ThreadingHTTPServer], None]) -> None:
    """Serve a page until the server is shut down.

    Args:
        page: the page.
        port: to listen at; with 0, the system chooses one.
        ready: called with the listening server.

    Raises:
        CourseError: the server cannot listen at this port.
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
        """Ignore a browser that has disconnected, for example because its page was closed before the answer came."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    answer: Callable[[str], tuple[HTTPStatus, str]]

    def do_GET(self) -> None:
        # Prevents DNS rebinding: a foreign page whose host name now resolves to this machine must not read this page.
        name = self.headers.get("Host", "").partition(":")[0]  # without a port where that is 80
        if name in (HOST, "localhost"):
            status, text = self.answer(self.path)
        else:
            status, text = HTTPStatus.FORBIDDEN, f"This page is only at {HOST}."
        content = text.encode("utf-8", "replace")
        self.send_response(status)
        for header, value in _HEADERS.items():
            self.send_header(header, value if status == HTTPStatus.OK else value.replace("text/html", "text/plain"))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing: what people search for is nobody's business."""
