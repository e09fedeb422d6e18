"""A classifier stored in 8 bits is, once loaded, a classifier like any other."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import keras
import numpy as np
import pytest

from course.applications.distillation.int8 import megabytes, rounded_to
from course.classification import TextClassifier
from course.data.datasets import TOPICS
from course.encoder import BertEncoder
from course.errors import CourseError
from course.training.classifier_file import Reader, load_classifier, save_classifier
from course.training.logits import predict_logits
from course.training.mean_pooling import AveragingClassifier
from tests.course.arrays import array
from tests.course.training.tiny_classifier import LENGTH, PIECES, classifier, texts

READER = Reader(PIECES, TOPICS, LENGTH, ("said",), lowercase=False)


def rewritten(path: Path, name: str, content: str | bytes | None) -> Path:
    """Replace the content of one part of a file, or remove the part."""
    with zipfile.ZipFile(path) as archive:
        parts = {part: archive.read(part) for part in archive.namelist() if part != name}
    with zipfile.ZipFile(path, "w") as archive:
        for part, part_content in {**parts, **({} if content is None else {name: content})}.items():
            archive.writestr(part, part_content)
    return path


@pytest.mark.parametrize("kind", [TextClassifier, AveragingClassifier])
def test_loads_the_rounded_weights_as_floats(tmp_path: Path, kind: type[TextClassifier]) -> None:
    model = kind(classifier(dropout=0.3).encoder, len(TOPICS), dropout=0.2)
    model.build({"token_ids": (None, None)})
    for weight in model.weights:  # so that no bias is 0, and no gamma 1
        weight.assign(weight + 0.1 * keras.random.normal(weight.shape, seed=2))
    save_classifier(tmp_path / "small.keras", model, READER, int8=True)
    loaded, reader = load_classifier(tmp_path / "small.keras")
    assert type(loaded) is kind
    assert reader == READER
    assert (loaded.dropout, loaded.encoder.get_config()) == (0.2, model.encoder.get_config())
    for actual, expected in zip(loaded.weights, rounded_to(model).weights, strict=True):
        np.testing.assert_array_equal(array(actual), array(expected))
        assert keras.backend.standardize_dtype(actual.dtype) == "float32"
    inputs, _ = texts(9, seed=3)
    exact, rounded = predict_logits(model, inputs), predict_logits(loaded, inputs)
    assert 0 < np.abs(rounded - exact).max() < 0.05 * np.abs(exact).max()


def test_it_takes_about_a_quarter_of_the_disk_size(tmp_path: Path) -> None:
    encoder = BertEncoder(500, num_layers=2, num_heads=2, hidden_dim=96, intermediate_dim=160, max_length=32)
    model = TextClassifier(encoder, len(TOPICS))
    model.build({"token_ids": (None, None)})
    save_classifier(tmp_path / "whole.keras", model, READER)
    save_classifier(tmp_path / "small.keras", model, READER, int8=True)
    whole, small = ((tmp_path / name).stat().st_size / 1e6 for name in ("whole.keras", "small.keras"))
    assert small < 0.3 * whole
    assert megabytes(model, int8=True) < 0.3 * megabytes(model)


def test_weights_without_a_scale_are_not_written(tmp_path: Path) -> None:
    model = classifier()
    model.logits_dense.kernel.assign(np.full(model.logits_dense.kernel.shape, np.nan))
    with pytest.raises(ValueError, match="must be finite: no scale makes whole numbers"):
        save_classifier(tmp_path / "small.keras", model, READER, int8=True)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.keras"
    other = json.dumps(keras.saving.serialize_keras_object(keras.Sequential([keras.layers.Dense(2)])))
    for name, content in (
        ("config.json", None),
        ("config.json", "{"),
        ("config.json", other),
        ("assets/int8.safetensors", b"cut short"),
        ("assets/reader.json", None),
    ):
        save_classifier(path, classifier(), READER, int8=True)
        with pytest.raises(CourseError, match=r"small\.keras is not a whole classifier"):
            load_classifier(rewritten(path, name, content))


def test_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    wider = BertEncoder(len(PIECES), num_layers=1, num_heads=2, hidden_dim=16, intermediate_dim=20, max_length=LENGTH)
    model = TextClassifier(wider, len(TOPICS))
    model.build({"token_ids": (None, None)})
    save_classifier(tmp_path / "wider.keras", model, READER, int8=True)
    save_classifier(tmp_path / "small.keras", classifier(), READER, int8=True)
    with zipfile.ZipFile(tmp_path / "wider.keras") as archive:
        weights = archive.read("assets/int8.safetensors")
    with pytest.raises(CourseError, match="is not a whole classifier"):
        load_classifier(rewritten(tmp_path / "small.keras", "assets/int8.safetensors", weights))
