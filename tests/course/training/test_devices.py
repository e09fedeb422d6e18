"""Training on several virtual devices. TensorFlow must know them before it starts, so it runs in another process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import keras
import numpy as np
import pytest

PROJECT = Path(__file__).parents[3]
STEPS = "tests.course.training.steps_on_devices"


def trained(*runs: tuple[int, str, np.ndarray]) -> list[list[np.ndarray]]:
    """Return the weights after a step over every four examples; at first, the weights are ones and zeros.

    Args:
        runs: for each run, the number of devices, the dtype and the examples.
    """
    given = json.dumps([(devices, dtype, examples.tolist()) for devices, dtype, examples in runs])
    command = [sys.executable, "-m", STEPS, given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=PROJECT)
    assert done.returncode == 0, done.stderr[-2000:]
    return [[np.array(weight) for weight in weights] for weights in json.loads(done.stdout.splitlines()[-1])]


pytestmark = pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="only TensorFlow's behaviour is changed"
)


def test_gradients_are_clipped_when_they_are_added_up() -> None:
    """The halves of each batch have opposed gradients, so each alone has a longer gradient than both together."""
    random = np.random.default_rng(5)
    sizes = np.array([3.0, 0.02, 40.0])[:, np.newaxis, np.newaxis]  # of three batches: Adam depends on their ratios
    halves = random.normal(size=(3, 2, 3)) * sizes
    examples = np.concatenate([halves, -0.9 * halves], axis=1).reshape(12, 3)
    both, single = trained((2, "float32", examples), (1, "float32", examples))
    for together, alone in zip(both, single, strict=True):
        np.testing.assert_allclose(together, alone, rtol=1e-5, atol=1e-6)


def test_an_overflow_on_one_device_skips_the_step_on_all() -> None:
    """A gradient is infinite in float16, on the second device alone."""
    examples = np.ones((8, 3))
    overflowing = examples.copy()
    overflowing[7] = 60_000.0
    once, twice, skipped = trained(*((2, "mixed_float16", given) for given in (examples[:4], examples, overflowing)))
    assert all((first != second).all() for first, second in zip(once, twice, strict=True))
    for first, second in zip(once, skipped, strict=True):
        np.testing.assert_array_equal(first, second)
