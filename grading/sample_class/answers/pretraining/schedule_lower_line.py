class WarmupLinearDecay(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, warmup_steps, total_steps):
        super().__init__()
        self.peak, self.warmup_steps, self.total_steps = peak, warmup_steps, total_steps

    def __call__(self, step):
        step = ops.cast(step, "float32")
        share = (self.total_steps - step) / (self.total_steps - self.warmup_steps)
        if self.warmup_steps:
            share = ops.minimum(share, step / self.warmup_steps)
        return self.peak * ops.relu(share)

    def get_config(self):
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}
