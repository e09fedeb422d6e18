"""python -m grading hunt: does anything in a bundle solve an exercise that students have still to write?"""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from grading.terminal import output, progress_bar


def hunt(
    chapter: Annotated[int | None, typer.Argument(help="The chapter whose bundle to search; all by default.")] = None,
) -> None:
    """Tries every callable of the bundles in place of each exercise of their chapter and of later ones.

    If a callable earns half of an exercise's points, or shares a third of its answer's syntax,
    `grading/hunt/findings.toml` must list it with the reason why it is no answer. Otherwise the command fails. It also
    fails if the file lists a finding that no longer occurs.
    """
    from grading.exercises.registry import chosen
    from grading.hunt.findings import outdated, read_known, unlisted
    from grading.hunt.search import hunt as search
    from grading.hunt.table import found_table, tried_table
    from grading.release.library import released_modules
    from grading.storage.project import PROJECT

    bundles = {of.number: released_modules(of.number, PROJECT) for of in chosen(chapter)}
    with progress_bar() as progress:
        hunted = list(search(bundles, partial(progress.update, progress.add_task("Chapters", total=None))))
    known, findings = read_known(), [finding for part in hunted for finding in part.findings]
    output.print(tried_table(hunted))
    output.print(found_table(hunted, known))
    leaks = unlisted(findings, known)
    gone = outdated(findings, known) if chapter is None else []
    for by, exercise, name in gone:
        output.print(f"{name} is listed, but no longer found: {exercise}, by {by}", markup=False)
    if leaks or gone:
        raise typer.Exit(1)
