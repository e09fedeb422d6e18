"""Copies are found in any disguise, and independent right solutions are not taken for copies."""

from __future__ import annotations

import ast
import random

import pytest

from grading.classroom.similarity import fingerprints, similar_pairs, starter_fingerprints
from grading.exercises.registry import chapter
from grading.exercises.solutions import SOLUTIONS
from grading.gradebook.course_folder import released_notebook

LAYER = "MultiHeadAttention"
LAYERS = [solution.source for solution in SOLUTIONS[LAYER]]


class _Disguise(ast.NodeTransformer):
    """Other names for everything that a student names, no docstrings, and other numbers."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
        for argument in node.args.args:
            self.names.setdefault(argument.arg, f"x{len(self.names)}")
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if isinstance(node.ctx, ast.Store):
            self.names.setdefault(node.id, f"x{len(self.names)}")
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        node.value = node.value * 2 if isinstance(node.value, float) else node.value
        return node


def disguised(source: str) -> str:
    return ast.unparse(_Disguise().visit(ast.parse(source)))


def with_a_line_more(source: str) -> str:
    """The same with `unused = 1` before every fourth statement of a method."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for place in range(3, len(node.body), 4)[::-1]:
                node.body.insert(place, ast.parse("unused = 1").body[0])
    return ast.unparse(tree)


def pairs_of(sources: dict[str, str], exercise: str = LAYER, starter: set[int] = frozenset()) -> set[tuple[str, str]]:  # type: ignore[assignment]
    solutions = {student: {exercise: fingerprints(source)} for student, source in sources.items()}
    return {(pair.first, pair.second) for pair in similar_pairs(solutions, starter)}


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_right_solutions_of_different_people_are_not_taken_for_copies(exercise: str) -> None:
    assert not pairs_of({solution.style: solution.source for solution in SOLUTIONS[exercise]}, exercise)


@pytest.mark.parametrize("source", LAYERS, ids=[solution.style for solution in SOLUTIONS[LAYER]])
def test_a_copy_is_found_behind_other_names_numbers_and_lines(source: str) -> None:
    others = {f"other{number}": other for number, other in enumerate(LAYERS) if other != source}
    for copy in (disguised(source), with_a_line_more(source), with_a_line_more(disguised(source))):
        assert pairs_of({"ada": source, "bob": copy, **others}) == {("ada", "bob")}


def test_library_names_count_and_own_names_do_not() -> None:
    def prints(text: str) -> list[int]:
        return fingerprints("\n".join(["def f(a, b):", *[f"    c = {text}"] * 3]))

    assert prints("ops.matmul(a, b) * len(a)") == prints("ops.matmul(p, q) * len(r)")
    assert prints("ops.matmul(a, b) * len(a)") != prints("ops.matmul(a, b) * sum(a)")
    assert prints("ops.matmul(a, b) * len(a)") != prints("ops.add(a, b) * len(a)")
    layer = "class Layer:\n    def call(self, a):\n        return {}.query(a) + {}.key(a) * {}.value(a)\n"
    renamed = layer.replace("query", "q").replace("self", "me")
    assert fingerprints(layer.format(*["self"] * 3)) == fingerprints(renamed.format(*["me"] * 3))


def test_a_shared_run_of_nodes_is_always_found() -> None:
    """What winnowing promises (section 3 of the paper): 14 or more nodes in common leave a common fingerprint."""
    dice = random.Random(5)
    for _ in range(50):
        shared = "+".join(f"lib.{dice.choice('abcdefgh')}{dice.randrange(99)}" for _ in range(10))
        first, second = (
            [f"lib.{dice.choice('ijkl')}{dice.randrange(99)} = {dice.random()}" for _ in range(9)] for _ in range(2)
        )
        first.insert(dice.randrange(9), f"x = {shared}")
        second.insert(dice.randrange(9), f"y = {shared}")
        assert set(fingerprints("\n".join(first))) & set(fingerprints("\n".join(second)))


def test_fingerprints_of_starter_and_common_code_are_left_out() -> None:
    given, own = LAYERS[0], LAYERS[1]
    starter = set(fingerprints(given))
    assert not pairs_of({"ada": given, "bob": disguised(given)}, starter=starter)
    assert pairs_of({"ada": given + own, "bob": given + disguised(own)}, starter=starter) == {("ada", "bob")}
    # Seven of ten wrote what the lecture showed; the other three are of their own.
    class_ = {f"student{number}": given for number in range(7)}
    class_ |= {f"zother{number}": other for number, other in enumerate(LAYERS[2:5])}
    assert not pairs_of(class_)


def test_short_and_broken_solutions_are_not_compared() -> None:
    mask = "def causal_mask(n):\n    i = ops.arange(n)\n    return (i[:, None] >= i[None, :])[None, None]\n"
    assert not pairs_of({"ada": mask, "bob": mask}, "causal_mask")
    assert fingerprints("def broken(:") == fingerprints("x = " + "(" * 5_000) == []
    assert fingerprints("x = a.b(c)\n" * 9_000) == fingerprints("x = a.b(c)\n" * 90)  # read to a limit


def test_other_exercises_definitions_do_not_count() -> None:
    both = "def split_heads(x):\n    return x\n\n\n" + LAYERS[0]
    assert fingerprints(both, {"split_heads"}) == fingerprints(LAYERS[0])


def test_the_starter_is_the_code_of_the_released_notebook() -> None:
    starter = starter_fingerprints(chapter(3))
    notebook = released_notebook(chapter(3))
    (cell,) = [cell for cell in notebook.cells if cell.id == "exercise-multi-head-attention"]
    assert starter >= set(fingerprints(cell.source)) != set()
    assert len(set(fingerprints(LAYERS[1])) - starter) > 60  # what a student writes is not in it
