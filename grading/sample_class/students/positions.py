"""Chapter 9: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

ROTATE, SCALED = "rotate", "scaled_frequencies"
SLOPES, LAYER = "alibi_slopes", "PositionedAttention"

STUDENTS = [
    Student(
        "ada",
        "Right, with complex numbers, a loop over the pairs, and positions that are turned together.",
        {ROTATE: "rotate_complex", SCALED: "scaled_by_pair", SLOPES: "slopes_recursive", LAYER: "layer_together"},
    ),
    Student(
        "dmitri",
        "Pairs neighbours, as GPT-J does. The layer that uses it loses nothing.",
        {ROTATE: "rotate_neighbours"},
        {ROTATE: 0.0},
        {ROTATE: "Neighbouring features are paired, 2i and 2i + 1. GPT-J's weights need that; these do not."},
    ),
    Student(
        "elif",
        "Stretches the base by the factor alone, and takes the first of twice as many slopes.",
        {
            SCALED: {"base * factor ** (head_dim / (head_dim - 2))": "base * factor"},
            SLOPES: {"slopes(2 * power)[::2][: num_heads - power]": "slopes(2 * power)[: num_heads - power]"},
        },
        {SCALED: 4.0, SLOPES: 1.0},
        {
            SCALED: '"ntk" multiplies the base by the factor without its exponent, so the slowest pair is too fast.',
            SLOPES: "Of the slopes of twice as many heads, the first ones are taken instead of every second one.",
        },
    ),
    Student(
        "petra",
        "Half done: the layer is as it was released.",
        {LAYER: None},
        {LAYER: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. The keys are not turned.",
        {LAYER: {"return turned(query), turned(key)": "return turned(query), key"}},
        {LAYER: 1.5},
        {LAYER: "Only the queries are rotated."},
        quirk="ids_stripped",
    ),
]
