"""An encoder with more segments, so that more texts fit in a row."""

from __future__ import annotations

import keras
import numpy as np

from course.encoder import BertEncoder
from course.validation.values import require_instance, require_sizes


def with_segments(encoder: BertEncoder, num_segments: int) -> BertEncoder:
    """Return a copy of an encoder with more segments. Its weights stay; new segments start as copies of the last one.

    Args:
        encoder: with its weights.
        num_segments: how many texts may share a row; at least as many as before.

    Raises:
        TypeError: not an encoder.
        ValueError: fewer segments than the encoder has.
    """
    require_instance(encoder, "encoder", keras.Model)
    require_sizes(num_segments=num_segments)
    if num_segments < encoder.num_segments:
        raise ValueError(
            "num_segments must not be less than the encoder's. "
            f"Received: {num_segments}, and the encoder has {encoder.num_segments}"
        )
    config = {**encoder.get_config(), "num_segments": num_segments}
    wider = BertEncoder.from_config(config)
    wider.build((None, None))
    weights = []
    for old, new in zip(encoder.get_weights(), wider.get_weights(), strict=True):
        missing = new.shape[0] - old.shape[0] if old.shape != new.shape else 0
        weights.append(np.concatenate([old, np.repeat(old[-1:], missing, axis=0)]))
    wider.set_weights(weights)
    return wider
