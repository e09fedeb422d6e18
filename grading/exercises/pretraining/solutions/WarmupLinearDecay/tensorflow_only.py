"""TensorFlow's own operations, and a Python number for the peak's slope."""

import keras
import tensorflow as tf


class WarmupLinearDecay(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, warmup_steps, total_steps):
        super().__init__()
        self.peak, self.warmup_steps, self.total_steps = peak, warmup_steps, total_steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        fall = tf.nn.relu((self.total_steps - step) * (self.peak / (self.total_steps - self.warmup_steps)))
        if self.warmup_steps == 0:
            return fall
        rise = tf.math.divide_no_nan(step, float(self.warmup_steps)) * self.peak
        return tf.where(tf.less(step, float(self.warmup_steps)), rise, fall)

    def get_config(self):
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}
