"""Chapter 15: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

LOSS, SELECTION, TINY, LEVELS = "distillation_loss", "select_layers", "TinyLoss", "quantize"
BACK, DENSE, LABELS = "dequantize", "QuantizedDense", "pseudo_labels"

STUDENTS = [
    Student(
        "ada",
        "Right: probabilities and one-hot labels, whole steps on the way back, and labels in a loop.",
        {LOSS: "loss_of_probabilities", BACK: "whole_steps", LABELS: "labels_in_a_loop"},
    ),
    Student(
        "dmitri",
        "Forgets T², and takes the first blocks of the teacher.",
        {
            LOSS: {"temperature**2 * ops.mean": "ops.mean"},
            SELECTION: {"(2 * i * (teacher.num_layers - 1) + gaps) // (2 * gaps) for": "i for"},
        },
        {LOSS: 0.0, SELECTION: 0.5},
        {
            LOSS: "T² is missing, so the teacher counts less as the temperature rises.",
            SELECTION: "The first blocks are taken instead of evenly spaced ones.",
        },
    ),
    Student(
        "elif",
        "Compares the teacher with itself, and adds no bias.",
        {
            LOSS: {"axis=-1) for logits in (student, teacher))": "axis=-1) for logits in (teacher, teacher))"},
            DENSE: {"* scale * self.scale + self.bias": "* scale * self.scale"},
        },
        {LOSS: 0.0, DENSE: 1.5},
        {
            LOSS: "The teacher is compared with itself, so the soft part is always 0.",
            DENSE: "The bias is not added.",
        },
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
        {LABELS: {"is_new & (probabilities": "(probabilities"}},
        {LABELS: 2.0},
        {LABELS: "`exclude` is not used, so test texts are labelled and end up in training."},
        quirk="ids_stripped",
    ),
]
