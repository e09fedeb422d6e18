"""Checks of arguments in the chapter on small models: teachers, their layers, weights to quantize."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import keras
import numpy as np

from course.validation.arrays import (
    require_floats,
    require_inputs,
    require_integers,
    require_range,
    require_rank,
    require_same_shapes,
    values_if_known,
)
from course.validation.values import is_whole, require_sizes


def require_activation(activation: Any) -> Callable[..., Any]:
    """The activation of this name in Keras; None gives the identity.

    Raises:
        ValueError: there is no such activation.
    """
    return keras.activations.get(activation)


def name_of_activation(activation: Callable[..., Any]) -> Any:
    """The serialized activation, which `require_activation` accepts."""
    return keras.activations.serialize(activation)


def require_logits_and_labels(student_logits: Any, teacher_logits: Any, labels: Any) -> None:
    """Raises a ValueError unless student and teacher have logits for each text, and each text has a class id."""
    for name, logits in (("student_logits", student_logits), ("teacher_logits", teacher_logits)):
        require_rank(logits, name, ("batch", "num_classes"))
        require_floats(logits, name)
    require_same_shapes(student_logits=student_logits, teacher_logits=teacher_logits)
    require_rank(labels, "labels", ("batch",))
    require_integers(labels, "labels")
    texts, classes = student_logits.shape
    if all(isinstance(size, int) for size in (texts, labels.shape[0])) and texts != labels.shape[0]:
        raise ValueError(f"each text needs a label. Received: {labels.shape[0]} labels for {texts} texts")
    if isinstance(classes, int):
        require_range(labels, "labels", classes, "which are the classes")


def require_temperature(temperature: Any) -> None:
    """Raises a ValueError unless logits can be divided by it."""
    if not isinstance(temperature, int | float | np.number) or not 0 < temperature < float("inf"):
        raise ValueError(
            "temperature must be a finite number above 0; 1 leaves the probabilities as they are. "
            f"Received: temperature={temperature!r}"
        )


def require_teacher(teacher: Any, layers: Any) -> None:
    """Raises an error unless `teacher` is an encoder of any class, with weights and with these blocks."""
    if not isinstance(teacher, keras.Model) or not hasattr(teacher, "num_layers"):
        raise TypeError(
            f"teacher must be an encoder; of a classifier, pass its encoder. Received: {type(teacher).__name__}"
        )
    if not teacher.built:
        raise ValueError("teacher has no weights yet to copy. Load them, or call teacher.build((None, None)) first.")
    blocks = teacher.num_layers
    if isinstance(layers, Sequence) and not isinstance(layers, str):
        if not layers or not all(is_whole(number) and 0 <= number < blocks for number in layers):
            raise ValueError(
                f"layers must be blocks of the teacher, from 0 to {blocks - 1}. Received: layers={list(layers)!r}"
            )
        return
    require_sizes(layers=layers)
    if layers > blocks:
        raise ValueError(f"a student has at most as many blocks as its teacher, {blocks}. Received: layers={layers}")


def require_widths(student_dim: Any, teacher_dim: Any) -> None:
    """Raises a ValueError unless the student is at most as wide as its teacher."""
    require_sizes(student_dim=student_dim, teacher_dim=teacher_dim)
    if student_dim > teacher_dim:
        raise ValueError(
            "a student must not be wider than its teacher: what would the other features learn from? "
            f"Received: student_dim={student_dim}, teacher_dim={teacher_dim}"
        )


def require_layer_map(layers: Any) -> None:
    """Raises a ValueError unless `layers` names a teacher's layer for the student's embedding and each block."""
    numbers = list(layers) if isinstance(layers, Sequence) and not isinstance(layers, str) else []
    rises = len(numbers) > 1 and all(is_whole(number) for number in numbers) and numbers[0] == 0
    if not rises or any(lower >= upper for lower, upper in pairwise(numbers)):
        raise ValueError(
            "layers must be whole numbers that rise, and begin with 0, the embedding, such as [0, 2, 4] for two blocks "
            f"that learn from four. Received: layers={layers!r}"
        )


def require_layers_of_both(student: Any, teacher: Any, layers: Sequence[int], blocks: bool = False) -> None:
    """Raises a ValueError unless the map has an entry for each of the student's layers, and ends with the teacher's
    last one.
    """
    expected = (len(layers) - blocks, layers[-1] + 1 - blocks)
    if (len(student), len(teacher)) != expected:
        kind = "blocks" if blocks else "layers, the embedding's and each block's"
        raise ValueError(
            f"layers={list(layers)} wants {expected[0]} of the student's and {expected[1]} of the teacher's {kind}. "
            f"Received: {len(student)} and {len(teacher)}"
        )


def require_levels(axes: int, axis: Any, bits: Any) -> None:
    """Raises a ValueError unless weights with this many axes can be quantized along this axis to this many bits."""
    if not is_whole(axis) or not -axes <= axis < axes:
        raise ValueError(f"axis must be one of the {axes} axes of the weights. Received: axis={axis!r}")
    if not is_whole(bits) or not 2 <= bits <= 8:
        raise ValueError(f"bits must be a whole number from 2 to 8. Received: bits={bits!r}")


def require_finite(numbers: Any, name: str) -> None:
    """Raises a ValueError if there are no numbers or, as far as their values are known, some are NaN or infinite."""
    if any(size == 0 for size in numbers.shape):
        raise ValueError(f"{name} must be at least one. Received: {name}.shape={tuple(numbers.shape)}")
    values = values_if_known(numbers)
    if values is None:
        return
    wrong = int(np.count_nonzero(~np.isfinite(values.astype("float32"))))
    if wrong:
        raise ValueError(
            f"{name} must be finite: no scale makes whole numbers of NaN and infinity. Received: {wrong} of "
            f"{values.size} that are not, as after a training that failed"
        )


def rows_of(inputs: Mapping[str, Any]) -> Iterator[tuple[int, ...]]:
    """The ids of each text without its padding, so that texts of different row lengths can be compared.

    Raises:
        ValueError: these are not the inputs of a classifier.
    """
    require_inputs(inputs, ("token_ids", "padding_mask"))
    rows = zip(np.asarray(inputs["token_ids"]), np.asarray(inputs["padding_mask"]).astype(bool), strict=True)
    return (tuple(ids[mask].tolist()) for ids, mask in rows)
