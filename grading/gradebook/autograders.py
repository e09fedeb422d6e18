"""Marks as the result files that Gradescope and PrairieLearn read, one for each student.

References:
    https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
    https://docs.prairielearn.com/externalGrading/#grading-results
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from grading.classroom.results import page_name
from grading.classroom.submission_record import problem_in, translator_of
from grading.feedback.card import Card
from grading.feedback.record import findings
from grading.gradebook.plain_text import late_text
from grading.gradebook.policy import Mark
from grading.messages.stored import by_english
from grading.storage.files import write_file


class _Test(NamedTuple):
    """One check, or an exercise that could not be checked."""

    number: str
    name: str
    earned: float
    points: float
    output: str


def write_results(folder: Path, marks: Iterable[Mark], result: Callable[[Mark], dict[str, Any]]) -> None:
    """Write `STUDENT/results.json` for each student.

    Args:
        result: `gradescope` or `prairielearn`.

    Raises:
        GradingError: a file cannot be written.
    """
    for mark in marks:
        text = json.dumps(result(mark), indent=1, ensure_ascii=False)
        write_file(folder / page_name(mark.student) / "results.json", text + "\n")


def gradescope(mark: Mark, shown: str = "visible") -> dict[str, Any]:
    """The result that Gradescope's harness reads: a total score, so that a late penalty counts, and each exercise.

    Args:
        mark: the mark.
        shown: when the student sees the result, in Gradescope's words.
    """
    return {
        "score": mark.points,
        "output": _remarks(mark),
        "output_format": "text",
        "test_output_format": "html",
        "test_name_format": "text",
        "visibility": shown,
        "stdout_visibility": "hidden",
        "extra_data": {"student": mark.student},
        "tests": [
            {
                "score": exercise["earned"],
                "max_score": exercise["points"],
                "status": "passed" if exercise["passed"] else "failed",
                "name": exercise["name"],
                "number": str(number),
                "output": Card(exercise, translator=translator_of(mark.record)).html(),
                "visibility": shown,
            }
            for number, exercise in enumerate(mark.exercises, 1)
        ],
    }


def prairielearn(mark: Mark) -> dict[str, Any]:
    """The result that PrairieLearn's external grading reads. Its score is a share of the possible points, at most 1."""
    if mark.record["problem"]:
        return {"gradable": False, "format_errors": [mark.record["problem"]], "student": mark.student}
    return {
        "gradable": True,
        "score": round(min(1.0, max(0.0, mark.points / mark.out_of)), 4),
        "message": _summary(mark),
        "student": mark.student,
        "tests": [
            {
                "name": test.name,
                "description": "",
                "points": test.earned,
                "max_points": test.points,
                "message": test.output,
                "output": "",
            }
            for test in _tests(mark)
        ],
    }


def _summary(mark: Mark) -> str:
    """All findings, for a system that shows no card."""
    sentences = [line for exercise in mark.exercises for line in findings(exercise)]
    return "\n".join(filter(None, [*sentences, _remarks(mark)]))


def _remarks(mark: Mark) -> str:
    """What concerns the whole submission."""
    record, said = mark.record, translator_of(mark.record)
    known = by_english(record.get("messages", []))
    notes = [said(known.get(note, note)) for note in record["notes"]]
    return "\n".join(filter(None, [problem_in(record, said), *notes, said(late_text(mark))]))


def _tests(mark: Mark) -> Iterable[_Test]:
    for number, exercise in enumerate(mark.exercises, 1):
        if not exercise["checks"]:
            points = exercise["points"]
            yield _Test(str(number), exercise["name"], exercise["earned"], points, exercise["problem"])
        for place, check in enumerate(exercise["checks"], 1):
            name = f"{exercise['name']}: {check['title']}"
            yield _Test(f"{number}.{place}", name, check["earned"], check["points"], check["message"])
