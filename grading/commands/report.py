"""python -m grading report: write the pages of existing results again."""

from __future__ import annotations

from typing import Annotated

import typer

from grading.commands.options import Anonymous, Compare, GradedChapter, GradedResults, Section


def report(
    results: GradedResults,
    chapter: GradedChapter = None,
    section: Section = None,
    anonymous: Anonymous = False,
    compare: Compare = None,
    language: Annotated[
        str | None, typer.Option(help="Of the students' pages, such as ru; by default, each notebook's own.")
    ] = None,
) -> None:
    """Writes the pages and grades.csv again from existing results, without grading."""
    from grading.classroom.earlier import require_results
    from grading.classroom.results import Results, graded_chapter
    from grading.commands.counting import warn_of_not_graded
    from grading.commands.publishing import publish
    from grading.languages import require_language

    require_results(compare or ())
    stored = Results(results, graded_chapter(results, chapter))
    code = require_language(language) if language else None
    warn_of_not_graded(stored, section)
    publish(stored, stored.all(section), anonymous, compare or (), code)
