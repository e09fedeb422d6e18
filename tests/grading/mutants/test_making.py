"""Mutants change what they should, and each names its change."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grading.lessons.answers import find_answers
from grading.lessons.lesson import read_lesson
from grading.mutants.making import Mutant, mutants_of
from grading.mutants.operators import Scope, only_validates, reordered, replacements
from tests.grading.lessons.tiny_course import write_course


def made_of(text: str, names: tuple[str, ...] = (), attributes: tuple[str, ...] = ()) -> set[str]:
    """The replacements of an expression or statement, but not of its parts."""
    (node,) = ast.parse(text).body
    whole = node.value if isinstance(node, ast.Expr) else node
    scope = Scope(names, attributes)
    return {ast.unparse(ast.fix_missing_locations(one)) for one in (*replacements(whole, scope), *reordered(whole))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a - b", {"a", "b", "a + b", "b - a"}),
        ("-a", {"a"}),
        ("a and b and c", {"a or b or c", "b and c", "a and c", "a and b"}),
        ("a <= b", {"a < b", "a >= b"}),
        ("a != b", {"a == b", "a > b"}),
        ("a is None", {"a is not None", "not a"}),
        ("a is not None", {"a is None", "a"}),
        ("a if b else c", {"a", "c"}),
        ("3", {"4", "2", "-3", "0"}),
        ("True", {"False"}),
        ("0.5", {"1.0", "-0.5", "0.0"}),
        ("'float32'", {"'float16'", "'float64'"}),
        ("'##'", {"''", "'##x'"}),
        ("f(a, b, axis=c)", {"a", "f(b, axis=c)", "f(a, axis=c)", "f(b, a, axis=c)", "f(a, b)"}),
        ("self.dropout(a)", {"a", "self.dropout()", "self.dropout(self.dropout(a))"}),
        ("a.strip()", {"a"}),
        ("ops.not_equal(a, b)", {"a", "ops.not_equal(a)", "ops.not_equal(b)", "ops.equal(a, b)", "ops.greater(a, b)"}),
        ("sum(a)", {"a", "sum()", "mean(a)"}),
        ("self.dtype_policy", {"self.compute_dtype"}),
        ("a[1:b]", {"a", "a[:b]", "a[1:]"}),
        ("(a, b)", {"(b, a)", "(b,)", "(a,)"}),
        ("a = b", {"pass"}),
        ("a += b", {"a -= b", "a = b", "pass"}),
        ("continue", {"break", "pass"}),
        ("for a in b:\n    c", {"for a in list(b)[1:]:\n    c"}),
        ("if a:\n    b", {"if True:\n    b", "if False:\n    b", "if not a:\n    b"}),
    ],
)
def test_replacements_of_a_piece_of_code(text: str, expected: set[str]) -> None:
    assert made_of(text) == expected


def test_names_and_sublayers_are_exchanged_for_others_in_scope() -> None:
    assert made_of("key", ("query", "key", "value")) == {"query", "value"}
    assert made_of("self.key", (), ("query", "key")) == {"self.query"}
    assert made_of("elsewhere", ("query", "key")) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if a:\n    raise b", True),
        ("if a:\n    said = b\n    raise c(said)", True),
        ("if a:\n    f(b)\n    raise c", False),
        ("if a:\n    b = c", False),
        ("require_sizes(a=b)", True),
        ("sizes(a=b)", False),
    ],
)
def test_statements_that_only_validate(text: str, expected: bool) -> None:
    assert only_validates(ast.parse(text).body[0]) is expected


def test_statements_change_places() -> None:
    assert made_of("with a:\n    b\n    c\n    d") == {
        "with a:\n    c\n    b\n    d",
        "with a:\n    b\n    d\n    c",
    }


@pytest.fixture
def mutants(tmp_path: Path) -> dict[str, list[Mutant]]:
    teaching = find_answers(read_lesson(write_course(tmp_path)), tmp_path)
    return {answer.task.name: mutants_of(teaching, answer) for answer in teaching.answers}


def test_only_what_a_student_writes_is_changed(mutants: dict[str, list[Mutant]]) -> None:
    functions = {name: {one.change.partition(":")[0] for one in made} for name, made in mutants.items()}
    whole = {
        "changes the arrays and lists that it is given",
        "is right in its first call only",
        "takes digits to be 3 always",
    }
    assert whole | {"centered"} <= functions["centered"]
    assert {name for name in functions["centered"] if " " not in name} == {"centered"}
    assert {name for name in functions["Scaler"] if " " not in name} == {"fit", "_spread", "_squares", "_floored"}


def test_a_mutant_names_its_only_change(mutants: dict[str, list[Mutant]]) -> None:
    for name, made in mutants.items():
        assert len({one.change for one in made}) == len({one.source for one in made}) == len(made) > 15
        for mutant in made:
            assert mutant.exercise == name
            ast.parse(mutant.source)
    changes = {one.change: one.source for one in mutants["centered"]}
    source = changes["centered: middle = _mean(values) -> middle = values"]
    assert "    middle = values\n" in source
    assert "return max(spread, _EPSILON)" in source
    assert not any("subtract the mean" in change or "Example" in change for change in changes)
