"""What the tests of the library share. KERAS_BACKEND names the backend that they run on."""

from __future__ import annotations

import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("MPLBACKEND", "agg")

import numpy as np
import pytest
from hypothesis import settings

# The first call of an operation compiles it: an example may take long, and that is no failure.
settings.register_profile("course", deadline=None, derandomize=True, max_examples=12)
settings.load_profile("course")


@pytest.fixture
def random() -> np.random.Generator:
    """The same random numbers in every run."""
    return np.random.default_rng(2017)
