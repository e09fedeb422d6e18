"""A student's feedback as plain text, for systems that show no pages, and what pages say of the mark."""

from __future__ import annotations

import re

import markupsafe

from grading.classroom.submission_record import MISSING, SubmissionRecord, problem_in, translator_of
from grading.feedback.card import Card, format_points
from grading.feedback.record import ExerciseRecord
from grading.gradebook.policy import Mark
from grading.messages import Message
from grading.messages.translator import Translator
from grading.storage.tables import SIGNS

_BEHIND_AN_ENTITY = re.compile(rf"(?<=;)\s*[{SIGNS}][{SIGNS}\s]*")

# The catalogues have it from nbgrader's comments.
_DOES_NOT_COUNT = "This exercise does not count."


def feedback_text(mark: Mark) -> str:
    """The feedback on a mark: each exercise that counts, then the deduction for being late."""
    record, said = mark.record, translator_of(mark.record)
    if record["person"]["status"] == MISSING:
        return said.say("Nothing was handed in.")
    if record["problem"]:
        return said.say("Your submission could not be graded: {problem}.", problem=problem_in(record, said))
    parts = [exercise_text(exercise, said) for exercise in mark.exercises]
    return "\n\n".join(filter(None, [*parts, said(late_text(mark))]))


def counted_record(mark: Mark) -> SubmissionRecord:
    """The record of a mark with the points that count; it says what does not, and what was taken off for being late."""
    exercises = [
        exercise if exercise["name"] in mark.earned else ExerciseRecord(**{**exercise, "override": _DOES_NOT_COUNT})
        for exercise in mark.record["exercises"]
    ]
    counted: SubmissionRecord = {
        **mark.record,
        "exercises": exercises,
        "earned": mark.points,
        "points": mark.out_of,
        "late": late_text(mark),
    }
    return counted


def as_html(text: str) -> str:
    """A text as HTML that keeps its lines and indents; markup in it is escaped.

    Lines end with `<br>` alone, because some systems turn a line feed into another `<br>`. Behind an entity such as
    `&#39;` a sign is one, too: some spreadsheets begin a cell at each semicolon, and take it for a formula.
    """
    lines = (str(markupsafe.escape(line)).replace("  ", "&nbsp; ") for line in text.splitlines())
    return _BEHIND_AN_ENTITY.sub(_as_entities, "<br>".join(lines))


def _as_entities(found: re.Match[str]) -> str:
    return "".join(letter if letter.isspace() else f"&#{ord(letter)};" for letter in found[0])


def late_text(mark: Mark) -> str:
    """A sentence on the late penalty; "" for submissions in time."""
    late = mark.late
    if not late or not late.days:
        return ""
    return Message(
        "Handed in {count} day late, {free} of them free: {points} points off.",
        plural="Handed in {count} days late, {free} of them free: {points} points off.",
        count=late.days,
        free=late.free,
        points=format_points(mark.penalty),
    )


def exercise_text(exercise: ExerciseRecord, said: Translator) -> str:
    """The feedback on one exercise: its checks, the named mistake and its hint."""
    return Card(exercise, translator=said).text()
