"""Checks of the arrays that a layer is given. Each error says what was given and what was wanted.

A size that is not known yet (None) fits everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops


def require_array(tensor: Any, name: str) -> None:
    """Raises a ValueError unless it has a shape and a dtype."""
    if not hasattr(tensor, "dtype") or not hasattr(tensor, "shape"):
        raise ValueError(f"{name} must be an array. Received: {type(tensor).__name__}; use np.array({name})")


def require_rank(tensor: Any, name: str, axes: Sequence[str]) -> None:
    """Raises a ValueError unless the tensor has these axes, such as ("batch", "length")."""
    require_array(tensor, name)
    if len(tensor.shape) != len(axes):
        raise ValueError(f"{name} must be ({', '.join(axes)}). Received: {name}.shape={tuple(tensor.shape)}")


def require_integers(tensor: Any, name: str) -> None:
    """Raises a ValueError unless these are whole numbers, such as ids."""
    require_array(tensor, name)
    dtype = keras.backend.standardize_dtype(tensor.dtype)
    if "int" not in dtype:
        raise ValueError(f"{name} must be integers. Received: {name}.dtype={dtype}")


def require_floats(tensor: Any, name: str) -> None:
    """Raises a ValueError unless these are numbers with a fraction, in any precision."""
    require_array(tensor, name)
    dtype = keras.backend.standardize_dtype(tensor.dtype)
    if "float" not in dtype:
        raise ValueError(f"{name} must be floats. Received: {name}.dtype={dtype}. Cast it to float32 first.")


def require_range(numbers: Any, name: str, size: int, reason: str) -> None:
    """Raises a ValueError unless all are from 0 to size - 1, wherever their values are known.

    Inside a compiled function they are not; and looking at them costs a copy from a GPU.

    Args:
        numbers: integers, of any shape.
        name: what the error calls them.
        size: how many values there are.
        reason: why there are no more, in a few words.
    """
    values = _values_if_known(numbers)
    if values is not None and values.size and not 0 <= values.min() <= values.max() < size:
        raise ValueError(f"{name} must be from 0 to {size - 1}, {reason}. Received: {values.min()} to {values.max()}")


def require_inputs(inputs: Any, names: Sequence[str]) -> None:
    """Raises a ValueError unless it is a dictionary of arrays of ids, (batch, length), with at least these names."""
    if not isinstance(inputs, Mapping):
        raise ValueError(f"inputs must be a dictionary with {', '.join(names)}. Received: {type(inputs).__name__}")
    missing = [name for name in names if name not in inputs]
    if missing:
        raise ValueError(f"inputs must have {', '.join(missing)}. Received: {', '.join(map(str, inputs)) or 'nothing'}")
    for name in names:
        require_rank(inputs[name], name, ("batch", "length"))
        if name != "padding_mask":
            require_integers(inputs[name], name)


def require_divisible(hidden_dim: int, num_heads: int) -> None:
    """Raises a ValueError unless the heads can share the features equally."""
    whole = all(isinstance(number, int | np.integer) for number in (hidden_dim, num_heads))
    if not whole or num_heads < 1 or hidden_dim < 1 or hidden_dim % num_heads:
        raise ValueError(
            "num_heads must divide hidden_dim, so that all heads are equally wide. "
            f"Received: hidden_dim={hidden_dim!r}, num_heads={num_heads!r}"
        )


def require_attention_shapes(query: Any, key: Any, value: Any) -> None:
    """Raises a ValueError unless there is a key for every value, as wide as the queries."""
    query_shape, key_shape, value_shape = (tuple(tensor.shape) for tensor in (query, key, value))
    received = f"Received: query.shape={query_shape}, key.shape={key_shape}, value.shape={value_shape}"
    if min(len(query_shape), len(key_shape), len(value_shape)) < 2:
        raise ValueError(f"query, key and value must be (..., length, width). {received}")
    if _differ(query_shape[-1], key_shape[-1]):
        raise ValueError(f"query and key must be of the same width, their last axis. {received}")
    if _differ(key_shape[-2], value_shape[-2]):
        raise ValueError(f"key and value must be of the same length, their last axis but one. {received}")
    if not (_broadcast(query_shape[:-2], key_shape[:-2]) and _broadcast(key_shape[:-2], value_shape[:-2])):
        raise ValueError(
            f"query, key and value must have the same axes before the last two, such as (batch, heads). {received}"
        )


def require_length(length: Any, name: str = "length") -> None:
    """Raises a ValueError unless it is a whole number, not negative; in a compiled function, a tensor without axes."""
    is_tensor = hasattr(length, "shape")
    if not isinstance(length, int) and not (is_tensor and len(length.shape) == 0):
        given = f"{name}.shape={tuple(length.shape)}" if is_tensor else f"{name}={length!r}"
        raise ValueError(f"{name} must be a whole number. Received: {given}")
    if isinstance(length, int) and length < 0:
        raise ValueError(f"{name} must not be negative. Received: {name}={length}")


def require_mask(mask: Any, scores_shape: Sequence[int | None]) -> None:
    """Raises a ValueError unless the mask is boolean and broadcasts to the scores."""
    dtype = keras.backend.standardize_dtype(mask.dtype)
    if dtype != "bool":
        raise ValueError(
            "mask must be boolean, True where attention is allowed. "
            f"Received: mask.dtype={dtype}. If it holds 1 where attention is allowed, pass `mask == 1`."
        )
    if not _broadcasts_to(mask.shape, scores_shape):
        raise ValueError(
            f"mask must broadcast to (..., query_length, key_length) = {tuple(scores_shape)}. "
            f"Received: mask.shape={tuple(mask.shape)}"
        )


def require_positions(positions: Any, frequencies: Any) -> None:
    """Raises a ValueError unless there is a list of positions, or one for each text, and a list of frequencies."""
    if len(positions.shape) not in (1, 2) or len(frequencies.shape) != 1:
        raise ValueError(
            "positions must be (length,) or (batch, length), and frequencies (head_dim / 2,). Received: "
            f"positions.shape={tuple(positions.shape)}, frequencies.shape={tuple(frequencies.shape)}"
        )


def require_rotation(x: Any, cos: Any, sin: Any) -> None:
    """Raises a ValueError unless there is an angle for each pair of features."""
    x_shape, cos_shape, sin_shape = (tuple(tensor.shape) for tensor in (x, cos, sin))
    received = f"Received: x.shape={x_shape}, cos.shape={cos_shape}, sin.shape={sin_shape}"
    if len(x_shape) < 2 or (isinstance(x_shape[-1], int) and x_shape[-1] % 2):
        raise ValueError(f"x must be (..., length, head_dim), with an even head_dim. {received}")
    pairs = (*x_shape[:-1], x_shape[-1] and x_shape[-1] // 2)
    if not all(_broadcasts_to(shape, pairs) and shape[-1:] == pairs[-1:] for shape in (cos_shape, sin_shape)):
        raise ValueError(f"cos and sin must broadcast to (..., length, head_dim / 2) = {pairs}. {received}")


def require_features(x: Any, gamma: Any, beta: Any) -> None:
    """Raises a ValueError unless γ and β have a number for each feature of x."""
    require_floats(x, "x")
    for name, tensor in (("gamma", gamma), ("beta", beta)):
        require_rank(tensor, name, ("hidden_dim",))
        if not len(x.shape) or _differ(tensor.shape[0], x.shape[-1]):
            raise ValueError(
                f"{name} must have a number for each feature of x, its last axis. "
                f"Received: x.shape={tuple(x.shape)}, {name}.shape={tuple(tensor.shape)}"
            )


def _differ(first: Any, second: Any) -> bool:
    """Whether both sizes are known, and are not the same. A size that comes later is None, or a tensor or symbol."""
    return isinstance(first, int) and isinstance(second, int) and first != second


def _broadcasts_to(given: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether one shape fits into the other one, which stays as it is."""
    sizes = zip(reversed(given), reversed(wanted), strict=False)
    return len(given) <= len(wanted) and not any(one != 1 and _differ(one, other) for one, other in sizes)


def _broadcast(first: Sequence[Any], second: Sequence[Any]) -> bool:
    sizes = zip(reversed(first), reversed(second), strict=False)
    return all(not _differ(one, other) or 1 in (one, other) for one, other in sizes)


def _values_if_known(numbers: Any) -> np.ndarray | None:
    """None for what stands for a value that comes later, while a function is traced or compiled."""
    try:
        return ops.convert_to_numpy(numbers)
    except (NotImplementedError, RuntimeError, TypeError, ValueError):
        return None
