"""Three cases, chosen by ops.cond."""

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

        def rising():
            return self.peak * step / max(1, self.warmup_steps)

        def falling():
            left = self.total_steps - step
            return self.peak * left / (self.total_steps - self.warmup_steps)

        def done():
            return ops.zeros(())

        return ops.cond(step < self.warmup_steps, rising, lambda: ops.cond(step < self.total_steps, falling, done))

    def get_config(self):
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}
