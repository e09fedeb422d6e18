"""python -m grading audit: does every known mistake lose points, and is it named?"""

from __future__ import annotations

from typing import Annotated

import typer

from grading.terminal import errors, output


def audit(
    chapter: Annotated[int | None, typer.Option(help="The chapter; all by default.")] = None,
) -> None:
    """Feeds every known mistake to the grader, and says how many lose points and how many are named."""
    from grading.exercises import registry
    from grading.judging.audit import audit as audit_chapter
    from grading.report.table import audit_table

    wanted = [registry.chapter(chapter)] if chapter else list(registry.chapters().values())
    with errors.status("Making every known mistake"):
        rows = [row for of in wanted for row in audit_chapter(of)]
    output.print(audit_table(rows))
    if any(row.caught < row.mistakes for row in rows):
        raise typer.Exit(1)
