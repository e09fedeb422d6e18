"""The sample classes of the other chapters than the third, graded in the real sandbox against the manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grading.classroom.grader import SubmissionRecord
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapters
from grading.sample_class.make import FOLDER, sample_class

pytestmark = pytest.mark.long

MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
# Chapter 3 has a larger class, which `test_classroom` grades.
OTHERS = [of for of in chapters().values() if of.number != 3]


def told(record: SubmissionRecord) -> dict[str, str]:
    """The likeliest mistake of each exercise."""
    named = {exercise["name"]: exercise["mistakes"] for exercise in record["exercises"]}
    return {name: mistakes[0]["sentence"] for name, mistakes in named.items() if mistakes}


def test_the_files_are_what_their_sources_give() -> None:
    files = sample_class()
    for path, content in files.items():
        assert (FOLDER / path).read_text(encoding="utf-8") == content, (
            f"{path}: run python -m grading.sample_class.make"
        )
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("submissions/**/*.*")}
    assert there == files.keys() - {"manifest.json"}


@pytest.mark.parametrize("of", OTHERS, ids=lambda of: of.slug)
def test_a_class_has_a_right_student_two_with_mistakes_and_one_half_done(of) -> None:
    students = MANIFEST[of.slug].values()
    assert len(students) >= 5
    assert any(expected["points"] == of.points for expected in students)
    assert sum(bool(expected["mistakes"]) for expected in students) >= 2
    assert any(0 in expected["exercises"].values() and not expected["mistakes"] for expected in students)


@pytest.mark.parametrize("of", OTHERS, ids=lambda of: of.slug)
def test_every_student_gets_what_the_manifest_says(of, tmp_path: Path) -> None:
    records = grade_class(FOLDER / "submissions" / of.slug, Results(tmp_path, of.number))
    expected = MANIFEST[of.slug]
    assert [record["student"] for record in records] == sorted(expected)
    for record in records:
        student = expected[record["student"]]
        earned = {exercise["name"]: exercise["earned"] for exercise in record["exercises"]}
        assert (record["student"], earned) == (record["student"], student["exercises"])
        assert record["earned"] == student["points"]
        assert told(record) == student["mistakes"]
        if not record["crashes"]:  # what ends a process is pointed out, too
            assert record["flags"] == []
