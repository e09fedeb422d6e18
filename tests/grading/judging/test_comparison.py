"""What differs is said in the student's words, and what agrees is never called different."""

from __future__ import annotations

import tracemalloc
from typing import Any

import hypothesis.extra.numpy as arrays
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.exercises.objectives.spans import judge_lengths
from grading.exercises.registry import chapter
from grading.judging.behaviour.observation import parts
from grading.judging.comparison import compare, describe
from grading.judging.exercise import Check
from grading.judging.probing import Outcome, problem
from grading.judging.proxies import Proxy
from grading.messages import Message
from grading.messages.grammar import with_verb

NUMBERS = arrays.arrays(
    np.float32,
    arrays.array_shapes(max_dims=3, max_side=4),
    elements=st.floats(-100, 100, width=32),
)


@given(NUMBERS)
def test_an_array_agrees_with_itself_and_within_the_tolerance(array: np.ndarray) -> None:
    assert compare(array, array.copy(), 1e-5) is None
    assert compare(array + np.float32(5e-6), array, 1.1e-5) is None


@given(NUMBERS, st.data())
def test_one_changed_place_is_found(array: np.ndarray, data: st.DataObject) -> None:
    place = tuple(data.draw(st.integers(0, size - 1)) for size in array.shape)
    changed = array.copy()
    changed[place] += 1
    difference = compare(changed, array, 1e-5)
    assert difference is not None
    where = f"differs in 1 of {array.size} places, most at [{', '.join(map(str, place))}]"
    assert ("; wanted " if array.size == 1 else where) in difference.message


def test_a_part_keeps_the_message_that_it_is_called_if_a_release_knows_only_its_text() -> None:
    called = Message("the output for length {length}", length=5)
    difference = compare({called: 1}, {"the output for length 5": 2}, 1e-5)
    assert difference is not None
    assert difference.message == "the output for length 5 is 1; wanted 2"
    assert difference.message.values["where"].values == {"length": 5}  # type: ignore[attr-defined]
    ((name, *_),) = parts({called: 1}, {"the output for length 5": 2})
    assert isinstance(name, Message)


def test_of_one_number_both_are_said() -> None:
    difference = compare(np.array([3.5]), np.array([2.5]), 1e-5, "the rate")
    assert difference is not None
    assert difference.message == "the rate is 3.5; wanted 2.5"


@pytest.mark.parametrize(
    ("given_value", "wanted", "message"),
    [
        (np.zeros((2, 3)), np.zeros((3, 2)), "the result has shape (2, 3); wanted (3, 2)"),
        (np.zeros(2), np.zeros(2, bool), "the result has dtype float64; wanted bool"),
        (np.zeros(2, int), np.zeros(2), "the result has dtype int64; wanted float64"),
        (None, np.zeros(2), "the result is None; wanted an array of shape (2,) and dtype float64"),
        ((1,), (1, 2), "the result is a tuple of 1 values; wanted 2 values"),
        ([1, 3], (1, 2), "the second value is 3; wanted 2"),
        (["a", "##b"], ("a", "b"), "the result is ['a', '##b']; wanted ('a', 'b')"),
        ([("a", "b")], [("a", "b"), ("ab", "c")], "the result is [('a', 'b')]; wanted [('a', 'b'), ('ab', 'c')]"),
        ([], ["a"], "the result is a list of 0 values; wanted ['a']"),
        ({"a": 1}, {"a": 1, "b": 2}, "the result has no 'b'; given: a"),
        (True, 1, "the result is True; wanted 1"),
        ("no", "yes", "the result is 'no'; wanted 'yes'"),
        (np.array([3, 1]), np.array([3, 1, 2]), "the result is [3, 1]; wanted [3, 1, 2]"),
        (np.array([3, 1]), np.array([3, 2]), "the result is [3, 1]; wanted [3, 2]"),
        (np.arange(17), np.arange(18), "the result has shape (17,); wanted (18,)"),
        (np.array([np.nan, 1.0]), np.array([0.0, 1.0]), "the result has NaN in 1 of 2 places"),
    ],
)
def test_messages_say_what_was_given_and_what_was_wanted(given_value, wanted, message) -> None:
    assert compare(given_value, wanted, 1e-5).message == message


def test_widths_of_floats_do_not_matter_but_values_do() -> None:
    wanted = np.array([1.0, 2.0], "float32")
    assert compare(wanted.astype(ml_dtypes.bfloat16), wanted, 1e-5) is None
    assert compare(wanted.astype("float64"), wanted, 1e-5) is None
    assert compare(np.array([1.0, 2.5], ml_dtypes.bfloat16), wanted, 1e-2) is not None


def test_infinity_and_nan_agree_only_with_themselves() -> None:
    odd = np.array([np.inf, -np.inf, np.nan])
    assert compare(odd, odd, 1e-5) is None
    assert compare(np.array([np.inf, np.inf, np.nan]), odd, 1e-5) is not None
    assert compare(np.array([1e30, -np.inf, np.nan]), odd, 1e-5) is not None


