"""A classifier in 8 bits: its weights as stored on disk, and its matrix products as computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keras import ops

from course.classification import TextClassifier
from course.compression import QuantizedDense, dequantize, quantize
from course.training.int8_weights import is_quantized, scale_axis
from course.training.keras_file import copy_of
from course.validation.values import require_instance


def rounded_to(classifier: TextClassifier, bits: int = 8) -> TextClassifier:
    """Return a copy whose weights are quantized to so many bits and dequantized again; it still computes with floats.

    A matrix has one scale per output. A table, which is read row by row, has one scale per row. Vectors such as biases
    are small and stay as they are.
    """
    require_instance(classifier, "classifier", TextClassifier)
    copy = copy_of(classifier)
    for weight in copy.weights:
        if is_quantized(weight):
            weight.assign(dequantize(*quantize(weight, axis=scale_axis(weight), bits=bits)))
    return copy


def with_int8_products(classifier: TextClassifier, layer: type[QuantizedDense] = QuantizedDense) -> TextClassifier:
    """Return a copy for inference whose Dense layers are `QuantizedDense` and whose tables are rounded to 8 bits.

    Args:
        classifier: is not changed.
        layer: another class with the same `from_dense`.
    """
    copy = rounded_to(classifier)
    for owner, name in _dense_layers(copy):
        # Keras forbids adding layers to a built model. Bypassing it is safe: this copy is neither trained nor saved.
        object.__setattr__(owner, name, layer.from_dense(getattr(owner, name)))
    return copy


def _dense_layers(classifier: TextClassifier) -> Iterator[tuple[Any, str]]:
    for block in classifier.encoder.blocks:
        for name in ("query_dense", "key_dense", "value_dense", "output_dense"):
            yield block.attention, name
        for name in ("intermediate_dense", "output_dense"):
            yield block.feed_forward, name
    yield classifier.encoder, "pooler"
    yield classifier, "logits_dense"


def megabytes(classifier: TextClassifier, int8: bool = False) -> float:
    """Return the disk size of the weights in millions of bytes.

    A float takes 4 bytes. With `int8`, a number of a matrix or table takes 1 byte, and each scale 4.
    """
    total = 0
    for weight in classifier.weights:
        count = int(ops.size(weight))
        is_int8 = int8 and is_quantized(weight)
        total += count + 4 * weight.shape[scale_axis(weight)] if is_int8 else 4 * count
    return total / 1e6
