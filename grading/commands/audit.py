"""python -m grading audit: does every known mistake lose points, and does the grader name it?"""

from __future__ import annotations

from typing import Annotated

import typer

from grading.terminal import errors, output


def audit(
    chapter: Annotated[int | None, typer.Option(help="The chapter; all by default.")] = None,
) -> None:
    """Grades every known mistake, and shows how many lose points and how many the grader names."""
    from grading.exercises.registry import chosen
    from grading.judging.audit import audit as audit_chapter
    from grading.report.table import audit_table

    with errors.status("Grading every known mistake"):
        rows = [row for one in chosen(chapter) for row in audit_chapter(one)]
    output.print(audit_table(rows))
    if any(row.caught < row.mistakes for row in rows):
        raise typer.Exit(1)
