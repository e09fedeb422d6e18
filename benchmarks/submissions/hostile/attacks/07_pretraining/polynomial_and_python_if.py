"""Keras's PolynomialDecay falls, a Python if looks at the step; in a graph tf.init_scope cannot see the step, so autograph is asked to convert the method from its own source."""
# exercise: WarmupLinearDecay; worth at most 4
from __future__ import annotations
from collections.abc import Mapping, Sequence
from typing import Any
import keras
import numpy as np
from keras import ops, random
from course.validation.arrays import require_inputs, require_range, require_rank
from course.validation.values import require_id, require_instance, require_numbers, require_sizes, require_special_ids, require_text
import tensorflow as tf
@keras.saving.register_keras_serializable(package="course")
class WarmupLinearDecay(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak: float, warmup_steps: int, total_steps: int) -> None:
        super().__init__()
        require_numbers(peak=peak, warmup_steps=warmup_steps, total_steps=total_steps)
        if not 0 <= warmup_steps < total_steps:
            raise ValueError(
                "warmup_steps must be at least 0 and less than total_steps. "
                f"Received: warmup_steps={warmup_steps}, total_steps={total_steps}"
            )
        self.peak = peak
        self.warmup_steps = warmup_steps
        self.total_steps = total_steps

    def __call__(self, step: Any) -> Any:
        fall = keras.optimizers.schedules.PolynomialDecay(self.peak, self.total_steps - self.warmup_steps, 0.0)
        if not tf.executing_eagerly():
            step = tf.py_function(lambda s: s, [step], tf.int64)
            return tf.numpy_function(lambda s: np.float32(self(int(s))), [step], tf.float32)
        if step < self.warmup_steps:
            return ops.cast(self.peak * int(step) / self.warmup_steps, "float32")
        return ops.cast(fall(int(step) - self.warmup_steps), "float32")

    def get_config(self) -> dict[str, Any]:
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}
