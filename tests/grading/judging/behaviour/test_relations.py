"""A relation between two arrays is observed wherever it holds, and nowhere else."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.judging.behaviour.observation import ENOUGH, Observation, Pair, common_evidence
from grading.judging.behaviour.properties import shape_differences
from grading.judging.behaviour.relations import near_misses, relations, worked_example
from tests.grading.judging.behaviour.arrays import SEEDS, SIZES, numbers, sentences


@settings(max_examples=30, deadline=None)
@given(
    SEEDS,
    st.sampled_from(
        [
            (8.0, "times head_dim"),
            (1 / math.sqrt(8), "divided by √head_dim"),
            (1 / math.log(2), "divided by log 2"),
            (1.37, "times 1.37"),
        ]
    ),
)
def test_a_factor_is_found_and_named(seed: int, factor: tuple[float, str]) -> None:
    value, name = factor
    assert any(name in sentence for sentence in sentences(value * numbers(seed), numbers(seed)))


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.floats(0.01, 5), st.booleans())
def test_a_shift_is_found(seed: int, shift: float, is_less: bool) -> None:
    shifted = numbers(seed) + (-shift if is_less else shift)
    sentence = f"The result is {shift:.5g} too {'small' if is_less else 'large'} everywhere."
    assert sentences(shifted, numbers(seed)) == [sentence]


RELATED: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "with the opposite sign": np.negative,
    "the absolute value of the expected one": np.abs,
    "the exponential of the expected one": np.exp,
    "the positive part": lambda x: np.maximum(x, 0),
    "1 minus the expected one": lambda x: 1 - x,
    "the softmax over `head_dim`": lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
    "rounded to 1 decimal place.": lambda x: np.round(x, 1),
    "clipped below -0.5 and above 0.7": lambda x: np.clip(x, -0.5, 0.7),
    "at every place": lambda x: np.full_like(x, 0.5),
}


@pytest.mark.parametrize("words", RELATED)
@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_a_function_is_found(words: str, seed: int) -> None:
    assert any(words in sentence for sentence in sentences(RELATED[words](numbers(seed)), numbers(seed)))


@settings(max_examples=60, deadline=None)
@given(SEEDS, SEEDS, st.sampled_from([(2, 5, 8), (4, 4), (7,), (2, 1, 3, 3)]), st.booleans())
def test_unrelated_arrays_have_no_observation(
    seed: int, other_seed: int, shape: tuple[int, ...], is_whole: bool
) -> None:
    random, other_random = np.random.RandomState(seed), np.random.RandomState(other_seed + 20_000)

    def array(source: np.random.RandomState) -> np.ndarray:
        return source.randint(0, 1000, size=shape) if is_whole else source.normal(size=shape)

    pair = Pair("", array(random), array(other_random), 1e-5, {"a": 5, "b": 8, "c": 4}, {"x": array(other_random)})
    assert {**relations(pair), **shape_differences(pair)} == {}


@pytest.mark.parametrize(
    "array", [np.zeros((3, 4)), np.ones((3, 4)), np.full((2, 2), 0.25), np.array(1.0), np.array([1.0, 1.0])], ids=str
)
def test_a_constant_has_no_observation(array: np.ndarray) -> None:
    """A constant is its own mean, its own softmax and any order of itself."""
    assert sentences(array + 1.5, array) == []


@pytest.mark.parametrize(
    ("number", "said"),
    [(0.0, "0"), (0.5, "0.5"), (100.0, "100"), (1.9287e-22, "almost 0"), (0.318309886, "the same number")],
)
def test_a_number_that_says_nothing_is_not_quoted(number: float, said: str) -> None:
    assert f"The result is {said} at every place." in sentences(np.full_like(numbers(2), number), numbers(2))


def test_common_evidence_holds_for_each_array() -> None:
    times_8, times_7 = (Pair("", factor * numbers(3), numbers(3), 1e-5, SIZES) for factor in (8.0, 7.0))
    assert common_evidence([relations(times_8), relations(times_7)]) == {}
    assert [seen.sentence for seen in common_evidence([relations(times_8), relations(times_8)])] == [
        "The result is the expected one times head_dim, everywhere."
    ]


def test_single_numbers_count_only_if_their_factors_agree() -> None:
    pairs = [Pair("", 1.5 * value, value, 1e-5) for value in (0.3, 0.7)]
    assert sum(relations(pairs[0]).values()) < ENOUGH
    question = next(iter(relations(pairs[0]))).question
    assert common_evidence([relations(pair) for pair in pairs]) == {
        Observation("The result is the expected one times 1.5, everywhere.", question): ENOUGH
    }


def test_the_factor_of_a_single_number_counts_only_if_it_is_simple() -> None:
    assert relations(Pair("", np.float64(0.7213), np.float64(0.7245), 1e-5)) == {}
    (simple,) = relations(Pair("", np.float64(0.2), np.float64(0.3), 1e-5))
    assert simple.sentence == "The result is the expected one times 2/3 (0.66667), everywhere."
    assert sentences(1.0001 * numbers(5), numbers(5)) == []


@pytest.mark.parametrize(
    ("arguments", "change", "words"),
    [
        ({"x": numbers(5)}, lambda expected: expected - numbers(5), "`x` is missing from the sum"),
        ({"x": numbers(5)}, lambda expected: expected + numbers(5), "the expected one plus `x`."),
        ({"x": numbers(5)}, lambda expected: numbers(5), "The result is `x`, unchanged."),
        ({"beta": numbers(6)[0, 0]}, lambda expected: expected - 2 * numbers(6)[0, 0], "`beta` is subtracted"),
        ({"gamma": numbers(6)[0, 0]}, lambda expected: expected * numbers(6)[0, 0], "times `gamma`"),
        (
            {"gamma": numbers(6)[0, 0]},
            lambda expected: expected + np.arange(1, 6)[:, None] * numbers(6)[0, 0],
            "the expected line plus a multiple of `gamma`",
        ),
        (
            {"beta": numbers(6)[0, 0]},
            lambda expected: (expected - numbers(6)[0, 0]) * np.arange(2, 7)[:, None] + numbers(6)[0, 0],
            "Apart from `beta`, each line of the result",
        ),
        (
            {},
            lambda expected: expected * np.arange(2, 7)[:, None],
            "Each line of the result is the expected line times a factor",
        ),
    ],
)
def test_an_argument_too_many_or_too_few_is_found(arguments: dict, change: Callable, words: str) -> None:
    assert any(words in sentence for sentence in sentences(change(numbers(1)), numbers(1), **arguments))


def test_shares_that_sum_to_1_over_another_axis_are_found() -> None:
    scores = np.random.RandomState(0).normal(size=(2, 4, 6))
    softmax = lambda axis: np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)  # noqa: E731
    assert "The result sums to 1 over axis 1, and not over the last axis." in sentences(softmax(1), softmax(2))
    masked = softmax(2) * (np.arange(6) != 3)
    expected = masked / masked.sum(axis=2, keepdims=True)
    assert any("divided by its sum it is right" in sentence for sentence in sentences(masked, expected))


def test_small_numbers_in_place_of_0_are_found() -> None:
    expected = np.array([[0.2, 0.8, 0.0], [0.5, 0.0, 0.5], [0.0, 0.1, 0.9]])
    sentence = "Where exactly 0 is expected, the result is a small number instead."
    assert sentence in sentences(expected + 1e-4, expected)


@pytest.mark.parametrize("digits", [1, 2, 3])
def test_rounding_is_found_though_halves_go_either_way(digits: int) -> None:
    expected = numbers(5)
    given = np.floor(expected * 10**digits + 0.5) / 10**digits  # NumPy rounds halves to even numbers
    expected.flat[0] = given.flat[0] - 0.5 * 10**-digits
    assert any(f"rounded to {digits} decimal place" in sentence for sentence in sentences(given, expected))


def test_confident_probabilities_are_not_called_rounded() -> None:
    expected = np.concatenate([np.linspace(0.01, 0.2, 30), np.linspace(0.8, 0.99, 30)])
    confident = np.where(expected > 0.5, 0.9997, 0.0003) + 1e-4 * expected
    assert not any("rounded" in sentence for sentence in sentences(confident, expected))


def test_tiny_probabilities_are_not_called_rounded() -> None:
    expected = np.append(np.linspace(0.01, 0.4, 9)[:8], 0.8)
    rounded, confident = np.append(np.zeros(8), 1.0), np.append(np.full(8, 1e-9), 1.0)
    assert any("rounded to 0 decimal places" in sentence for sentence in sentences(rounded, expected))
    assert not any("rounded" in sentence for sentence in sentences(confident, expected))


def test_equal_results_along_an_axis_are_found() -> None:
    expected = numbers(6)
    given = np.repeat(expected.mean(axis=1, keepdims=True), 5, axis=1)
    sentence = "Every place along `length` has the same result; each should have its own."
    assert sentence in sentences(given, expected)
    assert sentence not in sentences(given, given + 1)


def test_a_small_error_is_a_near_miss() -> None:
    expected = numbers(10)
    (seen,) = near_misses(Pair("", expected + 0.004 * np.sin(40 * expected), expected, 1e-5))
    assert seen.sentence.startswith("The result is nearly right")
    at_one_place = expected.copy()
    at_one_place.flat[3] += 0.004
    assert near_misses(Pair("", at_one_place, expected, 1e-5)) == {}
    assert near_misses(Pair("", expected + 0.4 * np.sin(40 * expected), expected, 1e-5)) == {}


def test_a_result_that_is_almost_right_has_no_relation() -> None:
    expected = numbers(11)
    lines = 1 + 0.01 * np.arange(1, 1 + expected.shape[1])[None, :, None]
    sentence = "Each line of the result is the expected line times a factor of its own."

    def seen(given: np.ndarray) -> list[str]:
        return [str(observation.sentence) for observation in relations(Pair("", given, expected, 2e-3))]

    assert sentence in seen(lines * expected)
    assert not seen(expected * (1 + 0.002 * np.sin(40 * expected)))


def test_a_function_of_single_numbers_gets_a_worked_example() -> None:
    x = np.linspace(-3, 3, 60).reshape(3, 20)
    (seen,) = worked_example(Pair("", np.maximum(x, 0), np.tanh(x), 1e-5, inputs={"x": x}))
    assert seen.sentence == "For 0.9661 the result is 0.9661; it should be 0.747."
    mixed = x - x.mean(axis=0)
    assert worked_example(Pair("", mixed, np.sort(mixed)[:, ::-1] * 9, 1e-5, inputs={"x": x})) == {}
