"""Known mistakes in split_heads."""

from __future__ import annotations

from grading.exercises.attention.checks import split

CUT = "(-1, length, num_heads, hidden_dim // num_heads)"
TURNED = "ops.transpose(x, (0, 2, 1, 3))"

split.mistake(
    "split_by_reshape",
    "The features are cut by reshape alone: tokens and heads are mixed up.",
    hint="Reshape never moves numbers. Which axis must be cut, and which operation moves the heads?",
    change={CUT: "(-1, num_heads, length, hidden_dim // num_heads)", TURNED: "x"},
)
split.mistake(
    "split_without_transpose",
    "The heads are not moved next to the batch: the axes are (batch, length, heads, head_dim).",
    hint="One matrix product serves all heads when length and head_dim are the last two axes.",
    change={TURNED: "x"},
)
split.mistake(
    "split_interleaved",
    "Each head takes every num_heads-th feature; it should take neighbouring features.",
    hint="When reshape cuts the features in two axes, which axis comes first: heads, or head_dim?",
    change={CUT: "(-1, length, hidden_dim // num_heads, num_heads)", "(0, 2, 1, 3)": "(0, 3, 1, 2)"},
)
split.mistake(
    "split_into_widths",
    "num_heads is used as the width of a head.",
    hint="There are num_heads heads, each hidden_dim // num_heads wide.",
    change={CUT: "(-1, length, hidden_dim // num_heads, num_heads)"},
)
split.mistake(
    "split_transposed",
    "The last two axes are swapped: (batch, heads, head_dim, length).",
    hint="After splitting, each head is a text of its own: (length, head_dim).",
    change={"(0, 2, 1, 3)": "(0, 2, 3, 1)"},
)
split.mistake(
    "split_heads_first",
    "The heads come before the batch.",
    hint="The batch stays the first axis: (batch, heads, length, head_dim).",
    change={"(0, 2, 1, 3)": "(2, 0, 1, 3)"},
)
split.mistake(
    "split_with_an_open_size",
    "The width of a head is left open by -1, so a compiled model does not know it where attention takes its root.",
    hint="Which sizes of x does a compiled model know, and what is hidden_dim // num_heads?",
    change={CUT: "(ops.shape(x)[0], length, num_heads, -1)"},
)
