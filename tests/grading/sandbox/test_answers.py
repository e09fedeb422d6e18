"""What becomes of an answer: plain values, or a refusal before the grader holds it as an array that is too large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grading.sandbox.answers import check_answer
from grading.sandbox.errors import BadAnswer
from grading.sandbox.interpreter import Interpreter
from grading.sandbox.values import Object
from grading.sandbox.wire import encode

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


def returned(answer: str, scratch: Path) -> Any:
    """What a function gives that returns this expression."""
    session = Interpreter(scratch)
    source = f"import collections, numpy as np\ndef given():\n    return {answer}\n"
    session.perform({"op": "define", "source": source, "origin": "cell 1"})
    return session.perform({"op": "call", "target": "given", "args": [], "kwargs": {}})


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("list(np.array(['O', 'B-place']))", ["O", "B-place"]),
        ("np.random.default_rng(1).choice(['a'])", "a"),
        ("collections.defaultdict(list, loss=[0.5])", {"loss": [0.5]}),
        ("collections.OrderedDict(kinds=collections.Counter('aab'))", {"kinds": {"a": 2, "b": 1}}),
    ],
)
def test_texts_of_numpy_and_dictionaries_of_collections_become_plain(answer: str, wanted: Any, tmp_path: Path) -> None:
    plain = returned(answer, tmp_path)
    assert repr(plain) == repr(wanted)
    encode(plain)


def test_an_own_kind_of_dictionary_is_not_read(tmp_path: Path) -> None:
    assert isinstance(returned("type('Own', (dict,), {'items': None})(a=1)", tmp_path), Object)


@pytest.mark.parametrize("answer", ["np.array(['O'])", "np.array([1j])", "np.array([b'O'])", "np.ones(2, '>f8')"])
def test_an_array_that_may_not_pass_is_refused_in_a_notebook_too(answer: str, tmp_path: Path) -> None:
    with pytest.raises(BadAnswer, match="may not pass"):
        returned(answer, tmp_path)
