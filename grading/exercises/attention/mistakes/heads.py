"""What goes wrong in split_heads and merge_heads."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.attention as right
from grading.exercises.attention.checks import merge, split


@split.mistake(
    "The features are cut by reshape alone: tokens and heads are mixed up.",
    hint="Reshape never moves numbers. Cut (length, hidden) into (length, heads, head_dim), then transpose.",
)
def split_by_reshape(x: Any, num_heads: int) -> Any:
    batch, length, hidden_dim = ops.shape(x)
    return ops.reshape(x, (batch, num_heads, length, hidden_dim // num_heads))


@split.mistake(
    "The heads are not moved beside the batch: the axes are (batch, length, heads, head_dim).",
    hint="One product of matrices serves all heads when length and head_dim are the last two axes.",
)
def split_without_transpose(x: Any, num_heads: int) -> Any:
    return ops.swapaxes(right.split_heads(x, num_heads), 1, 2)


@split.mistake(
    "Each head takes every num_heads-th feature; it should take neighbours.",
    hint="Reshape the features to (heads, head_dim), in this order.",
)
def split_interleaved(x: Any, num_heads: int) -> Any:
    batch, length, hidden_dim = ops.shape(x)
    x = ops.reshape(x, (batch, length, hidden_dim // num_heads, num_heads))
    return ops.transpose(x, (0, 3, 1, 2))


@split.mistake(
    "num_heads is taken for the width of a head.",
    hint="There are num_heads heads, each hidden_dim // num_heads wide.",
)
def split_into_widths(x: Any, num_heads: int) -> Any:
    return right.split_heads(x, x.shape[-1] // num_heads)


@split.mistake(
    "The last two axes are swapped: (batch, heads, head_dim, length).",
    hint="After splitting, each head is a text of its own: (length, head_dim).",
)
def split_transposed(x: Any, num_heads: int) -> Any:
    return ops.swapaxes(right.split_heads(x, num_heads), -1, -2)


@split.mistake(
    "The heads come before the batch.",
    hint="The batch stays the first axis: (batch, heads, length, head_dim).",
)
def split_heads_first(x: Any, num_heads: int) -> Any:
    return ops.swapaxes(right.split_heads(x, num_heads), 0, 1)


@merge.mistake(
    "The heads are merged by reshape alone: tokens and heads are mixed up.",
    hint="Reshape never moves numbers. A token's heads must be neighbours before you reshape.",
)
def merge_by_reshape(x: Any) -> Any:
    batch, num_heads, length, head_dim = ops.shape(x)
    return ops.reshape(x, (batch, length, num_heads * head_dim))


@merge.mistake(
    "The features are interleaved: all heads' first features come first.",
    hint="The first head's features come first, all of them.",
)
def merge_interleaved(x: Any) -> Any:
    batch, num_heads, length, head_dim = ops.shape(x)
    return ops.reshape(ops.transpose(x, (0, 2, 3, 1)), (batch, length, head_dim * num_heads))


@merge.mistake(
    "The heads are summed instead of put side by side.",
    hint="Each head keeps its own features: the width is num_heads · head_dim again.",
)
def merge_by_sum(x: Any) -> Any:
    return ops.sum(x, axis=1)


@merge.mistake(
    "The heads are averaged instead of put side by side.",
    hint="Each head keeps its own features: the width is num_heads · head_dim again.",
)
def merge_by_mean(x: Any) -> Any:
    return ops.mean(x, axis=1)


@merge.mistake(
    "The axes are right, but the heads are not joined: the result still has four axes.",
    hint="After the transpose, a reshape makes one axis of (heads, head_dim).",
)
def merge_without_reshape(x: Any) -> Any:
    return ops.transpose(x, (0, 2, 1, 3))


@merge.mistake(
    "The heads are put behind each other along the text instead of beside each other.",
    hint="The length stays as it is; the width grows.",
)
def merge_along_length(x: Any) -> Any:
    batch, num_heads, length, head_dim = ops.shape(x)
    return ops.reshape(x, (batch, num_heads * length, head_dim))
