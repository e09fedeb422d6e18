"""Shared by the tests of the library. KERAS_BACKEND names the backend that they run on."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("MPLBACKEND", "agg")

import keras
import numpy as np
import pytest

# Tests of code that is the same on every backend. Layers, losses and training differ.
_OF_NO_BACKEND = (
    "applications/retrieval",
    "applications/search",
    "applications/tagging",
    "commands",
    "data",
    "entities/test_scores.py",
    "entities/test_tags.py",
    "entities/test_viterbi.py",
    "evaluation",
    "explorer",
    "export",
    "matching/test_ranking_scores.py",
    "matching/test_thresholds.py",
    "objectives/test_corruption.py",
    "objectives/test_languages.py",
    "test_environment.py",
    "test_pictures.py",
    "test_plots.py",
    "test_tokenization.py",
    "training/test_curves.py",
    "training/test_custom_texts.py",
    "training/test_recorded_run.py",
    "training/test_tensorboard.py",
)
# Tests of code that uses a backend only as the layers do. They do not run on JAX, which takes minutes to compile their
# models. PyTorch, which compiles nothing, shows that they need no TensorFlow.
_OF_ONE_OTHER_BACKEND = (
    "applications/distillation/test_distillation.py",
    "applications/translation/test_translators.py",
    "training/test_bad_input_of_training.py",
    "training/test_mean_pooling.py",
    "training/test_objectives_run.py",
)

collect_ignore: list[str] = []
if keras.backend.backend() != "tensorflow":
    collect_ignore += _OF_NO_BACKEND
if keras.backend.backend() == "jax":
    collect_ignore += _OF_ONE_OTHER_BACKEND

assert all((Path(__file__).parent / name).exists() for name in (*_OF_NO_BACKEND, *_OF_ONE_OTHER_BACKEND))


@pytest.fixture
def random() -> np.random.Generator:
    """The same random numbers in every run."""
    return np.random.default_rng(2017)
