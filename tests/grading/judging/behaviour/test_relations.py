"""What is observed of two arrays is true of them, and it is found wherever it is true."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.judging.behaviour.answers import Pair
from grading.judging.behaviour.observation import ENOUGH, Observation, in_all
from grading.judging.behaviour.places import places
from grading.judging.behaviour.relations import relations
from grading.judging.behaviour.scale import near
from grading.judging.behaviour.shapes import shapes
from grading.judging.behaviour.texts import texts

SIZES = {"batch": 2, "length": 5, "head_dim": 8}
SHAPE = (2, 5, 8)


def numbers(seed: int) -> np.ndarray:
    return np.random.RandomState(seed).normal(size=SHAPE)


def said(given: Any, wanted: Any, **inputs: Any) -> list[str]:
    pair = Pair("", given, wanted, 1e-5, SIZES, inputs)
    seen = {**relations(pair), **shapes(pair), **texts(pair), **places(pair)}
    return [observation.sentence for observation, evidence in seen.items() if evidence >= ENOUGH]


seeds = st.integers(0, 10_000)


@settings(max_examples=30, deadline=None)
@given(
    seeds,
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
    sentences = said(value * numbers(seed), numbers(seed))
    assert any(name in sentence for sentence in sentences)


@settings(max_examples=30, deadline=None)
@given(seeds, st.floats(0.01, 5), st.booleans())
def test_a_shift_is_found(seed: int, shift: float, is_less: bool) -> None:
    sentences = said(numbers(seed) + (-shift if is_less else shift), numbers(seed))
    assert sentences == [f"It is what is wanted, and {shift:.5g} too {'little' if is_less else 'much'}, everywhere."]


RELATED: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "with the other sign": np.negative,
    "reverse order over `length`": lambda x: x[:, ::-1],
    "moved by 1 over `length`": lambda x: np.roll(x, 1, axis=1),
    "in this order: 0, 1, 3, 2, 4": lambda x: x[:, [0, 1, 3, 2, 4]],
    "some of what is wanted comes back several times": lambda x: x[:, [0, 1, 0, 1, 2]],
    "every one of what is returned is number 0": lambda x: np.repeat(x[:, :1], 5, axis=1),
    "the absolute value of what is wanted": np.abs,
    "the exponential of what is wanted": np.exp,
    "the positive part": lambda x: np.maximum(x, 0),
    "1 minus what is wanted": lambda x: 1 - x,
    "the softmax over `head_dim`": lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
    "rounded to 1 digits": lambda x: np.round(x, 1),
    "cut off below -0.5 and above 0.7": lambda x: np.clip(x, -0.5, 0.7),
    "The numbers are those wanted, and the shape is": lambda x: x[:, None],
    "with its axes in another order": lambda x: x.transpose(0, 2, 1),
    "in their order, and the shape is": lambda x: x.reshape(10, 8),
    "The last one over axis 1 is missing": lambda x: x[:, :-1],
    "The first one over axis 1 is too much": lambda x: np.concatenate([x[:, :1] + 1, x], axis=1),
    "its end is missing": lambda x: x[:, :-1, :-2],
    "the mean over axis 1": lambda x: x.mean(axis=1),
    "only the first over axis 0": lambda x: x[0],
    "at other places": lambda x: x.transpose(2, 0, 1).reshape(x.shape),
    "in every place": lambda x: np.full_like(x, 0.5),
    "Only the last over `length` is wrong": lambda x: x + (np.arange(5) == 4)[:, None],
    "right up to 1 and wrong from 2 on": lambda x: x + (np.arange(5) >= 2)[:, None],
    "Only negative numbers": lambda x: np.where(x < 0, 2 * x, x),
}


@pytest.mark.parametrize("words", RELATED)
@settings(max_examples=8, deadline=None)
@given(seeds)
def test_what_holds_is_found(words: str, seed: int) -> None:
    assert any(words in sentence for sentence in said(RELATED[words](numbers(seed)), numbers(seed)))


@settings(max_examples=60, deadline=None)
@given(seeds, seeds, st.sampled_from([(2, 5, 8), (4, 4), (7,), (2, 1, 3, 3)]), st.booleans())
def test_of_two_arrays_that_have_nothing_in_common_nothing_is_said(
    seed: int, other: int, shape: tuple[int, ...], is_whole: bool
) -> None:
    random, again = np.random.RandomState(seed), np.random.RandomState(other + 20_000)

    def made(source: np.random.RandomState) -> np.ndarray:
        return source.randint(0, 1000, size=shape) if is_whole else source.normal(size=shape)

    pair = Pair("", made(random), made(again), 1e-5, {"a": 5, "b": 8, "c": 4}, {"x": made(again)})
    assert {**relations(pair), **shapes(pair)} == {}


@pytest.mark.parametrize(
    "array", [np.zeros((3, 4)), np.ones((3, 4)), np.full((2, 2), 0.25), np.array(1.0), np.array([1.0, 1.0])], ids=str
)
def test_of_what_is_the_same_everywhere_little_is_said(array: np.ndarray) -> None:
    """A constant is its own mean, its own softmax and any order of itself."""
    assert said(array + 1.5, array) == []


def test_what_is_said_of_several_arrays_holds_for_each() -> None:
    one, other = (Pair("", factor * numbers(3), numbers(3), 1e-5, SIZES) for factor in (8.0, 7.0))
    assert in_all([relations(one), relations(other)]) == {}
    assert [said.sentence for said in in_all([relations(one), relations(one)])] == [
        "It is what is wanted, times head_dim, everywhere."
    ]


def test_single_numbers_need_to_agree_in_what_they_differ() -> None:
    pairs = [Pair("", 1.5 * value, value, 1e-5) for value in (0.3, 0.7)]
    assert sum(relations(pairs[0]).values()) < ENOUGH
    assert in_all([relations(pair) for pair in pairs]) == {
        Observation("It is what is wanted times 1.5, everywhere.", next(iter(relations(pairs[0]))).question): ENOUGH
    }


def test_any_number_is_another_one_times_something() -> None:
    assert relations(Pair("", np.float64(0.7213), np.float64(0.7245), 1e-5)) == {}
    (simple,) = relations(Pair("", np.float64(0.2), np.float64(0.3), 1e-5))
    assert simple.sentence == "It is what is wanted times 2/3 (0.66667), everywhere."
    assert said(1.0001 * numbers(5), numbers(5)) == []


def test_rows_of_a_few_counts_are_alike_by_chance() -> None:
    """A count in the last column but one, which should be in the last one; both hold no more than it."""
    wanted = np.zeros((5, 4))
    wanted[:, 0], wanted[2, 1], wanted[1, 3] = [3, 1, 4, 1, 5], 1, 1
    for of_wanted in (wanted, np.array([[2.0, 5.0, 0.0, 1.0]])):
        given = of_wanted[:, [0, 1, 3, 2]]
        assert not [one for one in said(given, of_wanted) if "several times" in one or "in this order" in one]


def test_who_is_sure_has_not_rounded() -> None:
    wanted = np.linspace(0.01, 0.4, 9)
    assert "rounded to 0 digits" in " ".join(said(np.append(np.zeros(8), 1.0), np.append(wanted[:8], 0.8)))
    assert not [one for one in said(np.append(np.full(8, 1e-9), 1.0), np.append(wanted[:8], 0.8)) if "rounded" in one]


@pytest.mark.parametrize(
    ("arguments", "given_", "words"),
    [
        ({"x": numbers(5)}, lambda wanted: wanted - numbers(5), "`x` is missing in the sum"),
        ({"x": numbers(5)}, lambda wanted: wanted + numbers(5), "and `x` besides"),
        ({"x": numbers(5)}, lambda wanted: numbers(5), "It is `x`, unchanged."),
        ({"beta": numbers(6)[0, 0]}, lambda wanted: wanted - 2 * numbers(6)[0, 0], "`beta` is subtracted"),
        ({"gamma": numbers(6)[0, 0]}, lambda wanted: wanted * numbers(6)[0, 0], "times `gamma`"),
        (
            {"gamma": numbers(6)[0, 0]},
            lambda wanted: wanted + np.arange(1, 6)[:, None] * numbers(6)[0, 0],
            "a multiple of `gamma` besides",
        ),
        (
            {"beta": numbers(6)[0, 0]},
            lambda wanted: (wanted - numbers(6)[0, 0]) * np.arange(2, 7)[:, None] + numbers(6)[0, 0],
            "But for `beta`, each line of it",
        ),
        ({}, lambda wanted: wanted * np.arange(2, 7)[:, None], "Each line of it is what is wanted times a factor"),
    ],
)
def test_an_argument_too_many_or_too_few(arguments: dict, given_: Callable, words: str) -> None:
    assert any(words in sentence for sentence in said(given_(numbers(1)), numbers(1), **arguments))


def test_weights_that_sum_to_1_over_another_axis() -> None:
    scores = np.random.RandomState(0).normal(size=(2, 4, 6))
    softmax = lambda axis: np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)  # noqa: E731
    assert "It sums to 1 over axis 1, and not over the last axis." in said(softmax(1), softmax(2))
    masked = softmax(2) * (np.arange(6) != 3)
    wanted = masked / masked.sum(axis=2, keepdims=True)
    assert any("divided by its sum it is what is wanted" in sentence for sentence in said(masked, wanted))


def test_something_small_where_nothing_is_wanted() -> None:
    wanted = np.array([[0.2, 0.8, 0.0], [0.5, 0.0, 0.5], [0.0, 0.1, 0.9]])
    assert "Where exactly 0 is wanted, it gives something small instead." in said(wanted + 1e-4, wanted)


def test_a_place_is_told_by_what_comes_in() -> None:
    mask = np.array([[True, True, False, True, False]] * 2)
    wrong = np.where(mask[..., None], numbers(1), 0)
    assert "It is wrong exactly where `mask` is False." in said(wrong, numbers(1), mask=mask)
    assert "It is wrong exactly where `token_ids` is 3." in said(wrong, numbers(1), token_ids=np.where(mask, 5, 3))
    assert "Wherever it is wrong, it is 0." in said(wrong, numbers(1))


@pytest.mark.parametrize(
    ("given_", "wanted", "sentences"),
    [
        (["the", "cat"], ["cat", "the"], ["The words are those wanted, in reverse order."]),
        (["The", "cat"], ["the", "cat"], ["Only capital and small letters differ."]),
        (["café"], ["cafe"], ["Only accents differ."]),
        (["a", "b"], ["a", "b", "c"], ["The end is missing; all before it is right."]),
        (["a", "b"], ["a", "b", "a"], ["What occurs twice comes only once."]),
        (["don't"], ["don", "'", "t"], ["All characters are there; the text is cut too seldom."]),
        (["a", "x", "c"], ["a", "b", "c"], ["First difference: behind 'a' stands 'x' instead of 'b'."]),
        (["a", "c"], ["a", "b", "c"], ["First difference: behind 'a', 'b' is missing."]),
        (["x", "a"], ["a"], ["First difference: 'x' stands at the start, and should not."]),
    ],
)
def test_texts_are_told_apart_in_words(given_: list[str], wanted: list[str], sentences: list[str]) -> None:
    assert set(sentences) <= set(said(given_, wanted))


@pytest.mark.parametrize("digits", [1, 2, 3])
def test_rounding_is_seen_though_halves_go_either_way(digits: int) -> None:
    wanted = numbers(5)
    given = np.floor(wanted * 10**digits + 0.5) / 10**digits  # NumPy rounds halves to even numbers
    wanted.flat[0] = given.flat[0] - 0.5 * 10**-digits
    assert f"It is what is wanted, rounded to {digits} digits." in said(given, wanted)


def test_who_is_too_sure_has_not_rounded() -> None:
    wanted = np.concatenate([np.linspace(0.01, 0.2, 30), np.linspace(0.8, 0.99, 30)])
    sure = np.where(wanted > 0.5, 0.9997, 0.0003) + 1e-4 * wanted
    assert not any("rounded" in sentence for sentence in said(sure, wanted))


def test_what_is_the_same_over_an_axis_is_seen() -> None:
    wanted = numbers(6)
    given = np.repeat(wanted.mean(axis=1, keepdims=True), 5, axis=1)
    assert "Every place over `length` gets the same; each should have its own." in said(given, wanted)
    assert "Every place over `length` gets the same; each should have its own." not in said(given, given + 1)


def test_samples_that_have_something_in_common_are_told_by_it() -> None:
    ids = np.array([[3, 4, 5], [3, 0, 0], [7, 4, 3], [6, 5, 0]])
    wanted = np.random.RandomState(7).normal(size=(4, 3, 6))
    given = wanted + np.array([0, 1, 0, 1])[:, None, None] * np.random.RandomState(8).normal(size=(4, 3, 6))
    assert "Samples with 0 somewhere in `ids` are wrong; all others are right." in said(given, wanted, ids=ids)
    assert not any("take" in one or "1, 3, 5" in one for one in said(given, wanted, ids=ids))


def test_the_one_of_two_that_is_wrong_is_said() -> None:
    wanted = np.random.RandomState(9).normal(size=(7, 2))
    given = np.concatenate([wanted[:, :1], -(wanted[:, :1] ** 2)], axis=1)
    assert any("Only the last over" in one for one in said(given, wanted))


def test_what_is_off_by_little_comes_near() -> None:
    wanted = numbers(10)
    pair = Pair("", wanted + 0.004 * np.sin(40 * wanted), wanted, 1e-5)
    (seen,) = near(pair)
    assert seen.sentence.startswith("It comes near")
    assert near(Pair("", wanted + 0.4 * np.sin(40 * wanted), wanted, 1e-5)) == {}
