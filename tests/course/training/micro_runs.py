"""Pretrainings of seconds: their sizes, a watcher for them, and how to compare two of them."""

from __future__ import annotations

import resource
from pathlib import Path

import keras
import numpy as np
from safetensors.numpy import load_file

from course.training.pretraining import CHECKPOINT
from course.training.pretraining_settings import Settings

MICRO = {"num_layers": 1, "num_heads": 2, "hidden_dim": 12, "intermediate_dim": 20}
BUCKETS = 1 if keras.backend.backend() == "jax" else 2  # JAX compiles again for each
SETTINGS = Settings("micro", 1.0, max_length=16, batch_tokens=96, num_buckets=BUCKETS, warmup=0.2, log_every=4, seed=3)


class Killed(Exception):
    """Simulates the end of the process."""


class Watcher:
    """Counts steps, and at one of them ends the run, or limits the size of files, as a full disk would."""

    def __init__(self, killed_at: float = np.inf, fills_disk_at: float = np.inf) -> None:
        self.killed_at = killed_at
        self.fills_disk_at = fills_disk_at
        self.steps: list[int] = []
        self.rows: list[dict[str, float]] = []

    def begin(self, total: int, done: int) -> None:
        self.total, self.done = total, done

    def step(self, tokens: int) -> None:
        self.steps.append(tokens)
        if len(self.steps) + self.done == self.killed_at:
            raise Killed
        if len(self.steps) == self.fills_disk_at:
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    def row(self, row: dict[str, float]) -> None:
        self.rows.append(row)


def state(folder: Path) -> dict[str, np.ndarray]:
    return load_file(folder / CHECKPOINT)


def assert_same_state(first: Path, second: Path) -> None:
    expected, actual = state(first), state(second)
    assert expected.keys() == actual.keys()
    for name in expected:
        np.testing.assert_array_equal(expected[name], actual[name], err_msg=name)
