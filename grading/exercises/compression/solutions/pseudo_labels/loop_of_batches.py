"""Loops over batches, and appends to lists."""

import numpy as np
from keras import ops


def pseudo_labels(teacher, inputs, batch_size=64, threshold=0.0, soft=True, exclude=None):
    def key(ids, mask):
        return ids[mask.astype(bool)].astype("int64").tobytes()

    known = set()
    if exclude is not None:
        known = {key(ids, mask) for ids, mask in zip(exclude["token_ids"], exclude["padding_mask"])}
    count = len(inputs["token_ids"])
    kept, labels = [], []
    for start in range(0, count, batch_size):
        batch = {name: array[start : start + batch_size] for name, array in inputs.items()}
        logits = ops.cast(teacher(batch, training=False), "float32")
        for i, p in enumerate(ops.convert_to_numpy(ops.softmax(logits, axis=-1))):
            if p.max() < threshold or key(batch["token_ids"][i], batch["padding_mask"][i]) in known:
                continue
            kept.append(start + i)
            labels.append(p if soft else p.argmax())
    return np.array(kept, dtype="int64"), np.array(labels)
