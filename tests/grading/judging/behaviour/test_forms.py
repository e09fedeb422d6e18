"""Answers of another form, normalizations that are missing, and functions of single numbers, seen in arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.axes import argument_name, axes_of, axes_returned
from grading.judging.behaviour.examples import examples
from grading.judging.behaviour.forms import forms
from grading.judging.behaviour.normalised import normalised
from grading.judging.exercise import Exercise
from grading.judging.proxies import LIST_OF_DTYPES

NUMBERS = np.random.RandomState(0).normal(size=(3, 4))
MASK = np.array([[True, False, True, True], [False] * 4, [True] * 4])


@pytest.mark.parametrize(
    ("name", "given", "wanted", "words"),
    [
        ("the gradient by the query", None, NUMBERS, "No gradient comes back to `query`"),
        ("the gradient by the query", 0 * NUMBERS, NUMBERS, "No gradient comes back to `query`"),
        ("the length of the gradient by the weights", 0.0, 3.5, "No gradient reaches the weights"),
        ("the result", None, NUMBERS, "Nothing is returned."),
        ("", (NUMBERS > 0).astype("int32"), NUMBERS > 0, "their dtype is int32 instead of bool"),
        ("", np.where(NUMBERS > 0, NUMBERS, np.nan), NUMBERS, "NaN comes back where numbers are wanted."),
        ("", np.where(NUMBERS > 0, NUMBERS, np.inf), NUMBERS, "Infinity comes back where numbers are wanted."),
        (LIST_OF_DTYPES, ["float32", "bool"], ["float16", "bool"], "What comes back is float32; it should be float16."),
        ("", np.where(MASK.any(1, keepdims=True), NUMBERS, np.nan), NUMBERS, "`mask` is False throughout"),
    ],
)
def test_another_form_has_a_sentence(name: str, given: Any, wanted: Any, words: str) -> None:
    (seen,) = forms(Pair(name, given, wanted, 1e-5, inputs={"mask": MASK}))
    assert words in seen.sentence


def test_other_numbers_of_the_right_form_have_none() -> None:
    assert forms(Pair("the gradient by the query", NUMBERS + 1, NUMBERS, 1e-5)) == {}
    assert forms(Pair("", NUMBERS > 0, NUMBERS < 0, 1e-5)) == {}
    assert forms(Pair("", (NUMBERS > 0).astype("int32"), NUMBERS < 0, 1e-5)) == {}


def layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    return gamma * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + beta


def test_a_normalization_is_seen_through_its_weights() -> None:
    random = np.random.RandomState(1)
    x, inner, outer = (random.normal(size=shape) + 2 for shape in ((2, 5, 8), (2, 8), (2, 8)))
    parameters = {"one/gamma": inner[0], "one/beta": inner[1], "two/gamma": outer[0], "two/beta": outer[1]}
    one, two = layer_norm(x, *inner), layer_norm(x, *outer)
    said = {
        "is not normalised by `one`": (x, one),
        "is normalised by `two`; it should be by `one`": (two, one),
        "is normalised by `one`, and should not be": (one, one + x),
    }
    for words, (given, wanted) in said.items():
        (seen,) = normalised(Pair("", given, wanted, 1e-5), parameters)
        assert words in seen.sentence
    assert normalised(Pair("", layer_norm(x**2, *inner), one, 1e-5), parameters) == {}
    assert normalised(Pair("", x, x + 1, 1e-5), parameters) == {}
    assert normalised(Pair("", np.where(np.arange(5)[:, None] < 3, one, 0), one, 1e-5), parameters) == {}


def test_of_a_function_of_single_numbers_one_is_shown() -> None:
    x = np.linspace(-3, 3, 60).reshape(3, 20)
    (seen,) = examples(Pair("", np.maximum(x, 0), np.tanh(x), 1e-5, inputs={"x": x}))
    assert seen.sentence.startswith("Of 0.9661 it makes 0.9661; wanted 0.747.")
    mixed = x - x.mean(axis=0)
    assert examples(Pair("", mixed, np.sort(mixed)[:, ::-1] * 9, 1e-5, inputs={"x": x})) == {}


def attend(query: Any, mask: Any = None, *, training: bool = False) -> Any:
    """Attends.

    Args:
        query: floats, (..., query_length, head_dim).
        mask: boolean, True where attention is allowed, and of a shape that broadcasts to
            (batch, query_length).
        training: whether to drop.

    Returns:
        (..., query_length, value_dim), and (batch, query_length).
    """


def test_axes_are_called_as_the_docstring_calls_them() -> None:
    exercise = Exercise("attend", "nowhere")
    exercise.__dict__["reference"] = attend
    assert [argument_name(exercise, place) for place in ("0", "1", "mask", "0.token_ids", "7")] == [
        "query",
        "mask",
        "mask",
        "token_ids",
        "argument 7",
    ]
    assert axes_of(exercise, "query", 3) == ["", "query_length", "head_dim"]
    assert axes_of(exercise, "mask", 2) == ["batch", "query_length"]
    assert axes_of(exercise, "training", 1) == [""]
    assert axes_returned(exercise, 3, None) == ["", "query_length", "value_dim"]
    assert axes_returned(exercise, 2, None) == ["", ""]  # either of the two
    assert axes_returned(exercise, 2, 1) == ["batch", "query_length"]
