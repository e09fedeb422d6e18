"""python -m course prepare: turn text into token arrays."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import typer

from course.commands.cluster import cluster
from course.commands.given_options import given_options
from course.commands.terminal import counted, errors, output, progress_bar, say_skipped
from course.errors import CourseError, as_course_errors


def prepare(
    context: typer.Context,
    corpus: Annotated[
        str,
        typer.Argument(
            help="ag_news, sample, a file of text (.txt, .md) or a table (.csv, .tsv, .jsonl, .parquet), each also "
            ".gz, or a folder of such files."
        ),
    ] = "ag_news",
    *,
    to: Annotated[Path, typer.Option(help="The folder to make.")] = Path("build/corpus"),
    vocabulary: Annotated[
        Path | None,
        typer.Option(
            help="A vocab.txt to use, or a folder of weights that has one; by default, the command learns one. Case is "
            "kept where the folder says so, or says nothing and a piece has a capital letter."
        ),
    ] = None,
    vocabulary_size: Annotated[int, typer.Option(min=1, help="The largest number of pieces to learn.")] = 8000,
    cased: Annotated[bool, typer.Option("--cased", help="Keep case and accents.")] = False,
    column: Annotated[
        list[str] | None,
        typer.Option(
            help="The column of tables that holds their text; repeatable. In files without a header, its number, "
            "from 1 on."
        ),
    ] = None,
    language: Annotated[
        str, typer.Option(help="The language of the text, for its abbreviations: de, ru, zh, ...; an ISO 639 code.")
    ] = "en",
    jobs: Annotated[int, typer.Option(min=1, help="Processes. A single one uses up to four threads.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(help="A Dask scheduler, such as tcp://10.0.0.5:8786, whose workers do the work.")
    ] = None,
) -> None:
    """Turn a corpus into token arrays: vocabulary, ids, and where sentences and documents begin.

    A document is a row of a table, a section of a Markdown file, or the text between blank lines in plain text.
    """
    from course.data.corpus.preparation import prepare as prepare_arrays
    from course.data.corpus.sources import open_corpus
    from course.weights.files import find_vocabulary, read_lowercase

    if vocabulary is not None and given_options(context, ["vocabulary_size"]):
        raise CourseError(f"--vocabulary-size is for a vocabulary to learn, but {vocabulary} is given. Leave out one.")
    if scheduler is not None and given_options(context, ["jobs"]):
        raise CourseError("--jobs is for this machine, and with --scheduler, others do the work. Leave out one.")
    with errors.status("Looking at the corpus"), as_course_errors():
        texts = open_corpus(corpus, column or (), language)
    say_skipped(texts.skipped)
    try:
        given_vocabulary = None if vocabulary is None else find_vocabulary(vocabulary)
        folder = vocabulary if vocabulary is None or vocabulary.is_dir() else vocabulary.parent
        is_lowercase = None if folder is None else read_lowercase(folder)
        lowercase = given_vocabulary is None or given_vocabulary.drops_case(is_lowercase)
    except (OSError, ValueError) as error:
        raise CourseError(str(error)) from error
    if is_lowercase and cased:
        raise CourseError(f"--cased keeps case, but the model of {vocabulary} reads lower case. Leave out --cased.")
    with progress_bar() as bar, _executor(jobs, scheduler) as executor:
        task = bar.add_task("Reading", total=texts.size)
        arrays = prepare_arrays(
            texts,
            to,
            executor,
            vocabulary=given_vocabulary,
            vocabulary_size=vocabulary_size,
            lowercase=lowercase and not cased,
            progress=lambda step, done: bar.update(task, description=step, completed=done),
        )
        bar.update(task, completed=texts.size)
    description = arrays.description
    counts = ", ".join(counted(description[f"{thing}s"], thing) for thing in ("document", "sentence", "piece"))
    output.print(f"{to}: {counts} of {len(arrays.vocabulary):,}", style="green")
    if is_lowercase is None and not lowercase and not cased:
        output.print(
            "Case is kept, because the vocabulary has capital letters. If its model reads lower case, write "
            '{"do_lower_case": true} into a file tokenizer_config.json beside it, and prepare again.',
            markup=False,
        )
    if description.get("left_out"):
        output.print(f"Documents of fewer than two pieces, left out: {description['left_out']:,}.")


@contextmanager
def _executor(jobs: int, scheduler: str | None) -> Iterator[Executor]:
    if scheduler is not None:
        with cluster(scheduler) as client:
            yield client.get_executor(pure=False)
    elif jobs == 1:
        from course.data.corpus.preparation import threads

        with threads() as executor:
            yield executor
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as executor:
            yield executor
