"""A classifier that uses every token: compared with a computation by hand, and saved and loaded."""

from pathlib import Path

import keras
import numpy as np
import pytest

from course.data.datasets import TOPICS
from course.training.classifier_file import Reader, load_classifier, save_classifier
from course.training.mean_pooling import AveragingClassifier
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.training.tiny_classifier import LENGTH, NUM_CLASSES, PIECES, classifier, texts


def averaging(dropout: float = 0.0, dtype: str = "float32") -> AveragingClassifier:
    model = AveragingClassifier(classifier(dtype=dtype).encoder, NUM_CLASSES, dropout, name="classifier", dtype=dtype)
    model.build({"token_ids": (None, None)})
    return model


def test_adds_the_mean_over_a_text_to_the_pooled_output() -> None:
    model, (inputs, _) = averaging(), texts(7, seed=2)
    outputs = model.encoder(inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"])
    features = array(outputs["pooled_output"]).astype("float64")
    for row, length in enumerate(inputs["padding_mask"].sum(axis=1)):
        features[row] += array(outputs["sequence_output"])[row, :length].mean(axis=0)
    kernel, bias = map(array, model.logits_dense.weights)
    assert_close(array(model(inputs)), features @ kernel + bias)


def test_padding_is_ignored_with_and_without_a_mask() -> None:
    model, (inputs, _) = averaging(), texts(7, seed=2)
    alone = {"token_ids": inputs["token_ids"], "segment_ids": inputs["segment_ids"]}
    assert_close(array(model(alone)), array(model(inputs)), 1e-6)
    row = np.argmin(inputs["padding_mask"].sum(axis=1))
    length = inputs["padding_mask"][row].sum()
    assert length < inputs["padding_mask"].shape[1]
    short = {name: rows[row : row + 1, :length] for name, rows in inputs.items()}
    assert_close(array(model(short))[0], array(model(inputs))[row])


def test_drops_in_training_only() -> None:
    model, (inputs, _) = averaging(dropout=0.5), texts(4, seed=2)
    quiet = array(model(inputs))
    np.testing.assert_array_equal(array(model(inputs, training=False)), quiet)
    assert not np.allclose(array(model(inputs, training=True)), quiet)


@pytest.mark.parametrize("dtype", ["float32", "mixed_bfloat16"])
def test_is_saved_and_loaded(tmp_path: Path, dtype: str) -> None:
    model, (inputs, _) = averaging(dtype=dtype), texts(4, seed=2)
    save_classifier(tmp_path / "a.keras", model, Reader(PIECES, TOPICS, LENGTH))
    again, _ = load_classifier(tmp_path / "a.keras")
    plain = averaging()
    plain.set_weights(model.get_weights())
    assert isinstance(again, AveragingClassifier)
    assert isinstance(keras.saving.load_model(tmp_path / "a.keras"), AveragingClassifier)
    assert_close(array(again(inputs)), array(plain(inputs)))
