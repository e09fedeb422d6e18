"""Random numbers follow from the seed alone, whatever has run before, and prepared kernels stay."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

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


@tf.function
def traced(seed: int | None) -> tf.Tensor:
    return tf.random.uniform([2], seed=seed)


@pytest.mark.parametrize("seed", [None, 11])
@pytest.mark.parametrize("operation", [traced, lambda seed: tf.random.uniform([2], seed=seed)], ids=["traced", "eager"])
def test_an_operation_that_keeps_its_state_begins_again(operation: Any, seed: int | None) -> None:
    """Its own seed is no state of the process, and a function is traced once alone."""
    set_seed(5)
    first = [operation(seed), operation(seed)]
    set_seed(5)
    again = [operation(seed), operation(seed)]
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(*first)


KERNELS = """
import keras, tensorflow as tf
from tensorflow.python import pywrap_tfe
from grading.sandbox.seeding import set_seed

keras.utils.set_random_seed(1)
forgotten = []
pywrap_tfe.TFE_ContextClearCaches = forgotten.append
for operation in (keras.random.uniform, tf.random.uniform, keras.random.uniform):
    set_seed(2)
    operation([3])
set_seed(3)
print(len(forgotten))
"""


def test_kernels_are_forgotten_only_where_one_keeps_a_state() -> None:
    """Not before the second operation, and each time after it. Another process has drawn nothing yet."""
    said = subprocess.run([sys.executable, "-c", KERNELS], capture_output=True, text=True, timeout=300, check=True)
    assert said.stdout.split()[-1] == "2"


LATER = """
import json, random
import numpy as np
from grading.sandbox.seeding import set_seed

def draw():
    import {imported}
    import keras, tensorflow as tf
    drawn = [keras.random.uniform([3]), tf.random.uniform([2]), np.random.rand(4), [random.random()]]
    return [np.asarray(numbers).tolist() for numbers in drawn]

set_seed(4)
set_seed(5)
print(json.dumps(draw()))
set_seed(5)
print(json.dumps(draw()))
"""


@pytest.mark.parametrize("imported", ["keras", "tensorflow"])
def test_what_the_checked_code_itself_imports_is_seeded_then(imported: str) -> None:
    """The first numbers are those of a process that had imported everything before."""
    program = LATER.format(imported=imported)
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True)
    first, again = said.stdout.splitlines()[-2:]
    assert first == again
