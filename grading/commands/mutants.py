"""python -m grading mutants: which mutants of the reference answers survive the checks?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from grading.terminal import output, progress_bar

if TYPE_CHECKING:
    from grading.mutants.survey import Survey


def mutants(
    chapter: Annotated[int | None, typer.Argument(help="The chapter; all by default.")] = None,
    exercise: Annotated[str | None, typer.Argument(help="One exercise of it; all by default.")] = None,
    one_in: Annotated[
        int, typer.Option(min=1, help="Try only one mutant in this many, chosen by the seed: 10 for a tenth.")
    ] = 1,
    seed: Annotated[str, typer.Option(help="Decides the inputs of the checks.")] = "mutants",
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Mutants tried at a time; by default, one per processor.")
    ] = None,
) -> None:
    """Changes every reference answer in many small ways, and lists the mutants that survive the checks.

    The table also counts the mutants that are known mistakes. Those of a single exercise are listed.

    Equivalent mutants are listed with their reasons in `equivalent_mutants.toml`, beside the chapter's checks. Results
    are cached in `build/mutants`: an interrupted survey resumes, and the next one tries only what has changed.
    """
    from grading.exercises.registry import chosen
    from grading.mutants.survey import survey

    chapters = chosen(chapter)
    if exercise:
        chapters[0].require([exercise])
    surveys = []
    with progress_bar() as progress:
        for of in chapters:
            update = partial(progress.update, progress.add_task(f"Mutants of chapter {of.number}", total=None))
            names = [exercise] if exercise else list(of.exercises)
            for finished in survey(of, names, seed.encode(), one_in, jobs, update):
                surveys.append(finished)
                _print_problems(finished)
                if exercise:
                    known = (f"{sentence} {change}" for change, sentence in finished.mistakes.items())
                    _print_lines(finished, "a known mistake", known)
    output.print(_table(surveys))
    if any(one.survivors or one.wrongly_equal or one.unknown for one in surveys):
        raise typer.Exit(1)


def _print_problems(survey: Survey) -> None:
    """Prints the mutants of one exercise that need attention."""
    for problem, changes in (
        ("survived", survey.survivors),
        ("listed as equivalent, but killed", survey.wrongly_equal),
        ("listed as equivalent, but no longer a mutant", survey.unknown),
    ):
        _print_lines(survey, problem, changes)


def _print_lines(survey: Survey, about: str, lines: Iterable[str]) -> None:
    for line in lines:
        output.print(f"{survey.exercise}: {about}: {line}", markup=False, highlight=False, soft_wrap=True)


def _table(surveys: Sequence[Survey]) -> Table:
    """A table with a row for each exercise, and the sums."""
    rows = [(one.tried, one.seen, one.equal, len(one.survivors), len(one.mistakes)) for one in surveys]
    sums = [sum(column) for column in zip(*rows, strict=True)]
    table = Table(title="Mutants of the reference answers", show_footer=True)
    table.add_column("exercise", "all")
    for header, footer in zip(("mutants", "killed", "equivalent", "survived", "known mistakes"), sums, strict=True):
        table.add_column(header, str(footer), justify="right")
    for one, row in zip(surveys, rows, strict=True):
        table.add_row(one.exercise, *map(str, row))
    return table
