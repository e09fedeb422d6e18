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
_OF_NO_BACKEND = (
    "datasets",
    "commands/test_prepare_command.py",
    "corpus/test_epochs.py",
    "corpus/test_preparation.py",
    "text/test_offsets.py",
    "text/test_vocabulary.py",
    "text/test_wordpiece.py",
    "training/test_full_run.py",
)
if keras.backend.backend() != "tensorflow":
    collect_ignore = list(_OF_NO_BACKEND)


@pytest.fixture
def random() -> np.random.Generator:
    """The same random numbers in every run."""
    return np.random.default_rng(2017)
