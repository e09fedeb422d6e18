"""Compute the logits of many texts in batches of similar lengths."""

from __future__ import annotations

import keras
import numpy as np

from course.classification import Inputs, require_known_ids
from course.training.last_block import first_token_alone
from course.training.length_batches import batches_of_like_lengths


def predict_logits(model: keras.Model, inputs: Inputs, batch_size: int = 64) -> np.ndarray:
    """Return the logits of all texts, in order: float32, (texts, num_classes).

    Raises:
        ValueError: there are no texts, inputs do not fit the model, or a size is below 1.
    """
    require_known_ids(model, inputs)
    with first_token_alone(model):
        rows, logits = zip(
            *((rows, model.predict_on_batch(batch)) for rows, batch in batches_of_like_lengths(inputs, batch_size)),
            strict=True,
        )
    back = np.argsort(np.concatenate(rows))
    return np.concatenate(logits).astype("float32")[back]
