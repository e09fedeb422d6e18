"""Keep layers on which a loss does not depend out of its training."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import keras


@contextmanager
def frozen(*layers: keras.layers.Layer) -> Iterator[None]:
    """In this block some layers are not trainable; after it, each weight is as before, also after an error.

    Otherwise Keras warns about trainable weights without a gradient.

    Args:
        *layers: built.
    """
    weights = [(weight, weight.trainable) for layer in layers for weight in layer.weights]
    try:
        for weight, _ in weights:
            weight.trainable = False
        yield
    finally:
        for weight, was_trainable in weights:
            weight.trainable = was_trainable
