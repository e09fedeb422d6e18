"""A definition is cut out with what a kernel would give it, whatever else in the lesson has its helper's name."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from grading.exercises.registry import chapters
from grading.exercises.solutions import SOLUTIONS
from grading.extraction import ExerciseSource, extract
from grading.extraction.cells import parse, parse_cells
from grading.extraction.scopes import names_of
from grading.judging.expectations import LiveExpectations
from grading.judging.verdict import judge_exercise
from grading.lessons.notebook import make_notebooks
from grading.release.library import lesson_of
from grading.sandbox.interpreter import Interpreter
from grading.storage.project import PROJECT
from grading.submission import Cell, Notebook
from grading.submission.cell_ids import exercise_cell_id

EXERCISES = [
    (1, "learn_bpe"), (3, "padding_mask"), (8, "accuracy"), (9, "alibi_slopes"), (11, "span_mask"),
    (12, "entities_of"), (12, "viterbi"), (13, "best_threshold"), (15, "select_layers"),
]  # fmt: skip
JUDGED = [
    (12, "viterbi", "article"), (12, "viterbi", "text"), (12, "viterbi", "first_sentences"),
    (3, "padding_mask", "attention"),
]  # fmt: skip
HELPER = "a_helper_of_mine"


@cache
def lesson(number: int) -> tuple[Cell, ...]:
    _, solved = make_notebooks(lesson_of(number, PROJECT))
    return tuple(Cell(cell.id, cell.cell_type, cell.source, index) for index, cell in enumerate(solved.cells, 1))


@cache
def solution(name: str) -> str:
    """The source of a right solution that works only with its own value of a global."""
    text = SOLUTIONS[name][0].source
    tree = ast.parse(text)
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    lines = text.split("\n")
    lines.insert(function.body[0].lineno - 1, f"    assert {HELPER}['mine'] == 1")
    lines.insert(function.lineno - 1, f"{HELPER} = {{'mine': 1}}\n\n")
    return "\n".join(lines)


def cut(number: int, name: str, helper: str) -> ExerciseSource:
    """What is cut out of a solved notebook in which the helper of one solution has another name."""
    source = solution(name).replace(HELPER, helper)
    exercises = {each: exercise_cell_id(each) for each in chapters()[number].exercises}
    cells = tuple(
        Cell(cell.id, cell.kind, source, cell.index) if cell.id == exercises[name] else cell for cell in lesson(number)
    )
    return extract(Notebook("a.ipynb", cells, 3, (), ""), exercises).exercises[name]


def names_of_the_lesson(number: int, name: str) -> set[str]:
    """What other cells bind, without the exercises and what the solution itself has to do with."""
    code = [cell for cell in lesson(number) if cell.kind == "code" and cell.id != exercise_cell_id(name)]
    parsed, _, _ = parse_cells(code, ())
    own = parse(cut(number, name, HELPER).source)
    assert isinstance(own, ast.Module)
    words = set(re.findall(r"\w+", ast.unparse(own)))
    return (
        set().union(*(names_of(each.tree.body).binds for each in parsed)) - words - chapters()[number].exercises.keys()
    )


@pytest.mark.parametrize(("number", "name"), EXERCISES)
def test_a_helper_with_the_name_of_a_demo_is_still_the_helper(number: int, name: str) -> None:
    names = names_of_the_lesson(number, name)
    wanted = cut(number, name, HELPER).source
    assert len(names) > 5
    wrong = {each for each in names if cut(number, name, each).source != wanted.replace(HELPER, each)}
    assert not wrong


@pytest.mark.parametrize(("number", "name", "helper"), JUDGED)
def test_renamed_globals_get_full_marks(number: int, name: str, helper: str, tmp_path: Path) -> None:
    of = chapters()[number]
    assert helper in names_of_the_lesson(number, name)
    session = Interpreter(tmp_path)
    session.perform({"op": "define", "source": cut(number, name, helper).source, "origin": name})
    result = judge_exercise(of.exercises[name], session, LiveExpectations(of, secret=b"tests"))
    assert result.passed, [each.difference for each in result.checks]
