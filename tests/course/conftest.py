"""What the tests of the library share. KERAS_BACKEND names the backend that they run on."""

from __future__ import annotations

import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("MPLBACKEND", "agg")

import keras
import numpy as np
import pytest
from hypothesis import settings

# The first call of an operation compiles it: an example may take long, and that is no failure.
settings.register_profile("course", deadline=None, derandomize=True, max_examples=12)
settings.load_profile("course")

# What these test is the same on every backend.
_OF_NO_BACKEND = ("datasets", "epochs", "full_run", "preparation", "prepare_command", "vocabulary", "wordpiece")
if keras.backend.backend() != "tensorflow":
    collect_ignore = [f"test_{name}.py" for name in _OF_NO_BACKEND]


@pytest.fixture
def random() -> np.random.Generator:
    """The same random numbers in every run."""
    return np.random.default_rng(2017)
