"""An answer that the grader could not hold as an array is refused before it becomes one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grading.sandbox.answers import check_answer
from grading.sandbox.errors import BadAnswer
from grading.sandbox.values import Object

_MOST = 1 << 20
_TEXT = "a" * 20_000


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([_TEXT] + [""] * 20, id="texts of which one is long"),
        pytest.param([[["", _TEXT]] * 10] * 10, id="texts in lists"),
        pytest.param({"a": [1, {"b": (_TEXT, *range(20))}]}, id="a text among numbers, deep in a dictionary"),
        pytest.param([np.zeros(1000, "int8"), [_TEXT] + [0] * 999], id="a text among the numbers of arrays"),
        pytest.param([np.zeros(9000, "int8"), [None] * 9000], id="nothing among the numbers of arrays"),
        pytest.param([np.zeros(9000, "int8"), [Object(1)] * 9000], id="objects among the numbers of arrays"),
        pytest.param(np.zeros((0, 1 << 40)), id="no numbers, but places for them without end"),
        pytest.param(_TEXT * 20, id="a text"),
    ],
)
def test_what_is_too_large_as_an_array_is_refused(answer: Any) -> None:
    with pytest.raises(BadAnswer, match="as an array"):
        check_answer(answer, _MOST)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([["layer/kernel", np.zeros((300, 400))], ["layer/bias", np.zeros(400)]], id="weights"),
        pytest.param([np.zeros(100_000, "uint8"), "MultiHeadAttention"], id="a saved layer"),
        pytest.param(list(range(100_000)), id="numbers"),
        pytest.param([["token", (0, 5)]] * 8000, id="words and where they stand"),
        pytest.param([_TEXT, list(range(5000))], id="a text and its ids"),
        pytest.param([[], (), {}, None, 1.5, True, np.zeros((0, 6)), Object(3)], id="little of everything"),
    ],
)
def test_what_right_code_returns_passes(answer: Any) -> None:
    check_answer(answer, _MOST)


@pytest.mark.parametrize(
    "answer", [["a", ""], [1, "a"], [[1, 2], ["a", None]], [np.zeros(3, "int8"), [1.0, "ab", 2]], [np.ones((2, 3))] * 4]
)
def test_an_array_is_no_larger_than_it_was_taken_for(answer: Any) -> None:
    check_answer(answer, np.asarray(answer).nbytes * 40)
    with pytest.raises(BadAnswer):
        check_answer(answer, np.asarray(answer).nbytes - 1)
