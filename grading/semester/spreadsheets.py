"""The marks of a course as CSV: a plain table, and a gradebook for Canvas. Each student has one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grading.classroom.roster import CANVAS, Member
from grading.exercises.registry import chapter
from grading.feedback.card import format_points
from grading.gradebook.policy import Mark
from grading.gradebook.spreadsheets import assignment_title
from grading.semester.course import Course, Standing
from grading.storage.tables import table_text

_TOTAL = "Course total"


def course_csv(standings: Sequence[Standing], chapters: Sequence[int]) -> str:
    """A table with the points and percentage of each chapter, late days, and the weighted total."""
    rows = [
        {
            **_identity(standing),
            "total": standing.total,
            **{
                f"chapter {number}{what}": value
                for number in chapters
                for what, value in _cells(standing.marks[number]).items()
            },
            "left_out": " ".join(map(str, sorted(standing.left_out))),
        }
        for standing in standings
    ]
    cells = [f"chapter {number}{what}" for number in chapters for what in _cells(None)]
    return table_text(["student", "id", "email", "section", "total", *cells, "left_out"], rows)


def canvas_csv(course: Course, standings: Sequence[Standing], chapters: Sequence[int]) -> str:
    """A gradebook for Canvas's "Import Grades": an assignment for each chapter, and for the total if all are there.

    Without a submission, or with several that claim to be the student's, the cell is empty, and Canvas ignores it. In
    the second case, the total is empty, too.
    """
    people = course.people
    total = [_TOTAL] if len(chapters) == len(course.settings.chapters) else []
    columns = ["Student", *CANVAS, "Section"]
    titles = {number: assignment_title(chapter(number)) for number in chapters}
    possible = {number: _out_of(standings, number) for number in chapters}
    rows: list[dict[str, Any]] = [
        {
            "Student": "    Points Possible",
            **{titles[number]: format_points(possible[number]) for number in chapters},
            **dict.fromkeys(total, "100"),
        }
    ]
    for standing in standings:
        member = people.members.get(standing.person.id)
        rows.append(
            {
                "Student": standing.person.name or standing.student,
                **dict(zip(CANVAS, _canvas_ids(standing, member), strict=True)),
                "Section": standing.person.section,
                **{titles[number]: _points(standing.marks[number]) for number in chapters},
                **dict.fromkeys(total, "" if standing.is_contested else format_points(standing.total)),
            }
        )
    return table_text([*columns, *titles.values(), *total], rows)


def _identity(standing: Standing) -> dict[str, str]:
    person = standing.person
    return {"student": standing.student, "id": person.id, "email": person.email, "section": person.section}


def _cells(mark: Mark | None) -> dict[str, Any]:
    return {
        "": _points(mark),
        " of": format_points(mark.out_of) if mark else "",
        " late_days": mark.late.days if mark and mark.late else "",
        " penalty": format_points(mark.penalty) if mark and mark.penalty else "",
    }


def _points(mark: Mark | None) -> str:
    return mark.cell if mark else ""


def _out_of(standings: Sequence[Standing], number: int) -> float:
    return next((mark.out_of for standing in standings if (mark := standing.marks[number])), 0.0)


def _canvas_ids(standing: Standing, member: Member | None) -> tuple[str, str, str]:
    """The student's cells of `CANVAS`: those of the roster if it is Canvas's gradebook."""
    if member and member.canvas:
        return member.canvas
    numbers = [name.partition(":")[2] for name in standing.person.known_as if name.startswith("canvas:")]
    number = numbers[0] if len(numbers) == 1 else ""
    return (number, member.id, member.login) if member else (number, "", "")
