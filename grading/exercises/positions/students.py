"""Chapter 9: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

ROTATE, SCALED = "rotate", "scaled_frequencies"
SLOPES, LAYER = "alibi_slopes", "PositionedAttention"

STUDENTS = [
    Student(
        "ada",
        "Right, with complex numbers, a loop over the pairs, and positions that are turned together.",
        {
            ROTATE: solution("complex_numbers"),
            SCALED: solution("loop_over_pairs"),
            SLOPES: solution("recursive"),
            LAYER: solution("angles_in_build"),
        },
    ),
    Student(
        "dmitri",
        "Pairs neighbours, as GPT-J does. The layer that uses it loses nothing.",
        {ROTATE: mistake("Neighbouring features are paired, 2i and 2i + 1. GPT-J's weights need that; these do not.")},
        {ROTATE: 0.0},
    ),
    Student(
        "elif",
        "Stretches the base by the factor alone, and takes the first of twice as many slopes.",
        {
            SCALED: mistake(
                '"ntk" multiplies the base by the factor without its exponent, so the slowest pair is too fast.'
            ),
            SLOPES: mistake(
                "Of the slopes of twice as many heads, the first ones are taken instead of every second one."
            ),
        },
        {SCALED: 4.0, SLOPES: 1.0},
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
        {LAYER: mistake("Only the queries are rotated.")},
        {LAYER: 1.5},
        quirk="ids_stripped",
    ),
]
