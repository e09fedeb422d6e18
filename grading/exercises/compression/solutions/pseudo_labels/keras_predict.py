"""Keras's `predict`, and a table of comparisons."""

import numpy as np
from scipy.special import softmax


def pseudo_labels(teacher, inputs, batch_size=64, threshold=0.0, soft=True, exclude=None):
    p = softmax(teacher.predict(dict(inputs), batch_size=batch_size, verbose=0).astype("float32"), axis=-1)
    keep = p.max(axis=1) >= threshold
    if exclude is not None:
        ids = np.where(inputs["padding_mask"], inputs["token_ids"], -1)
        others = np.where(exclude["padding_mask"], exclude["token_ids"], -1)
        width = max(ids.shape[1], others.shape[1])
        ids = np.pad(ids, ((0, 0), (0, width - ids.shape[1])), constant_values=-1)
        others = np.pad(others, ((0, 0), (0, width - others.shape[1])), constant_values=-1)
        keep &= ~(ids[:, None] == others[None]).all(axis=2).any(axis=1)
    kept = np.where(keep)[0]
    return kept, (p if soft else np.argmax(p, axis=1))[kept]
