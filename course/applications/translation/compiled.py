"""A translator's encoder and decoder, compiled: uncompiled, TensorFlow spends most time launching small operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras


def compiled(encode: Callable[[Any], Any], following: Callable[[Any, Any], Any]) -> tuple[Callable, Callable]:
    """Return both functions, each traced once for texts of any number and length. Other backends run them uncompiled.

    Args:
        encode: maps integers, (texts, source_length), to tensors.
        following: maps these tensors and integers, (rows, length), to a tensor.
    """
    if keras.backend.backend() != "tensorflow":
        return encode, following
    import tensorflow as tf

    ids = tf.TensorSpec((None, None), tf.int32)
    encode = tf.function(encode, input_signature=[ids])
    memory = encode.get_concrete_function().structured_outputs  # type: ignore[attr-defined]
    memory_spec = tf.nest.map_structure(lambda tensor: tf.TensorSpec(tensor.shape, tensor.dtype), memory)
    return encode, tf.function(following, input_signature=[memory_spec, ids])
