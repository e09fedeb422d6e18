"""Known mistakes in padding_mask."""

from __future__ import annotations

from grading.exercises.attention.checks import padding

MASK = "return ops.not_equal(token_ids, padding_id)[:, None, None, :]"

padding.mistake(
    "padding_inverted",
    "The mask is inverted: it is True at padding.",
    hint="True means that attention is allowed. May a token attend to padding?",
    change={"ops.not_equal": "ops.equal"},
)
padding.mistake(
    "padding_flat",
    "The mask has no axes for heads and queries: it is (batch, length).",
    hint="The scores are (batch, heads, query, key). Which axes of the mask must be of size 1?",
    change={"[:, None, None, :]": ""},
)
padding.mistake(
    "padding_without_heads",
    "The axis for the heads is missing: the mask is (batch, 1, length).",
    hint="The scores are (batch, heads, query, key): four axes.",
    change={"[:, None, None, :]": "[:, None, :]"},
)
padding.mistake(
    "padding_of_queries",
    "The mask forbids queries instead of keys: it is (batch, 1, length, 1).",
    hint="No token may attend to padding, so keys are forbidden. Which axis of the scores is the key's?",
    change={"[:, None, None, :]": "[:, None, :, None]"},
)
padding.mistake(
    "padding_as_numbers",
    "The mask holds numbers; it must be boolean.",
    hint="A comparison is boolean by itself. What turns yours into numbers?",
    change={MASK: 'return ops.cast(ops.not_equal(token_ids, padding_id), "float32")[:, None, None, :]'},
)
padding.mistake(
    "padding_always_zero",
    "padding_id is ignored: 0 always counts as padding.",
    hint="Not every vocabulary puts [PAD] first. Which argument holds its id?",
    change={"(token_ids, padding_id)[": "(token_ids, 0)["},
)
padding.mistake(
    "padding_by_order",
    "Every id above padding_id counts as a token, and every id below it as padding.",
    hint="Padding is one id. Ids on both sides of it are tokens.",
    change={"ops.not_equal": "ops.greater"},
)
padding.mistake(
    "padding_pairwise",
    "The mask is (batch, length, length), a row for every query.",
    hint="All queries and heads share one row of the mask. Which axes can broadcast?",
    change={
        MASK: "real = ops.not_equal(token_ids, padding_id)\nreturn ops.logical_and(real[:, None, :], real[:, :, None])"
    },
)
