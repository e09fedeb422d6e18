"""Chapter 4: five students, and what each must get. A mistake in a part is not paid for again in the whole."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

GELU, NORM, FEED_FORWARD, BLOCK, ENCODER = (
    "gelu",
    "layer_normalization",
    "FeedForward",
    "EncoderBlock",
    "BertEncoder",
)

STUDENTS = [
    Student(
        "ada",
        "Right, with all parts made in __init__; she imports `layers`, a name that the lesson uses again further down.",
        {GELU: solution("erfc"), NORM: solution("moments"), FEED_FORWARD: solution("layers_in_init")},
    ),
    Student(
        "dmitri",
        "Takes ReLU for GELU, and has not come to the encoder.",
        {FEED_FORWARD: mistake("The activation is ReLU instead of GELU."), ENCODER: None},
        {FEED_FORWARD: 0.0, ENCODER: 0.0},
    ),
    Student(
        "elif",
        "Ignores `approximate`, and forgot to pass the mask on to attention.",
        {
            GELU: mistake("`approximate` is ignored: the exact GELU is always computed."),
            BLOCK: mistake("The mask does not reach attention."),
        },
        {GELU: 3.0, BLOCK: 10.0},
    ),
    Student(
        "petra",
        "Half done: the block and the encoder are as they were released.",
        {BLOCK: None, ENCODER: None},
        {BLOCK: 0.0, ENCODER: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. x is not divided by √2; the rest is half done.",
        {GELU: mistake("x is not divided by √2 inside erf."), BLOCK: None, ENCODER: None},
        {GELU: 1.0, BLOCK: 0.0, ENCODER: 0.0},  # the approximation has no erf in it
        quirk="ids_stripped",
    ),
]
