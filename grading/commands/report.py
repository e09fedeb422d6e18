"""python -m grading report: write the pages of existing results again."""

from __future__ import annotations

from grading.commands.options import Anonymous, Compare, GradedChapter, GradedResults, Section


def report(
    results: GradedResults,
    chapter: GradedChapter = None,
    section: Section = None,
    anonymous: Anonymous = False,
    compare: Compare = None,
) -> None:
    """Writes the pages and grades.csv again from existing results, without grading."""
    from grading.classroom.earlier import require_results
    from grading.classroom.results import Results, only_chapter
    from grading.commands.publishing import publish

    require_results(compare or ())
    stored = Results(results, chapter or only_chapter(results))
    publish(stored, stored.all(section), anonymous, compare or ())
