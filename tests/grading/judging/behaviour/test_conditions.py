"""If no known mistake explains a wrong layer, observations say which of its parts is wrong, and for which inputs."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from course.attention import MultiHeadAttention
from course.encoder import EncoderBlock
from grading.exercises.registry import chapters
from grading.judging.behaviour.conditions import right_under, under_conditions
from grading.judging.frozen import frozen_exercise, packed, unpacked
from grading.judging.probing import Outcome
from grading.judging.verdict import judge_exercise
from grading.sandbox.interpreter import Interpreter
from tests.grading.judging.undiagnosed import WithoutMistakes

SECRET = b"tests"


class SquashedQueries(MultiHeadAttention):
    def _position(self, query: Any, key: Any) -> tuple[Any, Any]:
        return 2 * ops.tanh(query / 2), key


class StretchedQueries(MultiHeadAttention):
    def _position(self, query: Any, key: Any) -> tuple[Any, Any]:
        return 1.3 * query, key


class SquashedEverywhere(MultiHeadAttention):
    def build(self, *shapes: Any) -> None:
        super().build(*shapes)
        for projection in (self.query_dense, self.key_dense, self.value_dense, self.output_dense):
            projection.activation = keras.activations.tanh


class ClippedFeedForward(EncoderBlock):
    def build(self, x_shape: tuple) -> None:
        super().build(x_shape)
        right = self.feed_forward.call
        self.feed_forward.call = lambda x: ops.clip(right(x), -0.5, 0.5)


WRONG = [
    (
        3,
        "MultiHeadAttention",
        SquashedQueries,
        "The result is right while the numbers in the weights of `query` are small",
    ),
    (3, "MultiHeadAttention", StretchedQueries, "The result is right if the weights of `query` or `key` are 0"),
    (3, "MultiHeadAttention", SquashedEverywhere, "The result is right while the numbers in all weights are small"),
    (
        4,
        "EncoderBlock",
        ClippedFeedForward,
        "The result is right while the numbers in the weights of `feed_forward` are small",
    ),
]


@pytest.mark.parametrize(("number", "name", "wrong", "sentence"), WRONG, ids=[wrong.__name__ for *_, wrong, _ in WRONG])
def test_the_wrong_part_is_named(number: int, name: str, wrong: Any, sentence: str, tmp_path: Path) -> None:
    chapter = chapters()[number]
    expectations = WithoutMistakes(chapter, secret=SECRET)
    result = judge_exercise(chapter.exercises[name], Interpreter(tmp_path, {name: wrong}), expectations)
    assert any(sentence in one.sentence for one in result.observed), result.observed


def test_a_release_stores_the_results_of_the_reference_under_conditions() -> None:
    chapter = chapters()[3]
    exercise = chapter.exercises["scaled_dot_product_attention"]
    live = WithoutMistakes(chapter)
    conditional = {
        check.key: [live.conditional(exercise, check, replay) for replay in (0, 1)] for check in exercise.checks
    }
    frozen = unpacked(packed(frozen_exercise({}, {}, conditional)))["conditional"]
    assert any(of_check for (of_check, *_) in frozen.values())
    for check, replay in itertools.product(exercise.checks, (0, 1)):
        expected = live.conditional(exercise, check, replay)
        stored = frozen[check.key][replay]
        assert stored.keys() == expected.keys()
        given = {condition: Outcome(value) for condition, value in stored.items()}
        whole = (live.reference(exercise, check, replay),) * 2
        seen = (right_under(exercise, check, conditional, expected, whole) for conditional in (given, expected))
        assert next(seen) == next(seen)


def test_an_empty_part_of_an_answer_is_not_compared() -> None:
    exercise = chapters()[3].exercises["MultiHeadAttention"]
    some, empty = np.arange(12.0).reshape(3, 4), np.zeros((0, 4))
    expected = {f"weights/query/{how}": Outcome([size * some, empty]) for how, size in (("none", 0.0), ("small", 0.1))}
    whole = (Outcome([some + 5, empty]), Outcome([some, empty]))
    (seen,) = right_under(exercise, exercise.checks[0], expected, expected, whole)
    assert "in the weights of `query` are small" in seen.sentence


def test_an_answer_of_another_shape_is_right_under_no_condition(tmp_path: Path) -> None:
    chapter = chapters()[3]
    exercise = chapter.exercises["scaled_dot_product_attention"]
    expectations = WithoutMistakes(chapter, secret=SECRET)
    check = next(check for check in exercise.checks if expectations.conditional(exercise, check))
    expected = expectations.conditional(exercise, check)
    nothing = Interpreter(tmp_path, {exercise.name: lambda query, key, value, mask=None: (0 * query, np.zeros(1))})
    given = under_conditions(exercise, check, nothing, SECRET, conditions=expected)
    assert given.keys() == expected.keys()
    assert right_under(exercise, check, given, expected, (expectations.reference(exercise, check),) * 2) == {}


def test_an_error_that_grows_with_its_argument_is_not_blamed_on_size() -> None:
    """An error of a thousandth is small for small numbers, but no smaller a share of them."""
    exercise = chapters()[3].exercises["MultiHeadAttention"]
    whole, rest = np.arange(12.0).reshape(3, 4), np.ones((3, 4))
    sizes = {"none": 0.0, "small": 0.01}
    expected = {f"0/{how}": Outcome(size * whole + rest) for how, size in sizes.items()}
    always = {f"0/{how}": Outcome(1.001 * size * whole + rest) for how, size in sizes.items()}
    of_large = {f"0/{how}": Outcome(size * whole + rest) for how, size in sizes.items()}
    both = (Outcome(1.001 * whole + rest), Outcome(whole + rest))
    assert right_under(exercise, exercise.checks[0], always, expected, both) == {}
    (seen,) = right_under(exercise, exercise.checks[0], of_large, expected, both)
    assert "are small, and wrong for larger ones" in seen.sentence


def test_a_sample_that_is_wrong_alone_is_not_blamed_on_the_batch() -> None:
    exercise = chapters()[3].exercises["MultiHeadAttention"]
    random = np.random.default_rng(3)
    samples = random.normal(size=(3, 1, 5, 4))
    expected = {f"batch/{number}/3": Outcome(sample) for number, sample in enumerate(samples)}
    whole = (Outcome(2 * np.concatenate(samples)), Outcome(np.concatenate(samples)))
    (seen,) = right_under(exercise, exercise.checks[0], expected, expected, whole)
    assert seen.sentence == "The result is right for each sample alone, and wrong for several in a batch."
    given = expected | {"batch/2/3": Outcome(2 * samples[2])}
    assert right_under(exercise, exercise.checks[0], given, expected, whole) == {}
    # Time may be over before all are tried.
    tried = {condition: outcome for condition, outcome in expected.items() if condition != "batch/1/3"}
    assert right_under(exercise, exercise.checks[0], tried, tried, whole) == {}
