"""Wrong dtypes, shapes, gradients and normalizations, NaN, and missing weights each have an observation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from grading.judging.behaviour.observation import Pair
from grading.judging.behaviour.properties import invalid_values, normalization_differences, weight_differences
from grading.judging.proxies import LIST_OF_DTYPES
from tests.grading.judging.behaviour.arrays import SEEDS, numbers, sentences

NUMBERS = np.random.RandomState(0).normal(size=(3, 4))
MASK = np.array([[True, False, True, True], [False] * 4, [True] * 4])


@pytest.mark.parametrize(
    ("name", "given", "expected", "words"),
    [
        ("the gradient by the query", None, NUMBERS, "No gradient reaches `query`"),
        ("the gradient by the query", 0 * NUMBERS, NUMBERS, "No gradient reaches `query`"),
        ("the length of the gradient by the weights", 0.0, 3.5, "No gradient reaches the weights"),
        ("the result", None, NUMBERS, "Nothing is returned."),
        ("", (NUMBERS > 0).astype("int32"), NUMBERS > 0, "their dtype is int32 instead of bool"),
        ("", np.where(NUMBERS > 0, NUMBERS, np.nan), NUMBERS, "The result has NaN where numbers are expected."),
        ("", np.where(NUMBERS > 0, NUMBERS, np.inf), NUMBERS, "The result has infinity where finite numbers are"),
        (LIST_OF_DTYPES, ["float32", "bool"], ["float16", "bool"], "The dtype of the result is float32; it should be"),
        ("", np.where(MASK.any(1, keepdims=True), NUMBERS, np.nan), NUMBERS, "`mask` is False throughout"),
    ],
)
def test_an_invalid_value_is_described(name: str, given: Any, expected: Any, words: str) -> None:
    (seen,) = invalid_values(Pair(name, given, expected, 1e-5, inputs={"mask": MASK}))
    assert words in seen.sentence


def test_wrong_numbers_of_the_right_dtype_are_not_invalid() -> None:
    assert invalid_values(Pair("the gradient by the query", NUMBERS + 1, NUMBERS, 1e-5)) == {}
    assert invalid_values(Pair("", NUMBERS > 0, NUMBERS < 0, 1e-5)) == {}
    assert invalid_values(Pair("", (NUMBERS > 0).astype("int32"), NUMBERS < 0, 1e-5)) == {}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x: x[:, None], "The numbers are right, but the shape is"),
        (lambda x: x.transpose(0, 2, 1), "with its axes in another order"),
        (lambda x: x.reshape(10, 8), "in order, but the shape is"),
        (lambda x: x[:, :-1], "The last one along axis 1 is missing"),
        (lambda x: np.concatenate([x[:, :1] + 1, x], axis=1), "The first one along axis 1 is extra"),
        (lambda x: x[:, :-1, :-2], "the part that both shapes have is right"),
        (lambda x: x.mean(axis=1), "the mean over axis 1"),
        (lambda x: x[0], "only the first place along axis 0"),
    ],
)
@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_another_shape_is_explained(change: Callable[[np.ndarray], np.ndarray], words: str, seed: int) -> None:
    assert any(words in sentence for sentence in sentences(change(numbers(seed)), numbers(seed)))


def layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float = 0.0) -> np.ndarray:
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + epsilon) + beta


def test_a_normalization_is_seen_through_its_weights() -> None:
    random = np.random.RandomState(1)
    x, inner, outer = (random.normal(size=shape) + 2 for shape in ((2, 5, 8), (2, 8), (2, 8)))
    parameters = {"one/gamma": inner[0], "one/beta": inner[1], "two/gamma": outer[0], "two/beta": outer[1]}
    one, two = layer_norm(x, *inner), layer_norm(x, *outer)
    cases = {
        "is not normalised by `one`": (x, one),
        "is normalised by `two`; it should be by `one`": (two, one),
        "is normalised by `one`, and should not be": (one, one + x),
    }
    for words, (output, expected) in cases.items():
        (seen,) = normalization_differences(Pair("", output, expected, 1e-5), parameters)
        assert words in seen.sentence
    assert normalization_differences(Pair("", layer_norm(x**2, *inner), one, 1e-5), parameters) == {}
    assert normalization_differences(Pair("", x, x + 1, 1e-5), parameters) == {}
    some_tokens = np.where(np.arange(5)[:, None] < 3, one, 0)
    assert normalization_differences(Pair("", some_tokens, one, 1e-5), parameters) == {}


def test_another_epsilon_is_no_normalization_at_another_place() -> None:
    random = np.random.RandomState(2)
    x, gamma, beta = random.normal(size=(2, 5, 8)), random.normal(size=8) + 2, random.normal(size=8)
    exact, soft = layer_norm(x, gamma, beta), layer_norm(x, gamma, beta, 0.5)
    for output, expected in ((exact, soft), (soft, exact)):
        pair = Pair("", output, expected, 1e-5)
        (seen,) = normalization_differences(pair, {"norm/gamma": gamma, "norm/beta": beta})
        assert seen.sentence == (
            "Without the γ and β of `norm`, the features of a token have mean 0, as they should, but another variance "
            "than they should."
        )


PARAMETERS = {
    name: np.zeros(shape) for name, shape in (("tokens", (17, 8)), ("segments", (2, 8)), ("norm/gamma", (8,)))
}


def sentences_on_weights(*shapes: tuple[int, ...]) -> list[str]:
    weights = [(f"weight_{shape}", np.zeros(shape)) for shape in shapes]
    return [observation.sentence for observation in weight_differences(PARAMETERS, weights)]


def test_a_missing_weight_is_named_and_an_extra_one_has_its_shape() -> None:
    (sentence,) = sentences_on_weights((17, 8), (17, 8), (8,))
    assert "1 weight is missing: 1 of (2, 8), such as `segments`" in sentence
    assert sentence.endswith("there are too many of (17, 8).")


def test_a_weight_that_matches_no_parameter_is_reported() -> None:
    assert sentences_on_weights((17, 8), (2, 8), (8,), (5,)) == [
        "The layer has weights that match no parameter: 1 of (5,)."
    ]


def test_weights_in_another_order_are_not_reported() -> None:
    assert sentences_on_weights((2, 8), (8,), (17, 8)) == []


def test_of_several_weights_of_a_shape_the_later_ones_are_missing() -> None:
    parameters = {f"block_{number}/kernel": np.zeros((3, 3)) for number in range(4)}
    (seen,) = weight_differences(parameters, [("a", np.zeros((3, 3))), ("b", np.zeros((3, 3)))])
    assert seen.sentence == "2 weights are missing: 2 of (3, 3), such as `block_2/kernel`, `block_3/kernel`."
