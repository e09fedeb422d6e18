"""Booleans cast to numbers switch the two lines on and off."""

import keras
from keras import ops


class WarmupLinearDecay(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, warmup_steps, total_steps):
        super().__init__()
        self.peak = peak
        self.warmup_steps = warmup_steps
        self.total_steps = total_steps

    def __call__(self, step):
        step = ops.cast(step, "float32")
        early = ops.cast(step < self.warmup_steps, "float32")
        late = ops.cast(ops.logical_and(step >= self.warmup_steps, step < self.total_steps), "float32")
        first = step / (self.warmup_steps + (self.warmup_steps == 0))
        second = 1.0 - (step - self.warmup_steps) / (self.total_steps - self.warmup_steps)
        return self.peak * (early * first + late * second)

    def get_config(self):
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}
