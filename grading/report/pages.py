"""The pages of a graded class: one for each student, and one for the instructor."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from grading.exercise import Chapter
from grading.files import write_whole
from grading.grader import SubmissionRecord
from grading.report.card import environment
from grading.results import page_name


class _Student(NamedTuple):
    record: SubmissionRecord
    page: str
    reasons: list[str]


def write_pages(folder: Path, chapter: Chapter, records: list[SubmissionRecord]) -> Path:
    """Writes `index.html` and a page for each student, and returns the path of the first.

    Raises:
        GradingError: they cannot be written.
    """
    students = [_student(record) for record in records]
    for student in students:
        write_whole(folder / student.page, _render("student.html", record=student.record))
    index = folder / "index.html"
    write_whole(
        index,
        _render(
            "class.html",
            chapter=chapter,
            students=students,
            look=[student for student in students if student.reasons],
            mean=round(sum(record["earned"] for record in records) / len(records), 1),
            mistakes=_mistakes(records),
            exercises=[_exercise(name, records) for name in chapter.exercises],
        ),
    )
    return index


def _render(template: str, **values: Any) -> str:
    return environment().get_template(template).render(**values)


def _student(record: SubmissionRecord) -> _Student:
    reasons = [record["problem"]] if record["problem"] else []
    reasons += record["flags"]
    for exercise in record["exercises"]:
        reasons += [f"{exercise['name']} calls {name}" for name in exercise["ready_made"]]
    reasons += record["notes"]
    return _Student(record, f"students/{page_name(record['student'])}.html", reasons)


def _mistakes(records: list[SubmissionRecord]) -> list[dict[str, Any]]:
    counts = Counter(
        (exercise["name"], mistake["sentence"])
        for record in records
        for exercise in record["exercises"]
        for mistake in exercise["mistakes"]
    )
    return [
        {"exercise": exercise, "sentence": sentence, "count": count}
        for (exercise, sentence), count in counts.most_common()
    ]


def _exercise(name: str, records: list[SubmissionRecord]) -> dict[str, Any]:
    results = [exercise for record in records for exercise in record["exercises"] if exercise["name"] == name]
    possible = sum(result["points"] for result in results)
    earned = sum(result["earned"] for result in results)
    return {
        "name": name,
        "passed": sum(result["passed"] for result in results),
        "share": round(100 * earned / possible) if possible else 0,
    }
