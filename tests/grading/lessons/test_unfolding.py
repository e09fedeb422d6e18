"""Answers unfold in the notebook, and no lesson asks in these sections what it does not answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.errors import GradingError
from grading.lessons.lesson import find_lessons, read_lesson
from grading.lessons.notebook import make_notebooks
from grading.lessons.unfolding import require_answers, unfolding
from grading.storage.project import PROJECT
from tests.grading.lessons import tiny_course

QUESTIONS = "## Questions to think about\n\n1. Why?\n2. And why not?\n"
BOTH = "\n??? answer 1\nThat is $x$.\n???\n\n??? answer 2\nOne.\n\nAnd two.\n???\n"
BUG = "## Find the bug\n\nWhere is it?\n"


def test_a_block_becomes_what_browsers_unfold() -> None:
    assert unfolding(f"Text.\n{BOTH}\nMore.", "Answer {}".format) == (
        "Text.\n\n<details>\n<summary>Answer 1</summary>\n\nThat is $x$.\n\n</details>\n\n"
        "<details>\n<summary>Answer 2</summary>\n\nOne.\n\nAnd two.\n\n</details>\n\nMore."
    )
    assert "<summary>Only</summary>" in unfolding("??? answer\nThere.\n???", lambda number: number or "Only")


@pytest.mark.parametrize(
    "texts",
    [
        [QUESTIONS + BOTH],
        [BUG, "Look.\n\n??? answer\nThere.\n???\n\n" + QUESTIONS + BOTH],  # code stood between
        ["## Something else\n\n1. One.\n2. Two.\n"],
    ],
)
def test_questions_with_answers_are_accepted(texts: list[str]) -> None:
    require_answers(texts)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([QUESTIONS], "asks 1, 2 and answers nothing"),
        ([QUESTIONS + BOTH.replace("answer 2", "answer 3")], "asks 1, 2 and answers 1, 3"),
        ([BUG], "'Find the bug' asks one thing and answers nothing"),
        (["## Something else\n\n??? answer\nWhy?\n???"], "'Something else' asks nothing and answers one thing"),
        ([BUG + "\n??? answer\nThere."], "has the line '[?]{3} answer'"),
        ([BUG + "\n??? Answer\nThere.\n???"], "has the line '[?]{3} Answer'"),
    ],
)
def test_questions_and_answers_that_do_not_match_are_reported(texts: list[str], message: str) -> None:
    with pytest.raises(GradingError, match=message):
        require_answers(texts)


def test_a_lesson_without_its_answers_is_not_read(tmp_path: Path) -> None:
    path = tiny_course.write_course(tmp_path, lesson=tiny_course.LESSON + f"\n{BUG}")
    with pytest.raises(GradingError, match=r"02_scaling\.md: 'Find the bug' asks one thing"):
        read_lesson(path)


@pytest.mark.parametrize("lesson", find_lessons(PROJECT / "notebooks" / "source"), ids=lambda lesson: lesson.slug)
def test_the_students_notebook_has_answers_for_the_bug_and_for_each_question(lesson) -> None:
    student, _ = make_notebooks(lesson)
    text = "\n".join(cell.source for cell in student.cells if cell.cell_type == "markdown")
    assert text.count("<details>") == text.count("</details>") >= 5
    assert "???" not in text
