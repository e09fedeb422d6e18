"""Chapter 2: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

POSITIONS, LAYER = "sinusoidal_positions", "BertEmbedding"

STUDENTS = [
    Student(
        "ada",
        "Right: waves number by number, and all parts of the layer made in __init__.",
        {POSITIONS: "positions_by_number", LAYER: "layer_parts_at_once"},
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
            POSITIONS: {"np.arange(length)[:, np.newaxis]": "np.arange(1, length + 1)[:, np.newaxis]"},
            LAYER: {
                "return self.dropout_layer(self.norm(x))": "return self.dropout_layer(self.norm(x), training=True)"
            },
        },
        {POSITIONS: 0.0, LAYER: 9.0},
        {POSITIONS: "Positions are counted from 1.", LAYER: "Dropout is always on."},
    ),
    Student(
        "elif",
        "Sines and cosines are exchanged, and epsilon is Keras's.",
        {
            POSITIONS: {
                "table[:, 0::2] = np.sin(angle)": "table[:, 0::2] = np.cos(angle)",
                "table[:, 1::2] = np.cos(angle)": "table[:, 1::2] = np.sin(angle)",
            },
            LAYER: {"LayerNormalization(epsilon=self.epsilon, name": "LayerNormalization(name"},
        },
        {POSITIONS: 0.0, LAYER: 9.0},
        {POSITIONS: "Sines and cosines are swapped.", LAYER: "Epsilon is Keras's default, 1e-3."},
    ),
    Student(
        "petra",
        "Half done: the waves are written, the layer is as it was released.",
        {LAYER: None},
        {LAYER: 0.0},
    ),
]
