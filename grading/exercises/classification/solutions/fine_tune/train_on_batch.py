"""train_on_batch on custom batches, and the held-out loss computed from the logits in NumPy."""

import keras
import numpy as np
from course.classification import require_class_ids
from course.pretraining import WarmupLinearDecay, bert_optimizer


def fine_tune(model, training, held_out, *, learning_rate=2e-5, batch_size=8, epochs=3, warmup=0.1, patience=1, seed=0):
    (inputs, labels), (held_inputs, held_labels) = training, held_out
    num_classes = model({k: v[:1] for k, v in inputs.items()}).shape[-1]
    require_class_ids(labels, "labels", num_classes)
    order = np.arange(len(labels))
    steps = epochs * len(range(0, len(order), batch_size))
    model.compile(
        bert_optimizer(model, WarmupLinearDecay(learning_rate, int(warmup * steps), steps)),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        jit_compile=False,
    )
    rng = np.random.RandomState(seed)
    loss, held_out_loss, weights = [], [], []
    for epoch in range(epochs):
        rng.shuffle(order)
        sums = 0.0
        for i in range(0, len(order), batch_size):
            rows = order[i : i + batch_size]
            sums += len(rows) * model.train_on_batch({k: v[rows] for k, v in inputs.items()}, labels[rows])
        loss.append(float(sums / len(labels)))
        logits = model.predict_on_batch(held_inputs).astype("float64")
        logits -= logits.max(axis=1, keepdims=True)
        log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        held_out_loss.append(float(-log_p[np.arange(len(held_labels)), held_labels].mean()))
        weights.append(model.get_weights())
        if epoch - int(np.argmin(held_out_loss)) >= patience:
            break
    model.set_weights(weights[int(np.argmin(held_out_loss))])
    return dict(loss=loss, held_out_loss=held_out_loss)
