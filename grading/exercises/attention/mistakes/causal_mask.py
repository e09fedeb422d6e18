"""Known mistakes in causal_mask."""

from __future__ import annotations

from grading.exercises.attention.checks import causal

MASK = "positions[:, None] >= positions[None, :]"

causal.mistake(
    "causal_inverted",
    "The mask is inverted: a query sees only later tokens.",
    hint="True means that attention is allowed. In row i, which columns come before i?",
    change={">=": "<"},
)
causal.mistake(
    "causal_transposed",
    "The mask is transposed: a query sees itself and the future.",
    hint="Rows are queries, columns are keys. The first query sees only the first key.",
    change={">=": "<="},
)
causal.mistake(
    "causal_without_self",
    "A query does not see itself.",
    hint="The diagonal is allowed: a token may see itself. Is it > or >=?",
    change={">=": ">"},
)
causal.mistake(
    "causal_one_ahead",
    "A query sees one token too many: the next one.",
    hint="In each row, the diagonal is the last allowed place.",
    change={">=": "+ 1 >="},
)
causal.mistake(
    "causal_as_numbers",
    "The mask holds numbers; it must be boolean.",
    hint="A comparison gives truth values; `tril` of ones gives numbers.",
    change={MASK: "ops.tril(ops.ones((length, length)))"},
)
causal.mistake(
    "causal_additive",
    "The mask holds 0 and -1e9, to be added to scores; it must be boolean.",
    hint="In this course a mask says what is allowed. The attention decides what a forbidden score becomes.",
    change={MASK: f"ops.where({MASK}, 0.0, -1e9)"},
)
causal.mistake(
    "causal_by_numpy",
    "NumPy or a loop makes the mask, and cannot take the tensor that a compiled model passes as the length.",
    hint="Which function of keras.ops does what yours does?",
    change={"ops.arange(length)": "np.arange(length)"},
)
causal.mistake(
    "causal_four_axes",
    "The mask has axes that it does not need.",
    hint="Batch and heads broadcast by themselves. Which two axes does the mask need?",
    change={MASK: f"({MASK})[None, None]"},
)
