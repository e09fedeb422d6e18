"""fit runs one epoch at a time on rows shuffled by hand, with a custom optimizer and schedule."""

import keras
import numpy as np
from keras import ops


class Triangle(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, rise, total):
        super().__init__()
        self.peak, self.rise, self.total = peak, rise, total

    def __call__(self, step):
        step = ops.cast(step, "float32")
        down = (self.total - step) / (self.total - self.rise)
        up = step / self.rise if self.rise else ops.ones_like(step)
        return self.peak * ops.maximum(0.0, ops.minimum(up, down))


def fine_tune(model, training, held_out, *, learning_rate=2e-5, batch_size=8, epochs=3, warmup=0.1, patience=1, seed=0):
    inputs, labels = training
    model.predict_on_batch({name: array[:2] for name, array in inputs.items()})
    total = -(-len(labels) // batch_size) * epochs
    rates = Triangle(learning_rate, int(total * warmup), total)
    adamw = keras.optimizers.AdamW(rates, weight_decay=0.01, global_clipnorm=1.0)
    adamw.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])
    model.compile(adamw, keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)

    rng = np.random.default_rng(seed)
    losses, held_out_losses, kept = [], [], None
    while len(losses) < epochs:
        rows = rng.permutation(len(labels))
        shuffled = {name: array[rows] for name, array in inputs.items()}
        fitted = model.fit(shuffled, labels[rows], batch_size=batch_size, shuffle=False, verbose=0)
        losses += fitted.history["loss"]
        held_out_losses.append(model.evaluate(*held_out, batch_size=batch_size, verbose=0))
        best = int(np.argmin(held_out_losses))
        if best == len(held_out_losses) - 1:
            kept = model.get_weights()
        elif len(held_out_losses) - 1 - best >= patience:
            break
    model.set_weights(kept)
    return {"loss": losses, "held_out_loss": held_out_losses}
