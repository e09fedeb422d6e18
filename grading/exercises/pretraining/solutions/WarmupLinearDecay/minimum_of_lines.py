"""The lower of two lines, and never below 0; one line if there is no rise."""

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
        share = (self.total_steps - step) / (self.total_steps - self.warmup_steps)
        if self.warmup_steps > 0:
            share = ops.minimum(share, step / self.warmup_steps)
        return self.peak * ops.maximum(share, 0.0)

    def get_config(self):
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}
