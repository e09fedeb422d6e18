"""python -m grading hunt: does anything in a bundle do the work of an exercise that is still to be written?"""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from grading.terminal import output, progress_bar


def hunt(
    chapter: Annotated[int | None, typer.Argument(help="Of one chapter's bundle; of all by default.")] = None,
) -> None:
    """Tries every callable of the bundles in place of each exercise of their chapter and of later ones.

    What earns half of an exercise's points, or shares a third of its answer's syntax, must stand in
    `grading/hunt/findings.toml` with the reason why it is no answer. Otherwise this fails, and also where something
    stands there that is not found any more.
    """
    from grading.exercises import registry
    from grading.hunt.findings import outdated, read_known, unlisted
    from grading.hunt.search import hunt as search
    from grading.hunt.table import found_table, tried_table
    from grading.release.library import released_modules
    from grading.storage.project import PROJECT

    numbers = list(registry.chapters()) if chapter is None else [registry.chapter(chapter).number]
    bundles = {number: released_modules(number, PROJECT) for number in numbers}
    with progress_bar() as progress:
        hunted = list(search(bundles, partial(progress.update, progress.add_task("Chapters", total=None))))
    known, findings = read_known(), [one for part in hunted for one in part.findings]
    output.print(tried_table(hunted))
    output.print(found_table(hunted, known))
    leaks = unlisted(findings, known)
    gone = outdated(findings, known) if chapter is None else []
    for by, exercise, held in gone:
        output.print(f"{held} is listed and not found any more: {exercise}, by {by}", markup=False)
    if leaks or gone:
        raise typer.Exit(1)
