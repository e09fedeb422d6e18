"""A student's feedback as plain text, for systems that show no page."""

from __future__ import annotations

import markupsafe

from grading.feedback.card import Card, format_points
from grading.feedback.record import ExerciseRecord
from grading.gradebook.policy import Mark


def feedback_text(mark: Mark) -> str:
    """What a mark is made of: each exercise that counts, then what was taken off."""
    if mark.is_missing:
        return "Nothing was handed in."
    if mark.record["problem"]:
        return f"Your submission could not be graded: {mark.record['problem']}."
    parts = [exercise_text(exercise) for exercise in mark.exercises]
    return "\n\n".join(filter(None, [*parts, late_text(mark)]))


def as_html(text: str) -> str:
    """A text for a system that takes HTML: its lines and indents stay, and no markup in it acts.

    No line ends in it but by `<br>`: some systems would add another one.
    """
    lines = (str(markupsafe.escape(line)).replace("  ", "&nbsp; ") for line in text.splitlines())
    return "<br>".join(lines)


def late_text(mark: Mark) -> str:
    """What being late costs; "" for those who were not."""
    late = mark.late
    if not late or not late.days:
        return ""
    days = "1 day" if late.days == 1 else f"{late.days} days"
    return f"Handed in {days} late, {late.free} of them free: {format_points(mark.penalty)} points off."


def exercise_text(exercise: ExerciseRecord) -> str:
    """What holds in one exercise, what does not, the named mistake and its hint."""
    return Card(exercise).text()
