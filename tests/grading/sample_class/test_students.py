"""What the students of the sample classes write comes from known mistakes, right solutions or `answers`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grading.errors import GradingError
from grading.exercises.registry import chapter, chapters
from grading.exercises.students import change, mistake
from grading.judging.exercise import Chapter
from grading.sample_class.make import students, submissions
from grading.storage.project import PROJECT

CAUSAL = '''def causal_mask(length):
    """>= is explained here."""
    positions = ops.arange(length)
    return positions[:, None] >= positions[None, :]  # >= again
'''


def test_a_mistake_changes_the_code_and_the_student_is_told_its_sentence() -> None:
    wrote = mistake("A query does not see itself.")
    assert wrote.told == "A query does not see itself."
    assert wrote.code(chapter(3), "causal_mask", CAUSAL).splitlines() == [
        "def causal_mask(length):",
        "    positions = ops.arange(length)",
        "    return positions[:, None] > positions[None, :]",
    ]


def test_a_mistake_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(GradingError, match=r"no change of causal_mask makes the mistake 'Unheard of\.'"):
        mistake("Unheard of.").code(chapter(3), "causal_mask", CAUSAL)


def test_a_change_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(GradingError, match="a student's causal_mask: '>=' stands 3 times in the code"):
        change({">=": ">"}).code(chapter(3), "causal_mask", CAUSAL)


@pytest.mark.parametrize("of", chapters().values(), ids=lambda of: of.slug)
def test_every_answer_in_a_file_is_in_a_submission(of: Chapter) -> None:
    files = (PROJECT / "grading" / "exercises" / of.package / "answers").glob("*.py")
    cells = {source for path in submissions(of.number).glob("*.ipynb") for source in sources_of(path)}
    assert [path.name for path in files if path.read_text(encoding="utf-8") not in cells] == []


@pytest.mark.parametrize("of", chapters().values(), ids=lambda of: of.slug)
def test_students_are_about_exercises_of_the_chapter(of: Chapter) -> None:
    for student in students(of):
        assert {*student.wrote, *student.lost} <= of.exercises.keys(), student.name


def sources_of(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
