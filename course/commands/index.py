"""python -m course index: make an index of your own texts for `search`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from course.commands.terminal import counted, errors, output, progress_bar, say_skipped
from course.errors import CourseError, Stopped, as_course_errors
from course.storage.alone import require_alone

if TYPE_CHECKING:
    from course.applications.search.vectors import TextEncoder


def index(
    texts: Annotated[
        Path,
        typer.Argument(
            help="A file of text (.txt, .md) or a table (.csv, .tsv, .jsonl, .parquet), each also .gz, or a folder of "
            "such files."
        ),
    ],
    *,
    to: Annotated[Path, typer.Option(help="The folder of the index.")] = Path("build/index"),
    text: Annotated[
        list[str] | None,
        typer.Option(
            help="Of tables: the column that holds the text; repeatable. In files without a header, its number, from "
            "1 on."
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Of tables: the column that holds the titles.")] = None,
    language: Annotated[
        str | None,
        typer.Option(
            help="The language of the texts, whose endings BM25 ignores: en, de, fr, ...; an ISO 639 code. By default "
            "that of the existing index, and in a new one en."
        ),
    ] = None,
    exact_words: Annotated[
        bool,
        typer.Option(
            "--exact-words",
            help='Keep the endings and all stop words: "wing" does not find "wings". An existing index keeps this, '
            "too, until you give --language.",
        ),
    ] = False,
    vectors: Annotated[
        list[Path] | None,
        typer.Option(
            help="A ranker whose document vectors are stored, too: one that `train-ranker` has written, of the kind "
            "maxsim or dssm; or an encoder's folder, whose word vectors are used unchanged; if it is in the format of "
            "Sentence Transformers, their mean for each text. Repeatable."
        ),
    ] = None,
) -> None:
    """Make an index of texts, or bring it up to date.

    A document is a row of a table, a section of a Markdown file, or a paragraph between blank lines in plain text. An
    interrupted command resumes when you run it again. If texts have changed, it reads them all, and indexes again from
    the first change on.
    """
    from course.applications.search.graph import has_graphs
    from course.applications.search.indexing import make_index
    from course.applications.search.texts import open_texts
    from course.applications.search.words import STEMMERS
    from course.data.text.sentences import require_language

    if language is not None:
        if exact_words:
            raise CourseError("--exact-words keeps words as they stand, whatever the --language. Leave out one.")
        with as_course_errors():
            require_language(language)
        if language not in STEMMERS:
            errors.print(f"There is no stemmer for {language}: words are searched as they stand.")
    encoders = [_encoder(folder) for folder in vectors or ()]
    texts_found = open_texts(texts, text or (), title)
    say_skipped(texts_found.skipped)
    with progress_bar() as bar:
        task = bar.add_task(f"Indexing {texts_found.name}", total=texts_found.size)
        encoder_tasks = {encoder.name: bar.add_task(f"Vectors of {encoder.name}", total=None) for encoder in encoders}

        def encoded(encoder: str, done: int, total: int) -> None:
            bar.update(encoder_tasks[encoder], completed=done, total=total)

        def read(characters: int) -> None:
            bar.update(task, completed=characters)

        try:
            with require_alone(to):
                done = make_index(
                    texts_found, to, read, encoders, encoded, None if exact_words else language or _known_language(to)
                )
        except KeyboardInterrupt as error:
            raise Stopped("the indexing was stopped. The same command resumes it.") from error
        bar.update(task, completed=texts_found.size)
    kept = f", {done.kept} of them kept" if done.kept else ""
    documents, parts = counted(done.index.num_documents, "document"), counted(done.made + done.kept, "part")
    output.print(f"{to}: {documents} in {parts}{kept}", style="green")
    for entry in done.index.vectors:
        size = sum(entry.sizes) + sum(entry.graphs)
        graph = "" if any(entry.graphs) or has_graphs() else "; each search compares all, since voyager is missing"
        output.print(f"Vectors of {entry.name}: {size / 1e6:,.1f} MB{graph}.")
    if done.empty:
        output.print(f"Documents without a word: {done.empty:,}.")


def _known_language(folder: Path) -> str | None:
    """Return the language of an existing index, None for words as they stand; English if there is no index."""
    from course.applications.search.array_file import DamagedError
    from course.applications.search.index import read_list

    try:
        content = read_list(folder)
    except DamagedError:  # the list is rebuilt
        errors.print(
            f"The list of {folder} is damaged, so its language is unknown, and English is taken. For another one, give "
            "--language or --exact-words."
        )
        content = None
    return "en" if content is None else content.get("language")


def _encoder(folder: Path) -> TextEncoder:
    from course.applications.retrieval.searching import VectorsOf
    from course.applications.retrieval.trained_ranker import load_ranker

    with errors.status(f"Reading {folder}"):
        return VectorsOf(str(folder), load_ranker(folder))
