"""The token classifier and its loss agree with Hugging Face's on the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from course.encoder import BertEncoder
from course.entities import TokenClassifier, token_loss
from course.weights import load_hugging_face
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.gradients import gradient
from tests.course.hugging_face import HIDDEN_DIM, VOCABULARY_SIZE, outputs_of, published

LENGTH, NUM_TAGS = 9, 5


def tagger(dropout: float = 0.0, dtype: str = "float32") -> TokenClassifier:
    keras.utils.set_random_seed(3)
    sizes = (VOCABULARY_SIZE, 1, 3, HIDDEN_DIM, 20)
    encoder = BertEncoder(*sizes, max_length=LENGTH, dropout=0.0, dtype=dtype, name="encoder")
    return TokenClassifier(encoder, NUM_TAGS, dropout, dtype=dtype)


def inputs(random: np.random.Generator, lengths: tuple[int, ...] = (9, 4)) -> dict[str, Any]:
    shape = (len(lengths), LENGTH)
    return {
        "token_ids": random.integers(1, VOCABULARY_SIZE, shape, dtype="int32"),
        "segment_ids": np.zeros(shape, "int32"),
        "padding_mask": np.arange(LENGTH) < np.array(lengths)[:, None],
    }


def test_logits_and_loss_agree_with_hugging_face(tmp_path: Path, random: np.random.Generator) -> None:
    theirs = published(tmp_path, "BertForTokenClassification", max_position_embeddings=LENGTH, num_labels=NUM_TAGS)
    ours = TokenClassifier(load_hugging_face(tmp_path), NUM_TAGS, dropout=0.0)
    ours.build({"token_ids": (None, None)})
    kernel, bias = (weight.detach().numpy() for weight in (theirs.classifier.weight, theirs.classifier.bias))
    ours.logits_dense.set_weights([kernel.T, bias])

    given = inputs(random)
    labels = random.integers(0, NUM_TAGS, (2, LENGTH))
    labels[:, 0], labels[1, 2:] = -100, -100
    expected = outputs_of(theirs, **given, labels=labels)
    logits = array(ours(given))
    real = given["padding_mask"]
    np.testing.assert_allclose(logits[real], expected.logits.numpy()[real], atol=1e-4, rtol=1e-4)
    loss = float(token_loss(labels, expected.logits.numpy()))
    assert loss == pytest.approx(float(expected.loss), abs=1e-5)


def test_padding_does_not_change_logits(random: np.random.Generator) -> None:
    model, given = tagger(), inputs(random, (4, 4))
    alone = {name: values[:, :4] for name, values in given.items()}
    assert_close(array(model(given))[:, :4], array(model(alone)))


def test_dropout_acts_only_in_training(random: np.random.Generator) -> None:
    model, given = tagger(dropout=0.5), inputs(random)
    quiet, training = array(model(given)), array(model(given, training=True))
    np.testing.assert_array_equal(quiet, array(model(given, training=False)))
    assert np.abs(quiet - training).max() > 1e-3


def test_saved_model_loads_unchanged(tmp_path: Path, random: np.random.Generator) -> None:
    model, given = tagger(), inputs(random)
    before = array(model(given))
    model.save(tmp_path / "tagger.keras")
    loaded = keras.saving.load_model(tmp_path / "tagger.keras")
    assert isinstance(loaded, TokenClassifier)
    assert_close(array(loaded(given)), before, 1e-6)


def test_training_lowers_the_loss(random: np.random.Generator) -> None:
    model, given = tagger(dropout=0.1), inputs(random)
    labels = random.integers(0, NUM_TAGS, (2, LENGTH)).astype("int32")
    # Keras passes labels to a loss as floats.
    model.compile(keras.optimizers.Adam(1e-2), lambda true, logits: token_loss(ops.cast(true, "int32"), logits))
    losses = [float(model.train_on_batch(given, labels)) for _ in range(8)]
    assert losses[-1] < losses[0] / 2


def cross_entropies(labels: np.ndarray, logits: np.ndarray) -> np.ndarray:
    logits = logits.astype("float64")
    chosen = np.take_along_axis(logits, np.maximum(labels, 0)[..., None], axis=-1)[..., 0]
    return np.log(np.exp(logits).sum(axis=-1)) - chosen


def test_the_loss_is_the_mean_over_labelled_tokens_of_the_batch(random: np.random.Generator) -> None:
    logits = random.normal(size=(3, 7, NUM_TAGS)).astype("float32")
    labels = random.integers(0, NUM_TAGS, (3, 7))
    labels[0, 1:], labels[1, ::2] = -100, -100
    expected = cross_entropies(labels, logits)[labels >= 0].mean()
    assert float(token_loss(labels, logits)) == pytest.approx(expected, abs=1e-6)
    assert float(token_loss(np.where(labels < 0, 9, labels), logits, ignore=9)) == pytest.approx(expected, abs=1e-6)


def test_without_labels_loss_and_gradient_are_zero() -> None:
    labels, logits = np.full((2, 3), -100), np.ones((2, 3, 4), "float32")
    assert float(token_loss(labels, logits)) == 0
    np.testing.assert_array_equal(gradient(lambda x: token_loss(labels, x), logits), 0)


def test_ignored_tokens_have_no_gradient(random: np.random.Generator) -> None:
    labels = np.array([[2, -100, 0]])
    found = gradient(lambda x: token_loss(labels, x), random.normal(size=(1, 3, 4)).astype("float32"))
    np.testing.assert_array_equal(found[0, 1], 0)
    assert (np.abs(found[0, [0, 2]]) > 1e-3).all()


def test_half_precision_is_computed_in_float32() -> None:
    logits = np.array([[[11.0, 0.0, 1.0]]], "float16")
    loss = token_loss(np.array([[1]]), ops.convert_to_tensor(logits))
    assert keras.backend.standardize_dtype(loss.dtype) == "float32"
    assert float(loss) == pytest.approx(cross_entropies(np.array([[1]]), logits)[0, 0], abs=1e-5)
