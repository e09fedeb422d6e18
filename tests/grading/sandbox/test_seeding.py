"""Random numbers follow from the seed alone, whatever has run before, and prepared kernels stay."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python import pywrap_tfe

from grading.sandbox.seeding import set_seed


def draw() -> list[Any]:
    """From every generator that code of this course may use; the second one keeps its state in a kernel."""
    return [keras.random.uniform([3]), tf.random.uniform([2]), np.random.rand(4)]


def test_the_same_seed_gives_the_same_numbers_as_keras_does() -> None:
    set_seed(5)
    first = draw()
    set_seed(6)
    other = draw()
    set_seed(5)
    again = draw()
    keras.utils.set_random_seed(6)
    by_keras = draw()
    for numbers, same in zip([*first, *other], [*again, *by_keras], strict=True):
        np.testing.assert_array_equal(numbers, same)
    assert not any(np.array_equal(numbers, others) for numbers, others in zip(first, other, strict=True))


def test_kernels_are_forgotten_only_where_one_keeps_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten = []
    monkeypatch.setattr(pywrap_tfe, "TFE_ContextClearCaches", forgotten.append)
    keras.utils.set_random_seed(1)
    forgotten.clear()
    keras.random.uniform([3])
    set_seed(2)
    assert not forgotten
    tf.random.uniform([3])
    set_seed(3)
    assert len(forgotten) == 1
