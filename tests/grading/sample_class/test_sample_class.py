"""The sample classes of the other chapters than the third, graded in the real sandbox against what is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.classroom.submission_record import SubmissionRecord
from grading.exercises.registry import chapters
from grading.sample_class.make import expected, submissions

pytestmark = pytest.mark.long

# Chapter 3 has a larger class, which `test_classroom` grades.
OTHERS = [chapter for chapter in chapters().values() if chapter.number != 3]


def told(record: SubmissionRecord) -> dict[str, str]:
    """The likeliest mistake of each exercise."""
    named = {exercise["name"]: exercise["mistakes"] for exercise in record["exercises"]}
    return {name: mistakes[0]["sentence"] for name, mistakes in named.items() if mistakes}


@pytest.mark.parametrize("of", OTHERS, ids=lambda of: of.slug)
def test_a_class_has_a_right_student_two_with_mistakes_and_one_half_done(of) -> None:
    students = expected(of.number).values()
    assert len(students) >= 5
    assert any(student["points"] == of.points for student in students)
    assert sum(bool(student["mistakes"]) for student in students) >= 2
    assert any(0 in student["exercises"].values() and not student["mistakes"] for student in students)


@pytest.mark.parametrize("of", OTHERS, ids=lambda of: of.slug)
def test_every_student_gets_what_is_expected(of, tmp_path: Path) -> None:
    records = grade_class(submissions(of.number), Results(tmp_path, of.number))
    students = expected(of.number)
    assert [record["student"] for record in records] == sorted(students)
    for record in records:
        student = students[record["student"]]
        earned = {exercise["name"]: exercise["earned"] for exercise in record["exercises"]}
        assert (record["student"], earned) == (record["student"], student["exercises"])
        assert record["earned"] == student["points"]
        assert told(record) == student["mistakes"]
        assert record["student"] == "quentin" or not any(exercise["refused"] for exercise in record["exercises"])
