"""No points for no answer: what does not look at its inputs passes no check that looks at one property of answers."""

from __future__ import annotations

import dataclasses
import functools
from functools import cache
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from grading.exercises.registry import chapter, chapters
from grading.judging.expectations import LiveExpectations
from grading.judging.verdict import judge_exercise
from grading.sandbox.interpreter import Interpreter
from tests.grading.judging.undiagnosed import WithoutMistakes, results

# Whole models, in which the same mechanism takes half a minute.
SLOW = {"EncoderBlock", "BertEncoder", "BertPretrainer", "TextClassifier", "fine_tune", "PositionedAttention"}
JUDGED = [
    (number, name)
    for number, of in chapters().items()
    for name, exercise in of.exercises.items()
    if any(check.judge for check in exercise.checks) and name not in SLOW
]
# An answer that holds no numbers to take away.
NOTHING = {"sentence_pairs": lambda *args, **kwargs: []}


@cache
def live(number: int) -> LiveExpectations:
    return WithoutMistakes(chapter(number), secret=b"tests")


def zeros_like(answer: Any) -> Any:
    return keras.tree.map_structure(
        lambda part: part * 0 if hasattr(part, "shape") or isinstance(part, int | float) else part, answer
    )


def blank(reference: Any) -> Any:
    """The reference, with zeros for all numbers that it gives."""
    if not isinstance(reference, type):
        return lambda *args, **kwargs: zeros_like(reference(*args, **kwargs))

    class Blank(reference):
        def call(self, *args: Any, **kwargs: Any) -> Any:
            return zeros_like(super().call(*args, **kwargs))

    return Blank


@pytest.mark.parametrize(("number", "name"), JUDGED, ids=str)
def test_zeros_earn_nothing_with_a_judge(number: int, name: str, tmp_path: Path) -> None:
    whole = chapter(number).exercises[name]
    exercise = dataclasses.replace(whole, checks=[check for check in whole.checks if check.judge])
    session = Interpreter(tmp_path, {name: NOTHING.get(name) or blank(whole.reference)})
    assert not [result.check.key for result in results(exercise, session, live(number)) if result.passed]


def test_noise_that_no_input_changes_earns_nothing(tmp_path: Path) -> None:
    def scaled_dot_product_attention(query, key, value, mask=None):
        weights = np.random.rand(*query.shape[:-1], key.shape[-2])
        return np.random.rand(*query.shape[:-1], value.shape[-1]), weights

    exercise = chapter(3).exercises["scaled_dot_product_attention"]
    session = Interpreter(tmp_path, {exercise.name: scaled_dot_product_attention})
    result = judge_exercise(exercise, session, live(3))
    assert result.earned == 0
    told = {check.check.key: check.difference.message for check in result.checks if check.difference}
    assert told["finite"] == "counts only once one of the other checks shows that the values are right"


# What these give is not what they did: a model has been trained.
TRAINED = {"fine_tune", "Electra"}
COMPARED = [
    (number, name)
    for number, of in chapters().items()
    for name, exercise in of.exercises.items()
    if name not in TRAINED
    if any(check.judge for check in exercise.checks) and any(check.judge is None for check in exercise.checks)
]


def scrambled(answer: Any) -> Any:
    """Of the same form, finite and other for other inputs, and right nowhere."""

    def scramble(part: Any) -> Any:
        if "float" in str(getattr(part, "dtype", "")):
            return keras.ops.cast(1.5 + keras.ops.sin(31 * keras.ops.cast(part, "float32")), part.dtype)
        if hasattr(part, "dtype") or isinstance(part, int | float):
            return part + 1 if "bool" not in str(getattr(part, "dtype", type(part))) else part
        return part

    return keras.tree.map_structure(scramble, answer)


@pytest.mark.parametrize(("number", "name"), COMPARED, ids=str)
def test_a_property_alone_earns_nothing(number: int, name: str, tmp_path: Path) -> None:
    exercise = chapter(number).exercises[name]
    reference = exercise.reference
    if isinstance(reference, type):
        method = "call" if hasattr(reference, "call") else "compute_loss"
        right = getattr(reference, method)
        wrong = {method: lambda self, *args, **kwargs: scrambled(right(self, *args, **kwargs))}
        implementation = type(name, (reference,), wrong)
    else:
        implementation = functools.wraps(reference)(lambda *args, **kwargs: scrambled(reference(*args, **kwargs)))
    found = results(exercise, Interpreter(tmp_path, {name: implementation}), live(number))
    assert not [result.check.key for result in found if result.check.judge and result.passed]


def test_a_text_that_is_never_changed_earns_nothing(tmp_path: Path) -> None:
    exercise = chapter(11).exercises["corrupt"]
    session = Interpreter(tmp_path, {exercise.name: lambda token_ids, *args, **kwargs: list(token_ids)})
    assert judge_exercise(exercise, session, live(11)).earned == 0
