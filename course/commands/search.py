"""python -m course search: find the documents of an index that answer a query, in the terminal or on a web page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from course.commands.cluster import cluster
from course.commands.terminal import counted, errors, output
from course.commands.typed_lines import typed_lines
from course.errors import CourseError

if TYPE_CHECKING:
    from course.applications.search.index import Index
    from course.applications.search.ranking import Ranker

# With these, a text from elsewhere could move the cursor or change colours.
_CONTROLS = dict.fromkeys({*range(32), *range(127, 160)} - {ord("\n"), ord("\t")}, "\N{REPLACEMENT CHARACTER}")


def search(
    index: Annotated[Path, typer.Argument(help="The folder that `index` has made.")],
    queries: Annotated[
        list[str] | None,
        typer.Argument(help="Queries, in quotes; by default, each line of the standard input is one."),
    ] = None,
    *,
    top: Annotated[int, typer.Option(min=1, help="The largest number of documents for each query.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each query.")] = False,
    serve: Annotated[bool, typer.Option("--serve", help="Serve a search page to the browser of this machine.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port of the page; 0 takes any free one.")] = 8000,
    rankers: Annotated[
        list[Path] | None,
        typer.Option(
            "--ranker",
            help="A ranker that `train-ranker` has written, or an encoder's folder, in place of BM25. The kinds maxsim "
            "and dssm need an index with their vectors; others rerank what BM25 has found. With --serve, repeatable: "
            "the page offers them all.",
        ),
    ] = None,
    rerank: Annotated[
        int | None,
        typer.Option(min=1, help="How many of BM25's documents a ranker reranks, at least; by default 20."),
    ] = None,
    fuse: Annotated[
        bool,
        typer.Option(
            "--fuse", help="Combine the ranking by vectors with that of BM25, by the places of a document in both."
        ),
    ] = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="Compare all vectors, even if the index has a graph of them.")
    ] = False,
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="A Dask scheduler, such as tcp://10.0.0.5:8786, whose workers search one part each. They must have "
            "access to the folder."
        ),
    ] = None,
) -> None:
    """Find the documents that best answer a query, by BM25 or a trained ranker, and mark its words in them.

    To search for each line of a file, append < queries.txt.
    """
    from course.applications.search.bm25 import Bm25

    if serve and queries:
        raise CourseError("with --serve, you type queries in the browser. Leave out the query, or --serve.")
    if not rankers and (fuse or exact or rerank is not None):
        option = "--fuse" if fuse else "--exact" if exact else "--rerank"
        raise CourseError(
            f"{option} is for a ranker, but this search uses BM25. Name a ranker with --ranker, or leave out {option}."
        )
    if not serve and rankers and len(rankers) > 1:
        raise CourseError("without --serve, only one ranker can answer. Name one, or add --serve to choose on a page.")
    with _opened(index, scheduler) as opened:
        beside = " and BM25" if fuse else ""
        trained = {f"{name}{beside}": ranker for name, ranker in _rankers(opened, rankers or (), rerank, exact, fuse)}
        if serve:
            _serve(opened, {**trained, "BM25": Bm25(opened)}, port)
            return
        ranker = next(iter(trained.values()), None) or Bm25(opened)
        for query in _given(queries):
            (_print_json if as_json else _print_table)(opened, ranker, query, top)


def _rankers(
    index: Index, folders: Sequence[Path], rerank: int | None, exact: bool, fuse: bool
) -> Iterator[tuple[Path, Ranker]]:
    """Yield the rankers of some folders.

    Raises:
        CourseError: a folder has none; or no ranker uses an option.
    """
    if not folders:
        return  # without importing Keras
    from course.applications.retrieval.searching import DEPTH, ranker_of
    from course.applications.retrieval.trained_ranker import READ_APART, READ_TOGETHER, load_ranker
    from course.applications.search.bm25 import Bm25
    from course.applications.search.fusion import Fusion
    from course.applications.search.max_sim import PER_VECTOR

    trained = {}
    for folder in folders:
        with errors.status(f"Reading {folder}"):
            trained[folder] = load_ranker(folder)
    kinds = {ranker.kind for ranker in trained.values()}
    for option, is_useless, wanted, does in (
        ("--fuse", fuse and not kinds <= {*READ_APART}, READ_APART, "has vectors"),
        ("--exact", exact and not kinds & {*READ_APART}, READ_APART, "has vectors"),
        ("--rerank", rerank is not None and not kinds & {*READ_TOGETHER}, READ_TOGETHER, "reranks what BM25 has found"),
    ):
        if is_useless:
            given = ", ".join(f"{folder} of the kind {ranker.kind}" for folder, ranker in trained.items())
            raise CourseError(
                f"{option} is for a ranker of the kind {' or '.join(wanted)}, which {does}. Given: {given}. Leave out "
                f"{option}."
            )
    for folder, of_folder in trained.items():
        ranker = ranker_of(index, str(folder), of_folder, rerank or DEPTH, None if exact else PER_VECTOR)
        yield folder, Fusion([Bm25(index), ranker]) if fuse else ranker


def _given(queries: list[str] | None) -> list[str]:
    """Return the queries of the command line, or those of the standard input.

    Raises:
        CourseError: there is no query, or the input is not text.
    """
    from course.applications.search.words import writable

    given = [writable(query) for query in queries or typed_lines() if query.strip()]
    if not given:
        raise CourseError("there is no query. Give one, in quotes, or a file with one on each line: < queries.txt")
    return given


@contextmanager
def _opened(folder: Path, scheduler: str | None) -> Iterator[Index]:
    from course.applications.search.index import Index

    if scheduler is None:
        yield Index(folder)
    else:
        with cluster(scheduler) as client:
            yield Index(folder.resolve(), client.get_executor().map)


def _print_json(index: Index, ranker: Ranker, query: str, top: int) -> None:
    from course.applications.search import ranking

    results = [
        {"score": round(result.score, 6), "document": result.document, **result.found._asdict()}
        for result in ranking.search(index, ranker, query, top)
    ]
    print(json.dumps({"query": query, "results": results}, ensure_ascii=False))


def _print_table(index: Index, ranker: Ranker, query: str, top: int) -> None:
    from course.applications.search import ranking
    from course.applications.search.marking import passage
    from course.applications.search.serving import unknown_words
    from course.applications.search.words import query_words

    words = dict.fromkeys(query_words(query, index.language))
    if not words:
        errors.print(Text(f"There is no word in {query!r}.", style="yellow"))
        return
    if unknown := unknown_words(index, list(words)):
        errors.print(Text(f"No document has: {', '.join(unknown)}.", style="yellow"))
    results = ranking.search(index, ranker, query, top)
    if not results:
        errors.print(Text(f"Nothing found for {query!r}.", style="yellow"))
        return
    table = Table("score", "document", title=Text(query), title_justify="left", show_lines=True)
    for result in results:
        entry = (
            _marked(passage(result.found.title, words, 200, index.language)) + Text("\n")
            if result.found.title
            else Text()
        )
        entry += _marked(passage(result.found.text, words, language=index.language))
        entry += Text(f"\n{result.found.name.translate(_CONTROLS)}", style="dim")
        table.add_row(f"{result.score:.4g}", entry)
    output.print(table, soft_wrap=False)


def _marked(pieces: list[tuple[str, bool]]) -> Text:
    """Show the words that were found in bold and underlined, because a terminal may have no colours."""
    return Text.assemble(
        *((piece.translate(_CONTROLS), "bold underline" if is_found else "") for piece, is_found in pieces)
    )


def _serve(index: Index, rankers: dict[str, Ranker], port: int) -> None:
    from course.applications.search.serving import HOST, SearchPage, serve

    def ready(server: ThreadingHTTPServer) -> None:
        output.print(
            f"http://{HOST}:{server.server_port}/ searches {counted(index.num_documents, 'document')}. Ctrl-C ends it."
        )

    with suppress(KeyboardInterrupt):
        serve(SearchPage(index, rankers), port, ready)
