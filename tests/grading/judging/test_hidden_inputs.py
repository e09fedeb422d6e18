"""What students are told holds nothing of hidden inputs; a timeout on a busy machine is tried once more."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from grading.exercises.registry import chapter
from grading.judging.expectations import LiveExpectations
from grading.judging.probing import Own, run_probe
from grading.judging.trial import Place, Way
from grading.judging.verdict import ExerciseResult, judge_exercise, judge_ways
from grading.sandbox.errors import StudentTimeout
from grading.sandbox.interpreter import Interpreter

_CELL = """
import numpy as np
def padding_mask(token_ids, padding_id=0):
    {line}
"""


@cache
def live(secret: bytes) -> LiveExpectations:
    return LiveExpectations(chapter(3), secret)


def session(line: str, scratch: Path) -> Interpreter:
    made = Interpreter(scratch)
    made.perform({"op": "define", "source": _CELL.format(line=line), "origin": "cell 1"})
    return made


def judge(line: str, scratch: Path) -> tuple[ExerciseResult, ExerciseResult]:
    """As a grader judges, and as students see it in their notebooks."""
    exercise = chapter(3).exercises["padding_mask"]
    public = Place(session(line, scratch), live(b"public"))
    hidden = judge_ways(exercise, [Way(lambda: Place(session(line, scratch), live(b"hidden")), lambda: public)])
    return hidden, judge_exercise(exercise, *public)


def words(result: ExerciseResult) -> list[str]:
    return [check.difference.message for check in result.checks if check.difference]


def test_what_is_said_is_what_the_notebook_says(tmp_path: Path) -> None:
    for line in (
        "raise ValueError(repr(token_ids))",
        "return token_ids",
        "return (token_ids == padding_id)[:, None, None]",
        "return np.flip(token_ids != padding_id, 1)[:, None, None]",  # which is observed, and no known mistake
        "raise type('died', (Exception,), {})(repr(token_ids))",  # a word that the grader itself has used
        "raise type('overtime', (Exception,), {})(repr(token_ids))",
    ):
        hidden, public = judge(line, tmp_path)
        assert words(hidden) == words(public) != []
        pictures = [[check.difference.given for check in one.checks if check.difference] for one in (hidden, public)]
        np.testing.assert_equal(*pictures)
        assert [mistake.sentence for mistake in hidden.mistakes] == [mistake.sentence for mistake in public.mistakes]
        assert hidden.observed == public.observed
        assert line.startswith("raise type") or bool(hidden.observed) != bool(hidden.mistakes)


def test_who_is_right_for_the_inputs_of_the_notebook_alone_is_told_so(tmp_path: Path) -> None:
    exercise = chapter(3).exercises["padding_mask"]
    usual, other = (live(b"public").reference(exercise, check).value for check in exercise.checks)
    paddings = {
        "the mask": 3,
        "the mask of ids from a large vocabulary": 3,
        "the mask of ids next to a large padding_id": 70_001,
    }
    masks = [(0, mask) for mask in usual.values()]
    masks += [(paddings.get(name, 0), mask) for name, mask in other.items()]
    answers = {(padding_id, *mask.shape[::3]): mask.tolist() for padding_id, mask in masks}
    assert len(answers) == len(masks)
    hidden, public = judge(f"return np.array({answers}[padding_id, *token_ids.shape])", tmp_path)
    assert public.passed
    assert hidden.earned == 0
    assert set(words(hidden)) == {"right for the inputs of the check in the notebook, and wrong for others"}
    assert hidden.mistakes == []


class Busy(Interpreter):
    """Does not answer in time, so many times."""

    def __init__(self, scratch: Path, times: int) -> None:
        super().__init__(scratch, {"padding_mask": chapter(3).exercises["padding_mask"].reference})
        self.times = times

    def perform(self, operation: dict[str, Any], timeout: float | None = None) -> Any:
        if operation["op"] == "call" and self.times:
            self.times -= 1
            raise StudentTimeout(10, machine_was_busy=True)
        return super().perform(operation)


def test_a_timeout_on_a_busy_machine_is_tried_once_more(tmp_path: Path) -> None:
    exercise = chapter(3).exercises["padding_mask"]
    first, second = (run_probe(exercise, exercise.checks[0], Busy(tmp_path, times), b"s") for times in (1, 2))
    assert first.failure is None
    assert second.failure and second.failure.kind is Own.TIMEOUT
