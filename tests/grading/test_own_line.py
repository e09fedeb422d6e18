"""An observation names the student's own line if its form is known and one line alone has it."""

from __future__ import annotations

import ast

import pytest

from grading.feedback.own_line import own_line
from grading.feedback.record import record
from grading.judging.behaviour.observation import Observation
from grading.judging.exercise import Exercise
from grading.judging.verdict import ExerciseResult

BATCH = "The samples of a batch influence each other: another one in `x` changes the results of the others."
SHARES = "The result sums to 1 over `query`, and not over `key`."


def weigh(*lines: str) -> str:
    return "\n    ".join(["def weigh(x):", *lines, "return x"])


@pytest.mark.parametrize(
    ("sentence", "source", "line"),
    [
        (BATCH, weigh("x = x - ops.mean(x, axis=0)"), "x = x - ops.mean(x, axis=0)"),
        (BATCH, weigh("x = x - x.mean()", "x = ops.softmax(x)"), "x = x - x.mean()"),
        (BATCH, weigh("x = x - ops.mean(x, axis=0)", "x = x / x.std(0)"), ""),
        (BATCH, weigh("x = x - ops.mean(x, axis=-1)", "x = x / x.max(-1)", "x = max(x, 0)"), ""),
        (BATCH, weigh("x = x - ops.mean(x, axis=axes)"), ""),
        (BATCH, "def other(x):\n    return x.mean()\n\n" + weigh(), ""),
        (SHARES, weigh("x = ops.softmax(x, axis=-2)", "x = x - ops.mean(x, axis=0)"), "x = ops.softmax(x, axis=-2)"),
        ("The result is the expected one times 2, everywhere.", weigh("x = ops.softmax(x, axis=-2)"), ""),
        (SHARES, "def weigh(x:", ""),
        (SHARES, weigh("x = ops.softmax(x), '\x1b[2J'"), ""),
        (SHARES, weigh(f"x = ops.softmax(x), {'1' * 200}"), ""),
    ],
)
def test_the_only_line_of_a_known_form_is_shown(sentence: str, source: str, line: str) -> None:
    assert own_line(sentence, source, "weigh") == line


def test_the_line_stands_behind_the_question() -> None:
    result = ExerciseResult(Exercise("weigh", "nowhere"), [], observed=[Observation(BATCH, "Which axis?")])
    (shown,) = record(result, weigh("x = x - ops.mean(x, axis=0)"))["observed"]
    assert shown["hint"] == "Which axis? In your code, look at this line: `x = x - ops.mean(x, axis=0)`"
    assert record(result)["observed"][0]["hint"] == "Which axis?"


def test_a_number_too_long_to_write_is_no_axis() -> None:
    assert own_line(BATCH, weigh(f"x = ops.sum(x, 0x{'f' * 5000})"), "weigh") == ""


def test_calls_in_calls_are_not_written_out_again_for_each_level(monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    unparse = ast.unparse
    monkeypatch.setattr(ast, "unparse", lambda node: written.append(unparse(node)) or written[-1])
    source = weigh(f"x = {'ops.sum(' * 30}[{'1,' * 500}]{', 0)' * 30}")
    assert own_line(BATCH, source, "weigh") == ""
    assert written == ["0"] * 30
