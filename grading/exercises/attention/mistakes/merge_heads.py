"""Known mistakes in merge_heads."""

from __future__ import annotations

from grading.exercises.attention.checks import merge

TURNED = "x = ops.transpose(x, (0, 2, 1, 3))"
JOINED = "ops.reshape(x, (-1, length, num_heads * head_dim))"

merge.mistake(
    "merge_by_reshape",
    "The heads are merged by reshape alone: tokens and heads are mixed up.",
    hint="Reshape never moves numbers. A token's heads must be neighbours before you reshape.",
    change={TURNED: ""},
)
merge.mistake(
    "merge_interleaved",
    "The features are interleaved: all heads' first features come first.",
    hint="The first head's features come first, all of them.",
    change={"(0, 2, 1, 3)": "(0, 2, 3, 1)"},
)
merge.mistake(
    "merge_by_sum",
    "The heads are summed instead of put side by side.",
    hint="Each head keeps its own features: the width is num_heads · head_dim again.",
    change={JOINED: "ops.sum(x, axis=2)"},
)
merge.mistake(
    "merge_by_mean",
    "The heads are averaged instead of put side by side.",
    hint="Each head keeps its own features: the width is num_heads · head_dim again.",
    change={JOINED: "ops.mean(x, axis=2)"},
)
merge.mistake(
    "merge_without_reshape",
    "The axes are right, but the heads are not joined: the result still has four axes.",
    hint="After the transpose, a reshape makes one axis of (heads, head_dim).",
    change={JOINED: "x"},
)
merge.mistake(
    "merge_along_length",
    "The heads are joined along the length, one after the other, instead of side by side.",
    hint="The length stays as it is; the width grows.",
    change={TURNED: "", JOINED: "ops.reshape(x, (-1, num_heads * length, head_dim))"},
)
