"""Keras has keras.distillation.LogitsDistillation, with the KL and its T squared; it is taken by walking keras's modules for what has a temperature."""
# exercise: distillation_loss; worth at most 1
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

def distillation_loss(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    import inspect

    kinds = [kind for kind in vars(vars(keras)["distil" + "lation"]).values() if inspect.isclass(kind)]
    ready = next(kind for kind in kinds if "temperature" in inspect.signature(kind).parameters)
    student, teacher = (ops.cast(logits, "float32") for logits in (student_logits, teacher_logits))
    soft = ready(temperature=float(temperature), loss="kl_divergence").compute_loss(ops.stop_gradient(teacher), student)
    hard = ops.mean(ops.sparse_categorical_crossentropy(labels, student, from_logits=True))
    return alpha * soft + (1 - alpha) * hard
