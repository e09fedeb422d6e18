"""python -m grading mutants: which small changes of the right answers do the checks not see?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from grading.terminal import output, progress_bar

if TYPE_CHECKING:
    from grading.mutants.survey import Survey


def mutants(
    chapter: Annotated[int | None, typer.Argument(help="The chapter; all by default.")] = None,
    exercise: Annotated[str | None, typer.Argument(help="One exercise of it; all by default.")] = None,
    one_in: Annotated[int, typer.Option(min=1, help="Only some: 10 for a tenth of them, chosen by the seed.")] = 1,
    seed: Annotated[str, typer.Option(help="Decides the inputs of the checks.")] = "mutants",
    jobs: Annotated[int | None, typer.Option(min=1, help="How many at a time; one a processor by default.")] = None,
) -> None:
    """Changes every right answer in many small ways, and says which changes no check sees.

    A change that makes no difference is listed with its reason in `equivalent_mutants.toml`, beside the chapter's
    checks. Results are kept in `build/mutants`: an interrupted survey resumes, and the next one tries again only what
    has changed.
    """
    from grading.exercises import registry
    from grading.mutants.survey import survey
    from grading.mutants.table import mutants_table

    chapters = [registry.chapter(chapter)] if chapter else list(registry.chapters().values())
    if exercise:
        chapters[0].require([exercise])
    surveys = []
    with progress_bar() as progress:
        for of in chapters:
            update = partial(progress.update, progress.add_task(f"Mutants of chapter {of.number}", total=None))
            names = [exercise] if exercise else list(of.exercises)
            for one in survey(of, names, seed.encode(), one_in, jobs, update):
                surveys.append(one)
                _say(one)
    output.print(mutants_table(surveys))
    if any(one.survivors or one.wrongly_equal or one.unknown for one in surveys):
        raise typer.Exit(1)


def _say(found: Survey) -> None:
    """What is to be looked at in one exercise."""
    for what, changes in (
        ("no check sees", found.survivors),
        ("a check sees what is said to be equal", found.wrongly_equal),
        ("is said to be equal and is no mutant any more", found.unknown),
    ):
        for change in changes:
            output.print(f"{found.exercise}: {what}: {change}", markup=False, highlight=False, soft_wrap=True)
