"""Pseudo-labels of a teacher: which texts get them, and their values."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops
from scipy.special import softmax

from course.classification import Inputs, TextClassifier
from course.compression import pseudo_labels
from course.encoder import BertEncoder
from tests.closeness import assert_close

CLASSES, LENGTH, TEXTS = 3, 6, 11


@pytest.fixture(scope="module")
def teacher() -> TextClassifier:
    keras.utils.set_random_seed(5)
    encoder = BertEncoder(23, 1, num_heads=2, hidden_dim=8, intermediate_dim=9, max_length=LENGTH, dropout=0.5)
    made = TextClassifier(encoder, CLASSES, dropout=0.5)
    made.build({"token_ids": (None, None)})
    random = np.random.default_rng(5)
    made.set_weights([random.normal(size=weight.shape).astype("float32") for weight in made.weights])
    return made


def texts(random: np.random.Generator, count: int = TEXTS, length: int = LENGTH) -> Inputs:
    token_ids = random.integers(1, 23, (count, length)).astype("int32")
    token_ids[np.arange(length) >= random.integers(2, length + 1, count)[:, None]] = 0
    return {"token_ids": token_ids, "segment_ids": np.zeros_like(token_ids), "padding_mask": token_ids != 0}


def probabilities(teacher: TextClassifier, inputs: Inputs) -> np.ndarray:
    """Return the teacher's probabilities, computed text by text."""
    rows = ({name: array[i : i + 1] for name, array in inputs.items()} for i in range(len(inputs["token_ids"])))
    return softmax(np.concatenate([ops.convert_to_numpy(teacher(row, training=False)) for row in rows]), axis=1)


@pytest.mark.parametrize("batch_size", [1, 4, 64])
def test_labels_are_the_teachers_probabilities_in_order(batch_size: int, teacher, random: np.random.Generator) -> None:
    inputs = texts(random)
    kept, labels = pseudo_labels(teacher, inputs, batch_size)
    np.testing.assert_array_equal(kept, np.arange(TEXTS))
    assert_close(labels, probabilities(teacher, inputs))
    assert (kept.dtype, labels.dtype) == (np.int64, np.float32)


def test_hard_labels_are_classes(teacher, random: np.random.Generator) -> None:
    inputs = texts(random)
    kept, labels = pseudo_labels(teacher, inputs, soft=False)
    np.testing.assert_array_equal(labels, probabilities(teacher, inputs).argmax(axis=1))
    assert len(kept) == len(labels) == TEXTS and labels.dtype.kind == "i"


def test_texts_below_the_threshold_are_dropped(teacher, random: np.random.Generator) -> None:
    inputs = texts(random)
    highest = probabilities(teacher, inputs).max(axis=1)
    threshold = float(np.sort(highest)[4:6].mean())
    kept, labels = pseudo_labels(teacher, inputs, threshold=threshold)
    np.testing.assert_array_equal(kept, np.flatnonzero(highest >= threshold))
    assert_close(labels, probabilities(teacher, inputs)[kept])
    none, nothing = pseudo_labels(teacher, inputs, threshold=1.0)
    assert (none.shape, nothing.shape) == ((0,), (0, CLASSES))


def test_excluded_texts_are_dropped_whatever_their_padding(teacher, random: np.random.Generator) -> None:
    inputs = texts(random)
    longer = {name: np.pad(array[[2, 7]], ((0, 0), (0, 3))) for name, array in inputs.items()}
    kept, labels = pseudo_labels(teacher, inputs, exclude=longer)
    np.testing.assert_array_equal(kept, [0, 1, 3, 4, 5, 6, 8, 9, 10])
    assert_close(labels, probabilities(teacher, inputs)[kept])
