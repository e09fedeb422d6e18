"""A class, of chapter 3 or another one, as the grader would have recorded it, made without grading anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from grading.classroom.results import page_name
from grading.classroom.submission_record import SubmissionRecord, person_of
from grading.exercises.registry import chapter
from grading.feedback.record import CheckRecord, ExerciseRecord
from grading.submission import Person, SubmissionFile

ATTENTION, PADDING, CAUSAL = "scaled_dot_product_attention", "padding_mask", "causal_mask"
SPLIT, MERGE, LAYER = "split_heads", "merge_heads", "MultiHeadAttention"


def made_record(
    student: str,
    lost: dict[str, float] | None = None,
    *,
    mistakes: dict[str, str] | None = None,
    problem: str = "",
    crashes: int = 0,
    fingerprints: dict[str, list[int]] | None = None,
    message: str = "the values differ",
    code: dict[str, str] | None = None,
    person: Person | None = None,
    number: int = 3,
) -> SubmissionRecord:
    """A student's record.

    Args:
        lost: points lost, by exercise; all checks of such an exercise failed but what is left was earned.
        mistakes: the sentence that was said, by exercise.
        message: what a failed check says.
        person: what the download says about the student, where it says more than the name.
        number: the chapter.
    """
    of = chapter(number)
    lost = {name: of.exercises[name].points for name in of.exercises} if problem else lost or {}
    exercises = [
        _exercise(of.exercises[name].points, name, lost.get(name, 0.0), (mistakes or {}).get(name), message)
        for name in of.exercises
    ]
    if problem:
        for exercise in exercises:
            exercise.update({"checks": [], "problem": "not graded"})
    return {
        "student": student,
        "person": person_of(SubmissionFile(student, Path(), person=person or Person())),
        "chapter": number,
        "path": f"{student}.ipynb",
        "sha256": "",
        "submission_sha256": "",
        "problem": problem,
        "notes": [],
        "exercises": exercises,
        "crashes": crashes,
        "fingerprints": fingerprints or {},
        "code": code or {},
        "earned": sum(exercise["earned"] for exercise in exercises),
        "points": of.points,
    }


def _exercise(points: float, name: str, lost: float, mistake: str | None, message: str) -> ExerciseRecord:
    checks: list[CheckRecord] = [
        {"title": "keeps", "points": points - lost, "earned": points - lost, "passed": True, "message": ""},
        {"title": "loses", "points": lost, "earned": 0.0, "passed": False, "message": message},
    ]
    return {
        "name": name,
        "points": points,
        "earned": points - lost,
        "passed": not lost,
        "problem": "",
        "checks": [check for check in checks if check["points"]],
        "mistakes": [{"sentence": mistake, "hint": "Look again."}] if mistake else [],
        "observed": [],
        "refused": [],
        "panels": [],
    }


def write_records(folder: Path, records: Sequence[SubmissionRecord]) -> None:
    """Writes a folder of results that holds these records."""
    for record in records:
        to = folder / "records" / f"{record['chapter']:02d}"
        to.mkdir(parents=True, exist_ok=True)
        (to / f"{page_name(record['student'])}.json").write_text(json.dumps({"key": "", "record": record}))
