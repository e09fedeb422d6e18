"""A classifier in 8 bits: its weights, as they are kept on disk, and its products, as they are computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keras import ops

from course.classification import TextClassifier
from course.compression import QuantizedDense, dequantize, quantize
from course.training.int8_weights import is_quantized, scale_axis
from course.validation.values import require_instance


def rounded_to(classifier: TextClassifier, bits: int = 8) -> TextClassifier:
    """A copy whose weights are what whole numbers of so many bits stand for; it computes with floats, as before.

    Matrices have a scale for each output, and tables, which are read row by row, one for each row. Vectors, such as
    biases, are so few that they stay as they are.
    """
    copy = _copy(classifier)
    for weight in copy.weights:
        if is_quantized(weight):
            weight.assign(dequantize(*quantize(weight, axis=scale_axis(weight), bits=bits)))
    return copy


def with_int8_products(classifier: TextClassifier, layer: type[QuantizedDense] = QuantizedDense) -> TextClassifier:
    """A copy for inference in which each Dense layer is a `QuantizedDense`, and each table is rounded to 8 bits.

    Args:
        classifier: stays as it is.
        layer: another class with the same `from_dense`.
    """
    copy = rounded_to(classifier)
    for owner, name in _dense_layers(copy):
        # Keras lets nobody add layers to what is built; and this copy is neither trained nor saved.
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


def _copy(classifier: TextClassifier) -> TextClassifier:
    require_instance(classifier, "classifier", TextClassifier)
    copy = type(classifier).from_config(classifier.get_config())
    copy.build({"token_ids": (None, None)})
    copy.set_weights(classifier.get_weights())
    return copy


def megabytes(classifier: TextClassifier, int8: bool = False) -> float:
    """What the weights take on disk, in millions of bytes: 4 for each, or 1 for each of a matrix, and 4 for a scale."""
    bytes_of = 0
    for weight in classifier.weights:
        count = int(ops.size(weight))
        is_int8 = int8 and is_quantized(weight)
        bytes_of += count + 4 * weight.shape[scale_axis(weight)] if is_int8 else 4 * count
    return bytes_of / 1e6
