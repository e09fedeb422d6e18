"""Chapter 2: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

POSITIONS, LAYER = "sinusoidal_positions", "BertEmbedding"

STUDENTS = [
    Student(
        "ada",
        "Right: waves number by number, and all parts of the layer made in __init__.",
        {POSITIONS: solution("loops"), LAYER: solution("layers_in_init")},
    ),
    Student(
        "boris",
        "Right; the notebook is full of warnings, progress bars and plots.",
        quirk="noisy_outputs",
    ),
    Student(
        "dmitri",
        "Counts positions from 1, and always drops out.",
        {
            POSITIONS: mistake("Positions are counted from 1."),
            LAYER: mistake("Dropout is always on."),
        },
        {POSITIONS: 0.0, LAYER: 9.0},
    ),
    Student(
        "elif",
        "Sines and cosines are exchanged, and epsilon is Keras's.",
        {
            POSITIONS: mistake("Sines and cosines are swapped."),
            LAYER: mistake("Epsilon is Keras's default, 1e-3."),
        },
        {POSITIONS: 0.0, LAYER: 9.0},
    ),
    Student(
        "petra",
        "Half done: the waves are written, the layer is as it was released.",
        {LAYER: None},
        {LAYER: 0.0},
    ),
]
