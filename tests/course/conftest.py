"""What the tests of the library share. KERAS_BACKEND names the backend that they run on."""

from __future__ import annotations

import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("MPLBACKEND", "agg")

import keras
import numpy as np
import pytest

# What these test is the same on every backend.
_OF_NO_BACKEND = (
    "datasets",
    "test_environment.py",
    "test_plots.py",
    "test_tokenization.py",
    "commands/test_prepare_command.py",
    "commands/test_search_commands.py",
    "corpus/test_epochs.py",
    "corpus/test_own_files.py",
    "corpus/test_preparation.py",
    "corpus/test_text_rows.py",
    "entities/test_scores.py",
    "entities/test_tags.py",
    "entities/test_viterbi.py",
    "matching/test_ranking_scores.py",
    "matching/test_thresholds.py",
    "objectives/test_corruption.py",
    "objectives/test_languages.py",
    "retrieval/test_headlines.py",
    "retrieval/test_trade_off.py",
    "search",
    "tagging/test_showing.py",
    "tagging/test_texts.py",
    "tables",
    "text/test_offsets.py",
    "text/test_sentences.py",
    "text/test_vocabulary.py",
    "text/test_wordpiece.py",
    "training/test_curves.py",
    "training/test_recorded_run.py",
    "training/test_custom_texts.py",
    "training/test_tensorboard.py",
)
# What these test goes through a backend as the layers do. JAX compiles each of their models, which takes minutes, and
# PyTorch, which compiles nothing, has shown that they need no TensorFlow.
_OF_ONE_OTHER_BACKEND = (
    "commands/test_compress_command.py",
    "commands/test_finetune_commands.py",
    "commands/test_interrupts_in_a_terminal.py",
    "commands/test_own_classes.py",
    "commands/test_tag_command.py",
    "commands/test_translate_command.py",
    "evaluation/test_fill_mask.py",
    "evaluation/test_head_probes.py",
    "retrieval/test_training.py",
    "small_models/test_distillation.py",
    "tagging/test_tagger.py",
    "training/test_mean_pooling.py",
    "training/test_bad_input_of_training.py",
    "training/test_objectives_run.py",
    "translation/test_translators.py",
)

collect_ignore: list[str] = []
if keras.backend.backend() != "tensorflow":
    collect_ignore += _OF_NO_BACKEND
if keras.backend.backend() == "jax":
    collect_ignore += _OF_ONE_OTHER_BACKEND


@pytest.fixture
def random() -> np.random.Generator:
    """The same random numbers in every run."""
    return np.random.default_rng(2017)
