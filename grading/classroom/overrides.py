"""Points that the instructor gives by hand: the file overrides.csv of a course, which may be edited.

They are applied to records when these are read, so no grading changes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from grading.classroom.people import People
from grading.classroom.submission_record import MISSING, TWICE, SubmissionRecord
from grading.errors import GradingError
from grading.exercises.registry import find
from grading.feedback.card import format_points
from grading.feedback.record import ExerciseRecord
from grading.messages import Message
from grading.messages.stored import messages_in
from grading.storage.files import write_file
from grading.storage.tables import read_table, table_text
from grading.untrusted import shown

FILE = "overrides.csv"
_COLUMNS = ("student", "exercise", "points", "why", "when")


@dataclass(frozen=True)
class Override:
    """The points of one student in one exercise.

    Attributes:
        student: the person's id.
        why: the reason, as the student's page gives it.
        when: the day, as in 2026-03-01, or "".
    """

    student: str
    exercise: str
    points: float
    why: str
    when: str = ""


# By person and exercise.
Overrides = Mapping[tuple[str, str], Override]


def read_overrides(course: Path, people: People) -> Overrides:
    """Read a course's file; without one, nothing is overridden.

    Raises:
        GradingError: the file cannot be read, or a line is about nobody, about no exercise, without a reason, the
            second for the same exercise of a student, or gives points that the exercise does not have.
    """
    path = course / FILE
    found: dict[tuple[str, str], Override] = {}
    for place, override in _lines(path, people) if path.exists() else ():
        key = (override.student, override.exercise)
        if key in found:
            raise GradingError(
                f"{place}: {override.student} already has points for {override.exercise}; leave one line"
            )
        found[key] = override
    return found


def write_override(course: Path, people: People, override: Override) -> None:
    """Add an override to a course's file, in place of an earlier one for the same exercise of the student.

    The course must be locked.

    Raises:
        GradingError: the points are not the exercise's, or the file cannot be read or written.
    """
    _require_points(override)
    all_of_them = {**read_overrides(course, people), (override.student, override.exercise): override}
    rows = [{**asdict(one), "points": format_points(one.points)} for one in all_of_them.values()]
    write_file(course / FILE, table_text(_COLUMNS, rows), mode=0o600)


def overridden(record: SubmissionRecord, student: str, overrides: Overrides) -> SubmissionRecord:
    """A record with the points that a person was given by hand."""
    given = [overrides.get((student, exercise["name"])) for exercise in record["exercises"]]
    if not any(given):
        return record
    exercises = [
        _with_points(exercise, override) if override else exercise
        for exercise, override in zip(record["exercises"], given, strict=True)
    ]
    status = record["person"]["status"]
    # The record is no longer one of which nothing counts, so the page shows its exercises.
    notes = [*record["notes"], record["problem"]] if record["problem"] and status not in (MISSING, TWICE) else []
    return {
        **record,
        "person": {**record["person"], "status": "" if status == MISSING else status},
        "problem": "",
        "notes": notes or record["notes"],
        "exercises": exercises,
        "earned": sum(exercise["earned"] for exercise in exercises),
    }


def _with_points(exercise: ExerciseRecord, override: Override) -> ExerciseRecord:
    given, graded = format_points(override.points), format_points(exercise["earned"])
    sentence = Message(
        "{given} given by your instructor, where the checks gave {graded}: {why}",
        given=given,
        graded=graded,
        why=shown(override.why),
    )
    passed = override.points >= exercise["points"]
    messages = [*exercise.get("messages", []), *messages_in(sentence)]
    return {**exercise, "earned": override.points, "passed": passed, "override": sentence, "messages": messages}


def _lines(path: Path, people: People) -> Iterator[tuple[str, Override]]:
    for place, cells in read_table(path, _COLUMNS[:4], _COLUMNS[4:]):
        try:
            points = float(cells["points"])
            find(cells["exercise"])
            override = Override(
                people.find(cells["student"]).id, cells["exercise"], points, cells["why"], cells["when"]
            )
            _require_points(override)
        except ValueError as error:
            raise GradingError(f"{place}: {cells['points']!r} is not a number of points") from error
        except GradingError as error:
            raise GradingError(f"{place}: {error}") from error
        yield place, override


def _require_points(override: Override) -> None:
    """Make sure that an exercise has so many points, and that a reason is given."""
    of, exercise = find(override.exercise)
    if not 0 <= override.points <= exercise.points:  # nor NaN
        most = format_points(exercise.points)
        raise GradingError(
            f"{override.exercise} in chapter {of.number} has {most} points; "
            f"{format_points(override.points)} is not between 0 and {most}"
        )
    if not override.why.strip():
        raise GradingError("the student's page gives the reason; write one (why)")
