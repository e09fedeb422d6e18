"""The questions for a defence are about lines that the student wrote, and what they propose is another meaning."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.made_class import ATTENTION, LAYER, SPLIT, made_record, write_records
from grading.classroom.own_code import own_code
from grading.classroom.submission_record import SubmissionRecord
from grading.cli import app
from grading.exercises.registry import chapter
from grading.exercises.solutions import SOLUTIONS
from grading.mutants.defence import QUESTIONS, Question, questions
from grading.submission import Person

NAMES = list(chapter(3).exercises)


def record(student: str, style: int = 0) -> SubmissionRecord:
    """A student whose solutions are the course's own in one of their styles."""
    sources = {name: SOLUTIONS[name][style].source for name in NAMES}
    code = {name: own_code(source, set(NAMES) - {name}) for name, source in sources.items()}
    return made_record(student, code=code)


@pytest.mark.parametrize("style", range(5))
def test_questions_are_about_lines_of_the_code_and_propose_code_that_differs(style: int) -> None:
    made = record("ada", style)
    asked = questions(made)
    assert len(asked) == QUESTIONS
    assert len({question.kind for question in asked}) == QUESTIONS
    for question in asked:
        lines = made["code"][question.exercise].split("\n")
        assert lines[question.line - 1].strip() == question.code
        lines[question.line - 1] = lines[question.line - 1].replace(question.code, question.other)
        changed = ast.unparse(ast.parse("\n".join(lines)))
        assert changed != ast.unparse(ast.parse(made["code"][question.exercise]))


def test_the_same_code_gives_the_same_questions_and_another_student_may_get_others() -> None:
    assert questions(record("ada")) == questions(record("ada"))
    assert len({tuple(questions(record(f"student{number}"))) for number in range(8)}) > 1


def test_the_division_and_the_axis_of_attention_are_asked_about() -> None:
    code = (
        "def scaled_dot_product_attention(query, key, value, mask=None):\n"
        "    scores = ops.matmul(query, key) / 8.0\n"
        "    weights = ops.softmax(scores, axis=-1)\n"
        "    return ops.where(mask, weights, 0.0)\n"
    )
    found = {question.kind: question for question in questions(made_record("ada", code={ATTENTION: code}))}
    assert found["division"].other == "scores = ops.matmul(query, key)"
    assert found["axis"].other == "weights = ops.softmax(scores, axis=-2)"
    assert found["mask"].other == "return ops.where(mask, 0.0, weights)"
    assert "Why is this divided?" in found["division"].text() and "line 2" in found["division"].text()


def test_what_the_lesson_gives_is_not_asked_about() -> None:
    given = "    def get_config(self):\n        return {**super().get_config(), 'a': 1 / 2}\n"
    written = (
        "    def call(self, inputs):\n        return inputs / 3.0\n    def own(self, x):\n        return x / 4.0\n"
    )
    asked = questions(made_record("ada", code={LAYER: f"class MultiHeadAttention(Layer):\n{given}{written}"}))
    assert {question.line for question in asked} <= {5, 7} and asked


@pytest.mark.parametrize(
    "code",
    [
        "def split_heads(x, num_heads):\n    raise NotImplementedError",
        "def split_heads(:",
        "",
        "x = " + "(" * 5_000,
        "split_heads = lambda x: x / 2",
    ],
)
def test_code_without_a_place_to_ask_about_gives_no_question(code: str) -> None:
    assert questions(made_record("ada", code={SPLIT: code})) == []


def test_an_accent_before_the_place_does_not_move_it() -> None:
    code = 'def split_heads(x, num_heads):\n    return {"größe": x / 2}\n'
    (question,) = [one for one in questions(made_record("ada", code={SPLIT: code})) if one.kind == "division"]
    assert question == Question(SPLIT, 2, 'return {"größe": x / 2}', "division", 'return {"größe": x}')


def test_the_command_shows_three_questions_for_one_student(tmp_path: Path) -> None:
    ada = {**record("ada"), "person": made_record("ada", person=Person("x", "Ada", "1815"))["person"]}
    write_records(tmp_path, [ada, made_record("bob")])  # type: ignore[list-item]
    for name in ("Ada", "1815"):
        done = CliRunner().invoke(app, ["defence", str(tmp_path), name])
        assert done.exit_code == 0, done.output
        assert done.output.count("What would change if the line read as follows") == 3
    for name, complaint in {"Adda": "did you mean Ada", "zzz": "no students in", "bob": "no code of bob"}.items():
        assert complaint in str(CliRunner().invoke(app, ["defence", str(tmp_path), name]).exception)
