"""An encoder that reads more texts in a row than it was made for."""

from __future__ import annotations

import keras
import numpy as np

from course.encoder import BertEncoder
from course.validation.values import require_instance, require_sizes


def with_segments(encoder: BertEncoder, num_segments: int) -> BertEncoder:
    """A copy of an encoder with more segments. What it knew it still knows; the new ones begin as copies of the last.

    Args:
        encoder: with its weights.
        num_segments: how many texts are to stand in a row: not fewer than before.

    Raises:
        TypeError: what is no encoder.
        ValueError: fewer segments than it has.
    """
    require_instance(encoder, "encoder", keras.Model)
    require_sizes(num_segments=num_segments)
    if num_segments < encoder.num_segments:
        raise ValueError(
            f"num_segments must be at least those that it has. Received: {num_segments}, and it has "
            f"{encoder.num_segments}"
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
