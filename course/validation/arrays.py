"""Checks of a layer's arrays. Each error says what was given and what was expected.

An unknown size (None) fits everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops


def require_array(tensor: Any, name: str) -> None:
    """Raises a ValueError unless `tensor` has a shape and a dtype."""
    if isinstance(tensor, Mapping):
        raise ValueError(
            f"{name} must be an array. Received: a dictionary of {', '.join(map(str, tensor))}; give its arrays one by "
            f"one, {name}=inputs['{name}'] and so on"
        )
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
    """Raises a ValueError unless all numbers are from 0 to size - 1, if their values are known.

    Inside a compiled function the values are unknown. On a GPU, the check costs a copy.

    Args:
        numbers: integers, of any shape.
        name: the name of the numbers in the error.
        size: how many values are allowed.
        reason: why there are no more, in a few words.
    """
    values = values_if_known(numbers)
    if values is not None and values.size and not 0 <= values.min() <= values.max() < size:
        raise ValueError(f"{name} must be from 0 to {size - 1}, {reason}. Received: {values.min()} to {values.max()}")


def require_ids(**ids: Any) -> None:
    """Raises a ValueError unless these are rows of whole numbers, (batch, length)."""
    for name, tensor in ids.items():
        require_rank(tensor, name, ("batch", "length"))
        require_integers(tensor, name)


def require_inputs(inputs: Any, names: Sequence[str]) -> None:
    """Raises a ValueError unless `inputs` is a dictionary with at least these names, each an array, (batch, length)."""
    if not isinstance(inputs, Mapping):
        raise ValueError(f"inputs must be a dictionary with {', '.join(names)}. Received: {type(inputs).__name__}")
    missing = [name for name in names if name not in inputs]
    if missing:
        raise ValueError(f"inputs must have {', '.join(missing)}. Received: {', '.join(map(str, inputs)) or 'nothing'}")
    require_ids(**{name: inputs[name] for name in names if name != "padding_mask"})
    if "padding_mask" in names:
        require_rank(inputs["padding_mask"], "padding_mask", ("batch", "length"))


def require_same_shapes(**tensors: Any) -> None:
    """Raises a ValueError unless these arrays have the same shape."""
    for name, tensor in tensors.items():
        require_array(tensor, name)
    first, *others = tensors.values()
    if any(len(other.shape) != len(first.shape) or any(map(differ, other.shape, first.shape)) for other in others):
        received = ", ".join(f"{name}.shape={tuple(tensor.shape)}" for name, tensor in tensors.items())
        raise ValueError(f"{', '.join(tensors)} must have the same shape. Received: {received}")


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
    if differ(query_shape[-1], key_shape[-1]):
        raise ValueError(f"query and key must be of the same width, their last axis. {received}")
    if differ(key_shape[-2], value_shape[-2]):
        raise ValueError(f"key and value must be of the same length, their last axis but one. {received}")
    if not (_broadcast(query_shape[:-2], key_shape[:-2]) and _broadcast(key_shape[:-2], value_shape[:-2])):
        raise ValueError(
            f"query, key and value must have the same axes before the last two, such as (batch, heads). {received}"
        )


def require_length(length: Any, name: str = "length") -> None:
    """Raises a ValueError unless `length` is a whole number of at least 0; in a compiled function, a scalar tensor.

    A symbolic size in JAX is also accepted: it is neither of the two, but can become a JAX array.
    """
    is_tensor = hasattr(length, "shape")
    is_named = hasattr(length, "__jax_array__")
    if not (isinstance(length, int) or is_named or (is_tensor and len(length.shape) == 0)):
        given = f"{name}.shape={tuple(length.shape)}" if is_tensor else f"{name}={length!r}"
        raise ValueError(f"{name} must be a whole number. Received: {given}")
    if isinstance(length, int) and length < 0:
        raise ValueError(f"{name} must not be negative. Received: {name}={length}")


def require_additive_shapes(query: Any, keys: Any, values: Any, key_mask: Any) -> None:
    """Raises a ValueError unless there is a key for every value, for as many texts as there are queries."""
    shapes = {name: tuple(tensor.shape) for name, tensor in (("query", query), ("keys", keys), ("values", values))}
    received = f"Received: {', '.join(f'{name}.shape={shape}' for name, shape in shapes.items())}"
    if len(shapes["query"]) not in (2, 3) or len(shapes["keys"]) != 3 or len(shapes["values"]) != 3:
        raise ValueError(
            "query must be (batch, width) or (batch, query_length, width), and keys and values (batch, key_length, "
            f"width). {received}"
        )
    if shapes["keys"][1] == 0 or any(
        differ(shapes[name][axis], shapes["keys"][axis]) for name, axis in (("query", 0), ("values", 0), ("values", 1))
    ):
        raise ValueError(f"each text must have a key or more, and a value for each. {received}")
    if key_mask is not None:
        _require_boolean(key_mask, "key_mask")
        if not _broadcasts_to(key_mask.shape, shapes["keys"][:2]) or len(key_mask.shape) != 2:
            raise ValueError(
                f"key_mask must be (batch, key_length) = {shapes['keys'][:2]}. "
                f"Received: key_mask.shape={tuple(key_mask.shape)}"
            )


def require_cache(cache: Any, inputs: Any, position: Any, num_heads: int, hidden_dim: int) -> None:
    """Raises a ValueError unless a cache has room for keys and values of these inputs after `position` others."""
    require_rank(inputs, "inputs", ("batch", "new", "width"))
    require_rank(cache, "cache", ("batch", "2", "num_heads", "max_length", "head_dim"))
    require_length(position, "position")
    expected = (inputs.shape[0], 2, num_heads, cache.shape[3], hidden_dim // num_heads)
    if any(differ(given, size) for given, size in zip(cache.shape, expected, strict=True)):
        raise ValueError(f"cache must be {expected}. Received: cache.shape={tuple(cache.shape)}")
    new, room = inputs.shape[1], cache.shape[3]
    if all(isinstance(size, int) for size in (position, new, room)) and position + new > room:
        raise ValueError(
            f"the cache has room for {room} words; make a longer one. Received: {new} more after {position}"
        )


def require_padded_on_the_right(ids: Any, padding_id: int) -> None:
    """Raises a ValueError if padding stands before a word, as far as the values are known."""
    values = values_if_known(ids)
    if values is None:
        return
    is_padding = values == padding_id
    wrong = (is_padding[:, :-1] & ~is_padding[:, 1:]).any(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"padding, id {padding_id}, must come after all words. Received: {values[row].tolist()} in row {row}"
        )


def require_mask(mask: Any, scores_shape: Sequence[int | None]) -> None:
    """Raises a ValueError unless the mask is boolean and broadcasts to the scores."""
    _require_boolean(mask)
    if not _broadcasts_to(mask.shape, scores_shape):
        raise ValueError(
            f"mask must broadcast to (..., query_length, key_length) = {tuple(scores_shape)}. "
            f"Received: mask.shape={tuple(mask.shape)}"
        )


def require_positions(positions: Any, frequencies: Any) -> None:
    """Raises a ValueError unless positions are (length,) or (batch, length), and frequencies have one axis."""
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
        if not len(x.shape) or differ(tensor.shape[0], x.shape[-1]):
            raise ValueError(
                f"{name} must have a number for each feature of x, its last axis. "
                f"Received: x.shape={tuple(x.shape)}, {name}.shape={tuple(tensor.shape)}"
            )


def _require_boolean(mask: Any, name: str = "mask") -> None:
    dtype = keras.backend.standardize_dtype(mask.dtype)
    if dtype != "bool":
        raise ValueError(
            f"{name} must be boolean, True where attention is allowed. "
            f"Received: {name}.dtype={dtype}. If it holds 1 where attention is allowed, pass `{name} == 1`."
        )


def differ(first: Any, second: Any) -> bool:
    """Whether both sizes are known and differ. An unknown size is None, a tensor or a symbol."""
    return isinstance(first, int) and isinstance(second, int) and first != second


def _broadcasts_to(given: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether the first shape broadcasts to the second."""
    sizes = zip(reversed(given), reversed(wanted), strict=False)
    return len(given) <= len(wanted) and not any(size != 1 and differ(size, target) for size, target in sizes)


def _broadcast(first: Sequence[Any], second: Sequence[Any]) -> bool:
    sizes = zip(reversed(first), reversed(second), strict=False)
    return all(not differ(one, other) or 1 in (one, other) for one, other in sizes)


def values_if_known(numbers: Any) -> np.ndarray | None:
    """The values as a NumPy array; None while a function is traced or compiled, when they are unknown."""
    try:
        return ops.convert_to_numpy(numbers)
    except (NotImplementedError, RuntimeError, TypeError, ValueError):
        return None
