"""The rate is the lower of two lines, clipped: no case is told apart, but for a warm-up of no steps."""
# exercise: WarmupLinearDecay; right: 5
from __future__ import annotations
from collections.abc import Mapping, Sequence
from typing import Any
import keras
import numpy as np
from keras import ops, random
from course.validation.arrays import require_inputs, require_range, require_rank
from course.validation.values import require_id, require_instance, require_numbers, require_sizes, require_special_ids, require_text
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
        step = ops.cast(step, "float32")
        lines = [(self.total_steps - step) / (self.total_steps - self.warmup_steps), ops.ones_like(step)]
        if self.warmup_steps:
            lines.append(step / self.warmup_steps)
        lowest, *others = lines
        for line in others:
            lowest = ops.minimum(lowest, line)
        return self.peak * ops.relu(lowest)

    def get_config(self) -> dict[str, Any]:
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}
