"""Checks of what a layer is given. Each error says what was given and what was wanted.

A size that is not known yet (None) fits everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras


def require_rank(tensor: Any, name: str, axes: Sequence[str]) -> None:
    """Raises a ValueError unless the tensor has these axes, such as ("batch", "length")."""
    if len(tensor.shape) != len(axes):
        raise ValueError(f"{name} must be ({', '.join(axes)}). Received: {name}.shape={tuple(tensor.shape)}")


def require_divisible(hidden_dim: int, num_heads: int) -> None:
    """Raises a ValueError unless the heads can share the features equally."""
    if num_heads < 1 or hidden_dim < 1 or hidden_dim % num_heads:
        raise ValueError(
            "num_heads must divide hidden_dim, so that all heads are equally wide. "
            f"Received: hidden_dim={hidden_dim}, num_heads={num_heads}"
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


def require_mask(mask: Any, scores_shape: Sequence[int | None]) -> None:
    """Raises a ValueError unless the mask is boolean and broadcasts to the scores."""
    dtype = keras.backend.standardize_dtype(mask.dtype)
    if dtype != "bool":
        raise ValueError(
            "mask must be boolean, True where attention is allowed. "
            f"Received: mask.dtype={dtype}. If it holds 1 where attention is allowed, pass `mask == 1`."
        )
    sizes = zip(reversed(mask.shape), reversed(scores_shape), strict=False)
    if len(mask.shape) > len(scores_shape) or any(given != 1 and _differ(given, wanted) for given, wanted in sizes):
        raise ValueError(
            f"mask must broadcast to (..., query_length, key_length) = {tuple(scores_shape)}. "
            f"Received: mask.shape={tuple(mask.shape)}"
        )


def _differ(first: int | None, second: int | None) -> bool:
    return first is not None and second is not None and first != second
