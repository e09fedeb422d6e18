"""A student's feedback as plain text, for systems that show no pages."""

from __future__ import annotations

import markupsafe

from grading.classroom.submission_record import MISSING
from grading.feedback.card import Card, format_points
from grading.feedback.record import ExerciseRecord
from grading.gradebook.policy import Mark


def feedback_text(mark: Mark) -> str:
    """The feedback on a mark: each exercise that counts, then the deduction for being late."""
    if mark.record["person"]["status"] == MISSING:
        return "Nothing was handed in."
    if mark.record["problem"]:
        return f"Your submission could not be graded: {mark.record['problem']}."
    parts = [exercise_text(exercise) for exercise in mark.exercises]
    return "\n\n".join(filter(None, [*parts, late_text(mark)]))


def as_html(text: str) -> str:
    """A text as HTML that keeps its lines and indents; markup in it is escaped.

    Lines end with `<br>` alone, because some systems turn a line feed into another `<br>`.
    """
    lines = (str(markupsafe.escape(line)).replace("  ", "&nbsp; ") for line in text.splitlines())
    return "<br>".join(lines)


def late_text(mark: Mark) -> str:
    """A sentence on the late penalty; "" for submissions in time."""
    late = mark.late
    if not late or not late.days:
        return ""
    days = "1 day" if late.days == 1 else f"{late.days} days"
    return f"Handed in {days} late, {late.free} of them free: {format_points(mark.penalty)} points off."


def exercise_text(exercise: ExerciseRecord) -> str:
    """The feedback on one exercise: its checks, the named mistake and its hint."""
    return Card(exercise).text()
