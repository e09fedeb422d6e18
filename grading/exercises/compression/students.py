"""Chapter 15: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

LOSS, SELECTION, TINY = "distillation_loss", "select_layers", "TinyLoss"
BACK, DENSE, LABELS = "dequantize", "QuantizedDense", "pseudo_labels"

STUDENTS = [
    Student(
        "ada",
        "Right: probabilities and one-hot labels, whole steps on the way back, and labels in a loop.",
        {LOSS: solution("one_hot"), BACK: solution("numpy_only"), LABELS: solution("loop_of_batches")},
    ),
    Student(
        "dmitri",
        "Forgets T², and takes the first blocks of the teacher.",
        {
            LOSS: mistake("T² is missing, so the teacher counts less as the temperature rises."),
            SELECTION: mistake("The first blocks are taken instead of evenly spaced ones."),
        },
        {LOSS: 0.0, SELECTION: 0.5},
    ),
    Student(
        "elif",
        "Compares the teacher with itself, and adds no bias.",
        {
            LOSS: mistake("The teacher is compared with itself, so the soft part is always 0."),
            DENSE: mistake("The bias is not added."),
        },
        {LOSS: 0.0, DENSE: 1.5},
    ),
    Student(
        "petra",
        "Half done: the losses of TinyBERT are as they were released.",
        {TINY: None},
        {TINY: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. Labels texts of the test, too.",
        {LABELS: mistake("`exclude` is not used, so test texts are labelled and end up in training.")},
        {LABELS: 2.0},
        quirk="ids_stripped",
    ),
]
