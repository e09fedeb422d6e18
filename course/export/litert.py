"""Exports to LiteRT, formerly TensorFlow Lite, for phones."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from course.classification import Inputs, TextClassifier
from course.export.serving import Check, check, serving_function
from course.storage.atomic import atomic_file


def write_litert(model: TextClassifier, length: int, path: Path) -> Check:
    """Writes a classifier for LiteRT, which takes one text at a time, padded to `length`.

    Rows of any length would need TensorFlow's own operations, which the runtime on a phone lacks.

    Raises:
        CourseError: the file cannot be written, gives other probabilities, or Keras runs on another backend.
    """
    with atomic_file(path) as draft:
        draft.write_bytes(_converted(model, length))
        run = _reader(draft)

        def probabilities(row: Inputs) -> np.ndarray:
            return run(**row)["probabilities"]

        return check(model, length, probabilities)


def _reader(path: Path) -> Any:
    """A function that runs the file in TensorFlow's copy of the runtime, without its notice that it will move."""
    import tensorflow as tf

    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return tf.lite.Interpreter(str(path)).get_signature_runner()


def _converted(model: TextClassifier, length: int) -> bytes:
    import tensorflow as tf

    module: Any = tf.Module()
    module.variables_of_model = [variable.value for variable in model.variables]
    module.serve = serving_function(model, (1, length))
    with tempfile.TemporaryDirectory() as folder:  # a model converted from a folder has named inputs and outputs
        tf.saved_model.save(module, folder, signatures=module.serve)
        return tf.lite.TFLiteConverter.from_saved_model(folder).convert()
