"""The exported part of a classifier: from the ids of a text to the probabilities of its classes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np

from course.classification import Inputs, TextClassifier
from course.encoder import BertEncoder
from course.errors import CourseError
from course.training.last_block import first_token_alone

INPUTS = ("token_ids", "segment_ids")  # no mask: the encoder recognizes padding by its id
TOLERANCE = 1e-3
_ROWS = 16


@dataclass(frozen=True)
class Check:
    """A comparison of a file with the model that it was made from.

    Attributes:
        difference: the largest difference between their probabilities.
        milliseconds: the file's median latency for one text of the greatest length.
    """

    difference: float
    milliseconds: float


def serving_function(model: TextClassifier, shape: tuple[int | None, int | None]) -> Any:
    """A TensorFlow function from token_ids and segment_ids, int32, of this shape, to probabilities, (batch, classes).

    Raises:
        CourseError: the model was loaded on another backend.
    """
    if keras.backend.backend() != "tensorflow":
        raise CourseError(
            f"only TensorFlow writes this format. Received: KERAS_BACKEND={keras.backend.backend()}. Unset it, or set "
            "it to tensorflow, which also reads classifiers that were trained on another backend."
        )
    import tensorflow as tf

    @tf.function(input_signature=[tf.TensorSpec(shape, tf.int32, name=name) for name in INPUTS])
    def serve(token_ids: Any, segment_ids: Any) -> dict[str, Any]:
        with first_token_alone(model):
            logits = model({"token_ids": token_ids, "segment_ids": segment_ids}, training=False)
        return {"probabilities": tf.nn.softmax(logits)}

    return serve


def check(model: TextClassifier, length: int, run: Callable[[Inputs], np.ndarray]) -> Check:
    """Compares a file with its model on random texts of all lengths.

    Args:
        model: the model that was written.
        length: the length of the longest text.
        run: runs the file: inputs of one row, (1, length), to probabilities, (1, classes).

    Raises:
        CourseError: the probabilities differ by more than a thousandth.
    """
    rows = _random_rows(model.encoder, length)
    expected = keras.ops.softmax(model({name: np.concatenate([row[name] for row in rows]) for name in INPUTS}))
    received, seconds = [], []
    for row in rows:
        start = time.perf_counter()
        received.append(run(row))
        seconds.append(time.perf_counter() - start)
    difference = float(np.abs(np.concatenate(received) - keras.ops.convert_to_numpy(expected)).max())
    if not difference <= TOLERANCE:
        raise CourseError(
            f"the exported file's probabilities differ from the model's by up to {difference:.2g}, so the file was "
            "deleted. This is a fault of the library that wrote it; another format may work."
        )
    return Check(difference, 1000 * float(np.median(seconds)))


def _random_rows(encoder: BertEncoder, length: int) -> list[Inputs]:
    """Random rows with two segments, where the encoder has a second one, and more padding from row to row."""
    random, padding_id = np.random.default_rng(0), encoder.padding_id
    rows = []
    for end in np.linspace(length, 2, _ROWS).astype(int):
        token_ids = random.integers(0, encoder.vocabulary_size, (1, length), dtype="int32")
        token_ids[token_ids == padding_id] = (padding_id + 1) % encoder.vocabulary_size
        token_ids[:, end:] = padding_id
        place = np.arange(length)[None]
        is_second = (place >= end // 2) & (place < end) & (encoder.num_segments > 1)
        rows.append({"token_ids": token_ids, "segment_ids": is_second.astype("int32")})
    return rows
