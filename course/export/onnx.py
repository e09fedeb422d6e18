"""Exports to ONNX, for servers with ONNX Runtime and others."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from course.classification import Inputs, TextClassifier
from course.export.serving import Check, check, serving_function
from course.storage.atomic import atomic_file

_OPSET = 18


def write_onnx(model: TextClassifier, length: int, path: Path) -> Check:
    """Writes a classifier as ONNX, which takes batches of any size, of rows of any length up to `length`.

    Raises:
        ImportError: tf2onnx or ONNX Runtime is not installed.
        CourseError: the file cannot be written, gives other probabilities, or Keras runs on another backend.
    """
    import onnxruntime
    import tf2onnx

    logging.getLogger("tf2onnx").setLevel(logging.ERROR)
    serve = serving_function(model, (None, None))
    with atomic_file(path) as draft:
        tf2onnx.convert.from_function(serve, serve.input_signature, opset=_OPSET, output_path=str(draft))
        session = onnxruntime.InferenceSession(str(draft))

        def probabilities(row: Inputs) -> np.ndarray:
            return session.run(["probabilities"], row)[0]

        return check(model, length, probabilities)
