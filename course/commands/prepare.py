"""python -m course prepare: text to token arrays."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from course.commands.terminal import errors, output
from course.errors import CourseError


def prepare(
    corpus: Annotated[
        str, typer.Argument(help="ag_news, sample, a .txt or .csv file, or a folder of such files.")
    ] = "ag_news",
    *,
    to: Annotated[Path, typer.Option(help="The folder to make.")] = Path("build/corpus"),
    vocabulary: Annotated[Path | None, typer.Option(help="A vocab.txt to use; by default, one is learned.")] = None,
    vocabulary_size: Annotated[int, typer.Option(min=1, help="How many pieces to learn at most.")] = 8000,
    cased: Annotated[bool, typer.Option("--cased", help="Keep case and accents.")] = False,
    column: Annotated[
        list[str] | None, typer.Option(help="A column of .csv files to read, named in their first row; repeatable.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes. One has threads for up to four processors.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(help="A Dask scheduler, such as tcp://10.0.0.5:8786, whose workers do the work.")
    ] = None,
) -> None:
    """Turns a corpus into token arrays, once: vocabulary, ids, bounds of sentences and documents."""
    from course.corpus.preparation import prepare as prepare_arrays
    from course.corpus.sources import open_corpus
    from course.text.vocabulary import Vocabulary

    with errors.status("Looking at the corpus"):
        found = open_corpus(corpus, column or ())
    try:
        known = None if vocabulary is None else Vocabulary.load(vocabulary)
    except (OSError, ValueError) as error:
        raise CourseError(str(error)) from error
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors) as bar, _executor(jobs, scheduler) as executor:
        task = bar.add_task("Reading", total=found.size)
        arrays = prepare_arrays(
            found,
            to,
            executor,
            vocabulary=known,
            vocabulary_size=vocabulary_size,
            lowercase=not cased,
            progress=lambda what, done: bar.update(task, description=what, completed=done),
        )
        bar.update(task, completed=found.size)
    said = arrays.description
    output.print(
        f"{to}: {said['documents']:,} documents, {said['sentences']:,} sentences, {said['pieces']:,} pieces of "
        f"{len(arrays.vocabulary):,}",
        style="green",
    )


@contextmanager
def _executor(jobs: int, scheduler: str | None) -> Iterator[Executor]:
    if scheduler is not None:
        with _cluster(scheduler) as client:
            yield client.get_executor(pure=False)
    elif jobs == 1:
        from course.corpus.preparation import threads

        with threads() as executor:
            yield executor
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as executor:
            yield executor


def _cluster(scheduler: str) -> Any:
    """A client of a Dask cluster. Its workers need this project, in the same version, and no file of this machine."""
    try:
        import distributed
    except ImportError as error:
        raise CourseError("--scheduler needs Dask: pip install 'bert-from-nothing[cluster]'") from error
    try:
        return distributed.Client(scheduler, timeout=20, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CourseError(f"no Dask scheduler answers at {scheduler} ({error}); is its address right?") from error
