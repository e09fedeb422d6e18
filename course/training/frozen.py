"""Layers on which a loss does not depend, kept out of its training."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import keras


@contextmanager
def frozen(*layers: keras.layers.Layer) -> Iterator[None]:
    """In this block the weights of some layers do not learn; behind it each learns as before, also after an error.

    Keras warns of what is to learn and has no gradient.

    Args:
        *layers: built.
    """
    weights = [(weight, weight.trainable) for layer in layers for weight in layer.weights]
    try:
        for weight, _ in weights:
            weight.trainable = False
        yield
    finally:
        for weight, learned in weights:
            weight.trainable = learned
