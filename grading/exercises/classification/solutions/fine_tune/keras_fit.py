"""One call of fit, with Keras's own early stopping, on arrays of full length."""

import math

import keras
from course.pretraining import WarmupLinearDecay, bert_optimizer


def fine_tune(model, training, held_out, *, learning_rate=2e-5, batch_size=8, epochs=3, warmup=0.1, patience=1, seed=0):
    keras.utils.set_random_seed(seed)
    inputs, labels = training
    model({name: array[:1] for name, array in inputs.items()})
    steps = math.ceil(len(labels) / batch_size) * epochs
    model.compile(
        optimizer=bert_optimizer(model, WarmupLinearDecay(learning_rate, int(steps * warmup), steps)),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        jit_compile=False,
    )
    stop = keras.callbacks.EarlyStopping("val_loss", patience=patience, restore_best_weights=True)
    fitted = model.fit(
        inputs, labels, batch_size, epochs, verbose=0, callbacks=[stop], validation_data=held_out, shuffle=True
    )
    return {"loss": fitted.history["loss"], "held_out_loss": fitted.history["val_loss"]}
