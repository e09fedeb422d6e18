"""Linear interpolation by slopes: up by one, then down by the other."""

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
        risen = ops.minimum(step, float(self.warmup_steps))
        fallen = ops.clip(step - self.warmup_steps, 0.0, float(self.total_steps - self.warmup_steps))
        up = self.peak / self.warmup_steps if self.warmup_steps else 0.0
        down = self.peak / (self.total_steps - self.warmup_steps)
        start = 0.0 if self.warmup_steps else self.peak
        return start + up * risen - down * fallen

    def get_config(self):
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}
