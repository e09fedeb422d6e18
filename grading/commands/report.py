"""python -m grading report: the pages of results that are there."""

from __future__ import annotations

from grading.commands.options import Anonymous, GradedChapter, GradedResults, Section


def report(
    results: GradedResults,
    chapter: GradedChapter = None,
    section: Section = None,
    anonymous: Anonymous = False,
) -> None:
    """Writes the pages and grades.csv again from results that are there, without grading."""
    from grading.classroom.results import Results, only_chapter
    from grading.commands.publishing import publish

    found = Results(results, chapter or only_chapter(results))
    publish(found, found.all(section), anonymous)
