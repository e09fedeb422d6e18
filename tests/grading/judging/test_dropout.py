"""Right dropout is let through, and each kind of wrong one is told apart, whatever the seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from course.attention import MultiHeadAttention
from grading.exercises.registry import chapters
from grading.judging.dropout import drops_within, wrong_dropout
from grading.judging.expectations import LiveExpectations
from grading.judging.probing import run_probe
from grading.judging.verdict import judge_exercise
from grading.sandbox.interpreter import Interpreter

RATE, SHAPE = 0.3, (60, 5, 4)


def dropped(seed: int, keep: np.ndarray | None = None, rate: float = RATE, scale: float = 1 / (1 - RATE)) -> str | None:
    random = np.random.RandomState(seed)
    quiet = 1 + random.rand(*SHAPE)
    kept = random.rand(*SHAPE) >= rate if keep is None else keep
    return wrong_dropout(quiet * kept * scale, quiet, RATE, "features")


@pytest.mark.parametrize("seed", range(40))
def test_each_by_itself_and_the_others_scaled_up(seed: int) -> None:
    assert dropped(seed) is None


@pytest.mark.parametrize("axis", [1, 2])
def test_what_falls_together_is_seen(axis: int) -> None:
    shape = [1 if place == axis else size for place, size in enumerate(SHAPE)]
    keep = np.broadcast_to(np.random.RandomState(1).rand(*shape) >= RATE, SHAPE)
    assert dropped(1, keep) == "drops features together; wanted each by itself"


def test_shares_and_scales() -> None:
    assert dropped(2, rate=1 - (1 - RATE) ** 2) == "drops another share of features than 0.3"  # dropped twice
    assert dropped(3, scale=1.0) == "does not keep the other features, divided by 0.7"
    assert dropped(4, rate=0.0) == "changes features in training, but drops none of them"


@pytest.mark.parametrize("seed", range(10))
def test_what_is_dropped_within_a_part_is_seen_whatever_stands_around_it(seed: int) -> None:
    random = np.random.RandomState(seed)
    x, returned = random.randn(5, 6), np.eye(1, 6)  # a part returns one feature
    of_all_weights = np.where(random.rand(12, 5, 1) < RATE, 0, 1.7)
    of_some_weights = of_all_weights * random.binomial(4, 0.5, (12, 5, 1))
    for path in (x, x / x.std(axis=-1, keepdims=True)):
        for after in (lambda out: out, lambda out: (out - out.mean(-1, keepdims=True)) / out.std(-1, keepdims=True)):
            assert not drops_within(after(path + of_all_weights * returned))
            assert drops_within(after(path + of_some_weights * returned))


class DropsMergedHeads(MultiHeadAttention):
    def build(self, *shapes: Any) -> None:
        super().build(*shapes)
        project, drop = self.output_dense.call, keras.layers.Dropout(self.dropout)
        self.output_dense.call = lambda merged, **_: project(drop(merged, training=self.is_training))

    def call(self, *inputs: Any, training: bool | None = None, **options: Any) -> Any:
        self.is_training = training
        return super().call(*inputs, training=False, **options)


class DropsItsOutput(MultiHeadAttention):
    def call(self, *inputs: Any, training: bool | None = None, **options: Any) -> Any:
        return self.dropout_layer(super().call(*inputs, training=False, **options), training=training)


@pytest.mark.parametrize(
    ("wrong", "what"), [(MultiHeadAttention, None), (DropsMergedHeads, "merged heads"), (DropsItsOutput, "output")]
)
def test_what_attention_drops_instead_of_weights_is_said(wrong: Any, what: str | None, tmp_path: Path) -> None:
    exercise = chapters()[3].exercises["MultiHeadAttention"]
    check = next(check for check in exercise.checks if check.key == "dropout")
    outcome = run_probe(exercise, check, Interpreter(tmp_path, {exercise.name: wrong}), b"tests")
    assert check.judge is not None
    said = check.judge(outcome.value)
    assert said == (what and f"drops features of the {what}; it should drop attention weights")


def test_what_seems_dropped_is_not_said_where_a_named_mistake_explains_it(tmp_path: Path) -> None:
    """The judge reads the weights from the values, which are others here."""
    exercise = chapters()[3].exercises["MultiHeadAttention"]
    chapters()[3].load_mistakes()
    values = next(one for one in exercise.mistakes if one.sentence.startswith("The values are the keys"))
    session = Interpreter(tmp_path, {exercise.name: values.make()})
    result = judge_exercise(exercise, session, LiveExpectations(chapters()[3]))
    (dropout,) = [one for one in result.checks if one.check.key == "dropout"]
    assert values in result.mistakes
    assert dropout.difference and dropout.difference.message.startswith("fails, too; that may follow")
