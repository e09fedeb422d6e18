"""Answers written in other ways: what each way does to code, and that all of them get full marks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grading.lessons.answers import find_answers
from grading.lessons.lesson import read_lesson
from grading.mutants.rewriting import ALL_TOGETHER, WAYS, rewrites_of
from tests.grading.lessons.tiny_course import write_course


def rewritten(way: str, code: str, signature: str = "a, b") -> str:
    (function,) = ast.parse(f"def f({signature}):\n    {code}").body
    WAYS[way](function)
    return "\n".join(ast.unparse(ast.fix_missing_locations(line)) for line in function.body)


@pytest.mark.parametrize(
    ("way", "code", "expected"),
    [
        ("other names", "c = a; return c + b", "my_c = a\nreturn my_c + b"),
        ("einsum for matmul", "return ops.matmul(a, b)", "return ops.einsum('...ij,...jk->...ik', a, b)"),
        ("keywords in another order", "return a(b, c=1, d=2)", "return a(b, d=2, c=1)"),
        ("lists for tuples", "return ops.reshape(a, (-1, 2)), (*a, b)", "return [ops.reshape(a, [-1, 2]), (*a, b)]"),
        ("comparisons and products the other way round", "return a < b * 2", "return 2 * b > a"),
        (
            "loops for comprehensions",
            "return [c + 1 for c in a if c]",
            "kept_2 = []\nfor c in a:\n    if c:\n        kept_2.append(c + 1)\n"
            "collected_1 = kept_2\nreturn collected_1",
        ),
        (
            "while for for",
            "for c in a: b(c)",
            "rest_1 = iter(a)\nwhile True:\n    try:\n        c = next(rest_1)\n    except StopIteration:\n"
            "        break\n    b(c)",
        ),
        ("the other case first", "return a if b else 0", "return 0 if not b else a"),
        ("assignments spelled out", "a += b", "a = a + b"),
        ("assignments spelled out", "self.a = b", "setattr(self, 'a', b)"),
        ("a name for what comes between", "return a(b(1))", "first_2 = b(1)\nanswer_1 = a(first_2)\nreturn answer_1"),
        ("helpers", "return a + b", "def helper_1():\n    return a + b\nreturn helper_1()"),
        (
            "a static method",
            "return a + b",
            "class Parts:\n\n    @staticmethod\n    def answer(a, b):\n        return a + b\n"
            "return Parts.answer(a=a, b=b)",
        ),
    ],
)
def test_rewrites_of_a_piece_of_code(way: str, code: str, expected: str) -> None:
    assert rewritten(way, code) == expected


def test_arguments_in_a_data_class_are_those_that_nothing_else_is_called() -> None:
    assert rewritten("a data class for the arguments", "a = a + b; return a").endswith("a = a + given.b\nreturn a")


def test_a_case_that_returns_gets_an_else() -> None:
    function = ast.parse("def f(a):\n    if a: return 1\n    b = 2\n    return b").body[0]
    WAYS["the other case first"](function)
    assert ast.unparse(function.body[0]) == "if not a:\n    b = 2\n    return b\nelse:\n    return 1"


def test_every_answer_is_written_in_several_ways(tmp_path: Path) -> None:
    teaching = find_answers(read_lesson(write_course(tmp_path)), tmp_path)
    for answer in teaching.answers:
        made = {one.change: one.source for one in rewrites_of(teaching, answer)}
        assert len(made) > 5
        assert all(map(ast.parse, made.values()))
        assert made[ALL_TOGETHER] not in [source for change, source in made.items() if change != ALL_TOGETHER]
