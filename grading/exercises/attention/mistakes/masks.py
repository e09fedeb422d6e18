"""What goes wrong in padding_mask and causal_mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from keras import ops

import course.attention as right
from grading.exercises.attention.checks import causal, padding


@padding.mistake(
    "The mask is upside down: True at padding.",
    hint="True means that attention is allowed. May a token attend to padding?",
)
def padding_inverted(token_ids: Any, padding_id: int = 0) -> Any:
    return ops.logical_not(right.padding_mask(token_ids, padding_id))


@padding.mistake(
    "The mask has no axes for heads and queries: it is (batch, length).",
    hint="The scores are (batch, heads, query, key). Which axes of the mask must be of size 1?",
)
def padding_flat(token_ids: Any, padding_id: int = 0) -> Any:
    return right.padding_mask(token_ids, padding_id)[:, 0, 0, :]


@padding.mistake(
    "The axis for the heads is missing: the mask is (batch, 1, length).",
    hint="The scores are (batch, heads, query, key): four axes.",
)
def padding_without_heads(token_ids: Any, padding_id: int = 0) -> Any:
    return right.padding_mask(token_ids, padding_id)[:, 0]


@padding.mistake(
    "The mask forbids queries instead of keys: it is (batch, 1, length, 1).",
    hint="Nobody may look at padding, so it is the keys that are forbidden. Which axis of the scores are they?",
)
def padding_of_queries(token_ids: Any, padding_id: int = 0) -> Any:
    return ops.swapaxes(right.padding_mask(token_ids, padding_id), -1, -2)


@padding.mistake(
    "The mask holds numbers; it must be boolean.",
    hint="A comparison gives truth values by itself. No cast is needed.",
)
def padding_as_numbers(token_ids: Any, padding_id: int = 0) -> Any:
    return ops.cast(right.padding_mask(token_ids, padding_id), "float32")


@padding.mistake(
    "padding_id is ignored: 0 is always taken for padding.",
    hint="Not every vocabulary puts [PAD] first. Compare with the argument.",
)
def padding_always_zero(token_ids: Any, padding_id: int = 0) -> Any:
    return right.padding_mask(token_ids, 0)


@padding.mistake(
    "Every id above padding_id is taken for a token, and every id below for padding.",
    hint="Padding is one id. Ids on both sides of it are tokens.",
)
def padding_by_order(token_ids: Any, padding_id: int = 0) -> Any:
    return ops.greater(token_ids, padding_id)[:, None, None, :]


@padding.mistake(
    "The mask is (batch, length, length), a row for every query.",
    hint="All queries and heads share one row. Let it broadcast: (batch, 1, 1, length).",
)
def padding_pairwise(token_ids: Any, padding_id: int = 0) -> Any:
    real = right.padding_mask(token_ids, padding_id)[:, 0]
    return ops.logical_and(real, ops.swapaxes(real, -1, -2))


@causal.mistake(
    "The mask is upside down: a query sees only what comes after it.",
    hint="True means that attention is allowed. In row i, which columns come before i?",
)
def causal_inverted(length: int) -> Any:
    return ops.logical_not(right.causal_mask(length))


@causal.mistake(
    "The mask is transposed: a query sees itself and the future.",
    hint="Rows are queries, columns are keys. The first query sees only the first key.",
)
def causal_transposed(length: int) -> Any:
    return ops.transpose(right.causal_mask(length))


@causal.mistake(
    "A query does not see itself.",
    hint="The diagonal is allowed: a token knows itself. Is it > or >=?",
)
def causal_without_self(length: int) -> Any:
    return np.arange(length)[:, None] > np.arange(length)


@causal.mistake(
    "A query sees one token too many: the next one.",
    hint="The diagonal is the last place that is allowed in each row.",
)
def causal_one_ahead(length: int) -> Any:
    return np.arange(length)[:, None] + 1 >= np.arange(length)


@causal.mistake(
    "The mask holds numbers; it must be boolean.",
    hint="A comparison gives truth values; `tril` of ones gives numbers.",
)
def causal_as_numbers(length: int) -> Any:
    return np.tril(np.ones((length, length), "float32"))


@causal.mistake(
    "The mask holds 0 and -1e9, to be added to scores; it must be boolean.",
    hint="In this course a mask says what is allowed. What a forbidden score becomes is decided in the attention.",
)
def causal_additive(length: int) -> Any:
    return np.where(right.causal_mask(length), 0.0, -1e9).astype("float32")


@causal.mistake(
    "The mask has axes that it does not need.",
    hint="Return (length, length). It broadcasts over batch and heads by itself.",
)
def causal_four_axes(length: int) -> Any:
    return right.causal_mask(length)[None, None]
