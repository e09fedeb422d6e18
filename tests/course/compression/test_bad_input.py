"""Errors of the chapter on small models name what was given and what is expected."""

from __future__ import annotations

import re
from typing import Any

import keras
import numpy as np
import pytest

from course import compression
from course.classification import TextClassifier
from course.encoder import BertEncoder
from tests.course.bad_input import Row, parameters, public_names


def floats(*shape: int) -> np.ndarray:
    return np.ones(shape, "float32")


def labels(*numbers: int) -> np.ndarray:
    return np.array(numbers)


def encoder(built: bool = True) -> BertEncoder:
    made = BertEncoder(9, 4, num_heads=2, hidden_dim=4, intermediate_dim=5, max_length=6)
    if built:
        made.build((None, None))
    return made


def classifier() -> TextClassifier:
    made = TextClassifier(encoder(), 3)
    made.build({"token_ids": (None, None)})
    return made


def dense(value: float) -> keras.layers.Dense:
    made = keras.layers.Dense(2)
    made.build((None, 3))
    made.set_weights([np.full((3, 2), value, "float32"), floats(2)])
    return made


def texts(highest: int = 8) -> dict[str, np.ndarray]:
    ids = np.array([[1, highest, 3]], "int32")
    return {"token_ids": ids, "padding_mask": np.ones_like(ids, bool)}


LOSS: Any = compression.distillation_loss
TINY = compression.TinyLoss
MASK = np.ones((2, 3), bool)
ROWS: list[Row] = [
    ("distillation_loss", lambda: LOSS(floats(2, 3), floats(2, 4), labels(0, 1)), "same shape.*(2, 3).*(2, 4)"),
    ("distillation_loss", lambda: LOSS(floats(3), floats(3), labels(0)), "student_logits must be (batch, num_classes)"),
    ("distillation_loss", lambda: LOSS(floats(2, 3), floats(2, 3).astype(int), labels(0, 1)), "must be floats"),
    ("distillation_loss", lambda: LOSS(floats(2, 3), floats(2, 3), labels(0, 3)), "0 to 2.*Received: 0 to 3"),
    ("distillation_loss", lambda: LOSS(floats(2, 3), floats(2, 3), labels(-1, 2)), "0 to 2.*Received: -1 to 2"),
    ("distillation_loss", lambda: LOSS(floats(2, 3), floats(2, 3), labels(0)), "Received: 1 labels for 2 texts"),
    ("distillation_loss", lambda: LOSS(floats(2, 3), floats(2, 3), floats(2)), "labels must be integers"),
    ("distillation_loss", lambda: LOSS(floats(2, 3), floats(2, 3), labels(0, 1), 0), "above 0.*temperature=0"),
    ("distillation_loss", lambda: LOSS(floats(2, 3), floats(2, 3), labels(0, 1), -2.0), "above 0.*temperature=-2.0"),
    (
        "distillation_loss",
        lambda: LOSS(floats(2, 3), floats(2, 3), labels(0, 1), alpha=1.5),
        "alpha must be from 0 to 1",
    ),
    ("select_layers", lambda: compression.select_layers(encoder(), 5), "at most as many.*4.*layers=5"),
    ("select_layers", lambda: compression.select_layers(encoder(), 0), "at least 1.*layers=0"),
    ("select_layers", lambda: compression.select_layers(encoder(), [0, 4]), "from 0 to 3.*layers=[0, 4]"),
    ("select_layers", lambda: compression.select_layers(encoder(), []), "from 0 to 3.*layers=[]"),
    ("select_layers", lambda: compression.select_layers(encoder(built=False), 2), "no weights yet"),
    ("TinyLoss", lambda: TINY(8, 4, [0, 1]), "not be wider.*student_dim=8, teacher_dim=4"),
    ("TinyLoss", lambda: TINY(2, 4, [1, 2]), "begin with 0.*layers=[1, 2]"),
    ("TinyLoss", lambda: TINY(2, 4, [0, 2, 2]), "rise.*layers=[0, 2, 2]"),
    ("TinyLoss", lambda: TINY(2, 4, [0]), "layers=[0]"),
    ("TinyLoss", lambda: TINY(0, 4, [0, 1]), "student_dim must be a whole number, at least 1"),
    (
        "TinyLoss",
        lambda: TINY(2, 4, [0, 2]).hidden_loss([floats(2, 3, 2)] * 2, [floats(2, 3, 4)] * 4, MASK),
        "wants 2 of the student's and 3 of the teacher's layers.*Received: 2 and 4",
    ),
    (
        "TinyLoss",
        lambda: TINY(2, 4, [0, 2]).attention_loss([floats(2, 2, 3, 3)], [floats(2, 4, 3, 3)] * 2, MASK),
        "same shape.*(2, 2, 3, 3).*(2, 4, 3, 3)",
    ),
    ("quantize", lambda: compression.quantize(np.array([[1.0, np.inf]]), 0), "must be finite.*Received: 1 of 2 that"),
    (
        "quantize",
        lambda: compression.quantize(np.full((2, 1), np.nan), 0),
        "must be finite.*Received: 2 of 2 that",
    ),
    ("quantize", lambda: compression.quantize(np.ones((2, 3), int), 0), "weights must be floats"),
    ("quantize", lambda: compression.quantize(floats(2, 3), 2), "one of the 2 axes.*axis=2"),
    ("quantize", lambda: compression.quantize(floats(2, 3), -3), "one of the 2 axes.*axis=-3"),
    ("quantize", lambda: compression.quantize(floats(2, 0), 0), "at least one.*(2, 0)"),
    ("quantize", lambda: compression.quantize(floats(2, 3), 0, bits=9), "from 2 to 8.*bits=9"),
    ("quantize", lambda: compression.quantize(floats(2, 3), 0, bits=1), "from 2 to 8.*bits=1"),
    ("dequantize", lambda: compression.dequantize(floats(2, 3), floats(1, 3), floats(1, 3)), "levels must be integers"),
    ("QuantizedDense", lambda: compression.QuantizedDense(0), "units must be a whole number"),
    ("QuantizedDense", lambda: compression.QuantizedDense.from_dense(dense(np.inf)), "must be finite"),
    (
        "pseudo_labels",
        lambda: compression.pseudo_labels(classifier(), texts(), threshold=2),
        "threshold must be from 0",
    ),
    ("pseudo_labels", lambda: compression.pseudo_labels(classifier(), texts(), 0), "batch_size must be a whole number"),
    ("pseudo_labels", lambda: compression.pseudo_labels(classifier(), texts(9)), "from 0 to 8"),
    ("pseudo_labels", lambda: compression.pseudo_labels(classifier(), {}), "inputs must have token_ids"),
    (
        "pseudo_labels",
        lambda: compression.pseudo_labels(classifier(), texts(), exclude={"token_ids": texts()["token_ids"]}),
        "inputs must have padding_mask",
    ),
]


@pytest.mark.parametrize(("call", "words"), parameters(ROWS))
def test_bad_input_is_named(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=".*".join(map(re.escape, words.split(".*")))):
        call()


def test_other_types_are_type_errors() -> None:
    with pytest.raises(TypeError, match=r"teacher must be an encoder.*Received: TextClassifier"):
        compression.select_layers(classifier(), 2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"dense must be a Dense. Received: Dropout"):
        compression.QuantizedDense.from_dense(keras.layers.Dropout(0.1))


def test_every_public_name_has_a_row() -> None:
    assert {name for name, _, _ in ROWS} == public_names([compression])
