"""A translator's two halves, compiled: on TensorFlow a small model else spends its time on starting operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras


def compiled(encode: Callable[[Any], Any], following: Callable[[Any, Any], Any]) -> tuple[Callable, Callable]:
    """Both functions, each traced once for texts of any number and length; other backends run them as they are.

    Args:
        encode: from integers, (texts, source_length), to tensors.
        following: from these tensors and integers, (rows, length), to a tensor.
    """
    if keras.backend.backend() != "tensorflow":
        return encode, following
    import tensorflow as tf

    ids = tf.TensorSpec((None, None), tf.int32)
    encode = tf.function(encode, input_signature=[ids])
    memory = encode.get_concrete_function().structured_outputs  # type: ignore[attr-defined]
    of_memory = tf.nest.map_structure(lambda kept: tf.TensorSpec(kept.shape, kept.dtype), memory)
    return encode, tf.function(following, input_signature=[of_memory, ids])
