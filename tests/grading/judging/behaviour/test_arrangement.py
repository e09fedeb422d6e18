"""The order and the places of wrong numbers and words are described, if a simple rule describes them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings

from tests.grading.judging.behaviour.arrays import SEEDS, numbers, sentences


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x: x[:, ::-1], "reverse order along `length`"),
        (lambda x: np.roll(x, 1, axis=1), "shifted by 1 along `length`"),
        (lambda x: x[:, [0, 1, 3, 2, 4]], "in this order: 0, 1, 3, 2, 4"),
        (lambda x: x[:, [0, 1, 0, 1, 2]], "some places of the expected result occur several times"),
        (lambda x: np.repeat(x[:, :1], 5, axis=1), "every place of the result equals place 0"),
        (lambda x: x.transpose(2, 0, 1).reshape(x.shape), "at other places"),
        (lambda x: x + (np.arange(5) == 4)[:, None], "Along `length`, only the last place is wrong"),
        (lambda x: x + (np.arange(5) >= 2)[:, None], "right up to 1 and wrong from 2 on"),
        (lambda x: np.where(x < 0, 2 * x, x), "Only negative numbers"),
    ],
)
@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_order_and_places_are_described(change: Callable[[np.ndarray], np.ndarray], words: str, seed: int) -> None:
    assert any(words in sentence for sentence in sentences(change(numbers(seed)), numbers(seed)))


def test_rows_that_are_equal_by_chance_are_not_called_reordered() -> None:
    """A count in the last column but one, which should be in the last one; both hold no more than it."""
    table = np.zeros((5, 4))
    table[:, 0], table[2, 1], table[1, 3] = [3, 1, 4, 1, 5], 1, 1
    for expected in (table, np.array([[2.0, 5.0, 0.0, 1.0]])):
        said = sentences(expected[:, [0, 1, 3, 2]], expected)
        assert not [one for one in said if "several times" in one or "in this order" in one]


def test_wrong_places_are_those_where_an_input_has_a_value() -> None:
    mask = np.array([[True, True, False, True, False]] * 2)
    wrong = np.where(mask[..., None], numbers(1), 0)
    assert "The result is wrong exactly where `mask` is False." in sentences(wrong, numbers(1), mask=mask)
    token_ids = np.where(mask, 5, 3)
    assert "The result is wrong exactly where `token_ids` is 3." in sentences(wrong, numbers(1), token_ids=token_ids)
    assert "Wherever the result is wrong, it is 0." in sentences(wrong, numbers(1))


def test_wrong_samples_are_those_in_which_an_input_has_a_value() -> None:
    ids = np.array([[3, 4, 5], [3, 0, 0], [7, 4, 3], [6, 5, 0]])
    expected = np.random.RandomState(7).normal(size=(4, 3, 6))
    given = expected + np.array([0, 1, 0, 1])[:, None, None] * np.random.RandomState(8).normal(size=(4, 3, 6))
    said = sentences(given, expected, ids=ids)
    assert "Samples with 0 somewhere in `ids` are wrong; all others are right." in said
    assert not any("1, 3, 5" in sentence for sentence in said)


def test_what_is_wrong_along_a_masked_axis_is_not_said_of_its_places() -> None:
    """Padding ends the texts of a check at the same places in each replay."""
    mask = np.arange(5) < np.array([[3], [3]])
    wrong = np.where(mask[..., None], numbers(1) + 1, numbers(1))
    assert not [sentence for sentence in sentences(wrong, numbers(1), mask=mask) if "Along `length`" in sentence]
    assert [sentence for sentence in sentences(wrong, numbers(1)) if "wrong up to 2 and right from 3 on" in sentence]


def test_of_two_places_the_wrong_one_is_named() -> None:
    expected = np.random.RandomState(9).normal(size=(7, 2))
    given = np.concatenate([expected[:, :1], -(expected[:, :1] ** 2)], axis=1)
    assert any("only the last place" in sentence for sentence in sentences(given, expected))


@pytest.mark.parametrize(
    ("given", "expected", "sentence"),
    [
        (["the", "cat"], ["cat", "the"], "The words are right, but in reverse order."),
        (["The", "cat"], ["the", "cat"], "Only upper and lower case differ."),
        (["café"], ["cafe"], "Only accents differ."),
        (["a", "b"], ["a", "b", "c"], "The end is missing; everything before it is right."),
        (["a", "b"], ["a", "b", "a"], "What should occur several times occurs only once."),
        (["don't"], ["don", "'", "t"], "All characters are there; the text is split too seldom."),
        (["a", "x", "c"], ["a", "b", "c"], "First difference: 'x' after 'a' should be 'b'."),
        (["a", "c"], ["a", "b", "c"], "First difference: 'b' is missing after 'a'."),
        (["x", "a"], ["a"], "First difference: 'x' at the start should not be there."),
        (["x", "c"], ["a", "c"], "First difference: 'x' should be 'a'."),
        ([("a", "b"), ("a", "c")], [("a", "b"), ("b", "c")], "First difference: 'a c' after 'a b' should be 'b c'."),
    ],
)
def test_the_difference_between_two_texts_is_described(given: list[str], expected: list[str], sentence: str) -> None:
    assert sentence in sentences(given, expected)


def test_a_number_among_the_arguments_names_no_axis() -> None:
    expected = np.random.RandomState(0).normal(size=(2, 3, 8))
    given = np.where(np.arange(3)[:, None] == 2, expected + 1, expected)
    (said,) = sentences(given, expected)
    assert said == "Along axis 1, only the last place is wrong; all others are right."


def test_one_whole_number_in_place_of_another_is_named() -> None:
    """With its name, where it is one of the arguments."""
    expected = np.array([[5, 2, 0, 0], [7, 8, 9, 2], [6, 3, 2, 0]])
    given = np.where(expected == 0, 3, expected)
    sentence = "Wherever the result is wrong, it is 3, `num_heads`; it should be 0."
    assert sentence in sentences(given, expected)
    assert not [one for one in sentences(expected + (expected == 0) * [1, 2, 3, 4], expected) if "Wherever" in one]


def test_places_after_a_value_are_recognised_in_a_mask_over_keys() -> None:
    token_ids = np.array([[4, 6, 0, 5, 7], [3, 0, 4, 4, 0], [5, 6, 7, 8, 9]])
    expected = (token_ids != 0)[:, None, None, :]
    given = (np.cumsum(token_ids == 0, axis=1) == 0)[:, None, None, :]
    sentence = "The result is wrong exactly where 0 stands before it in `token_ids`."
    assert sentence in sentences(given, expected, token_ids=token_ids)


@pytest.mark.parametrize(
    ("given", "expected", "kind"),
    [
        (["ab", "c"], ["ab", "é", "c"], "characters beyond ASCII"),
        (["ab"], ["a1b", "23"], "digits"),
        (["a", "b"], ["a", ",", "b", "."], "marks of punctuation"),
    ],
)
def test_the_kind_of_missing_characters_is_named(given: list[str], expected: list[str], kind: str) -> None:
    assert f"All {kind} are missing." in sentences(given, expected)


def test_no_kind_is_named_of_which_some_characters_are_kept() -> None:
    assert not [one for one in sentences(["a", ","], ["a", ",", "b", "."]) if "are missing" in one]


def test_rows_that_equal_others_are_not_said_to_repeat() -> None:
    """The ids of a text, most of them padding."""
    expected, given = np.array([1, 7, 8, 9, 2, 0, 0, 0, 5, 6]), np.array([1, 7, 8, 9, 2, 2, 2, 2, 5, 6])
    assert not [one for one in sentences(given, expected) if "several times" in one]


def test_another_normal_form_of_the_same_characters_is_no_other_accent() -> None:
    composed, decomposed = (unicodedata.normalize(form, "naïve").split() for form in ("NFC", "NFD"))
    said = sentences(composed, decomposed)
    assert "The words look the same, but their characters are in another Unicode normal form." in said
    assert "Only accents differ." not in said
    assert "Only accents differ." in sentences(["naive"], composed)


def test_accents_without_end_are_not_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = [0]
    normalize = unicodedata.normalize

    def counted(form: str, text: str) -> str:
        lengths.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", counted)
    sentences(["a" + "\u0301" * 3000 + "\u0327" * 3000, "b"], ["the", "cat"])
    assert max(lengths) < 100
