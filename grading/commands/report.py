"""python -m grading report: write the pages of existing results again."""

from __future__ import annotations

from grading.commands.options import Anonymous, GradedChapter, GradedResults, Section


def report(
    results: GradedResults,
    chapter: GradedChapter = None,
    section: Section = None,
    anonymous: Anonymous = False,
) -> None:
    """Writes the pages and grades.csv again from existing results, without grading."""
    from grading.classroom.results import Results, only_chapter
    from grading.commands.publishing import publish

    stored = Results(results, chapter or only_chapter(results))
    publish(stored, stored.all(section), anonymous)