def test_what_is_no_array_has_no_name_of_the_graders_own() -> None:
    session: Any = None
    proxy: Any = Proxy(session, "split_heads")
    assert describe(proxy) == "an object, such as a layer or a function"
    with pytest.raises(TypeError, match="cannot unpack non-iterable layer or function object"):
        _, _ = proxy


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("the result", "the result is"),
        ("the logits in training", "the logits in training are"),
        ("word_logits", "word_logits are"),
        ("the loss", "the loss is"),
        ("the loss of two rows", "the loss of two rows is"),
        ("the bias", "the bias is"),
        ("bias", "bias is"),
        ("a and b for 7 pairs", "a and b for 7 pairs are"),
        ("levels, in 5 bits", "levels, in 5 bits are"),
        ("of rows", "of rows is"),
        ("the dtypes that its weights are kept in", "the dtypes that its weights are kept in are"),
        ("the first value", "the first value is"),
        ("value 3", "value 3 is"),
    ],
)
def test_a_name_and_its_verb_agree(name: str, said: str) -> None:
    assert with_verb(name, "is") == said


def test_messages_speak_of_several_as_several() -> None:
    assert compare({"ids": np.arange(2)}, {"ids": np.arange(3)}, 0).message == "ids are [0, 1]; wanted [0, 1, 2]"
    messages = [compare({"logits": x}, {"logits": np.ones((3, 7))}, 0).message for x in (np.zeros((3, 7)), np.zeros(4))]
    assert messages[0].startswith("logits differ in 21 of 21 places, most at [0, 0]")
    assert messages[1] == "logits have shape (4,); wanted (3, 7)"


def test_of_two_long_lists_of_words_the_first_that_differs_is_shown() -> None:
    wanted = [f"word{number}" for number in range(70)]
    given = [*wanted[:11], "wrod11", *wanted[12:]]
    difference = compare(given, wanted, 1e-5)
    assert difference is not None
    assert difference.message == "value 11 is 'wrod11'; wanted 'word11'"
    shorter = compare(given[:60], wanted, 1e-5)
    assert shorter is not None
    texts = "the cat sat on the mat, and then it ran away", "the cat sat on the hat, and then it ran away"
    of_texts = compare(*texts, tolerance=0)
    assert of_texts.message == (
        "the result differs from character 19 on: given 'mat, and then it ran', wanted 'hat, and then it ran'"
    )
    assert shorter.message == "the result is a list of 60 values; wanted a list of 70 values"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("a" * 50, "a" * 49 + "b"),
        (["a" * 50] * 17, ["a" * 50] * 16 + ["b" * 50]),
        (tuple("ab" * 90), list("ab" * 89 + "ba")),
        ([["a", "b" * 50]] * 9, [["a", "b" * 50]] * 8 + [["a", "c" * 50]]),
        (object(), object()),
        ([[1, 2], [3]], [[1, 2], [4]]),
    ],
    ids=["texts", "lists of texts", "a tuple", "pairs", "objects", "numbers"],
)
def test_no_two_equal_descriptions_stand_side_by_side(given: object, wanted: object) -> None:
    difference = compare(given, wanted, 1e-5)
    assert difference is not None
    shown, _, asked_for = difference.message.partition("; wanted ")
    assert not asked_for or not shown.endswith(asked_for)


def test_a_judges_sentence_quotes_the_names_of_answers_as_messages() -> None:
    def finds_nan(answers: dict[str, np.ndarray]) -> str | None:
        cases = (case for case, answer in answers.items() if np.isnan(answer).any())
        return next((Message("gives NaN with {case}", case=case) for case in cases), None)

    check = Check("key", "title", 1.0, probe=lambda: None, judge=finds_nan, tolerance=0.0)
    nothing = np.array([np.nan])
    difference = problem(check, Outcome({"in a compiled step": nothing}), Outcome())
    assert difference is not None and isinstance(difference.message, Message)
    assert isinstance(difference.message.values["case"], Message)
    assert difference.message == "gives NaN with in a compiled step"


def test_a_judge_gets_no_arrays_that_broadcast_to_more_than_memory_holds() -> None:
    seen: list[object] = []
    check = Check("key", "title", 1.0, probe=lambda: None, judge=seen.append, tolerance=0.0)
    long, wide = np.zeros((1 << 14, 1)), np.zeros((1, 1 << 14))
    assert problem(check, Outcome({"long": long, "again": [long]}), Outcome()) is None and len(seen) == 1
    difference = problem(check, Outcome({"long": long, "wide": [wide]}), Outcome())
    assert difference is not None and len(seen) == 1
    assert difference.message == "returned a dictionary of 2 values, which is something else than asked for"


def test_a_huge_number_of_a_span_takes_no_memory() -> None:
    token_ids = np.full((4, 9), 30)
    ids_and_spans = {"token_ids": token_ids, "spans": token_ids - token_ids}
    ids_and_spans["spans"][:, 2] = 1
    ids_and_spans["spans"][0, 0] = 10_000_000
    tracemalloc.start()
    try:
        judge_lengths({"with p=0.2": {**ids_and_spans, "p": 0.2, "longest": 10}})
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_queries_and_keys_of_another_shape_are_not_multiplied() -> None:
    check = chapter(9).exercises["rotate"].checks
    judged = next(one for one in check if one.judge)
    long = np.ones((1 << 14, 1), "float32")
    difference = problem(judged, Outcome({"here": (long, long), "there": (long, long)}), Outcome())
    assert difference is not None and "something else than asked for" in difference.message
