"""Each pair occurs once with each label, weighted by its target: logistic regression by least squares."""

import numpy as np


def fit_platt(logits, labels):
    x = np.asarray(logits, "float64")
    y = np.asarray(labels).astype(int)
    high, low = (y.sum() + 1) / (y.sum() + 2), 1 / (len(y) - y.sum() + 2)
    middle, spread = np.median(x), x.max() - x.min()
    rows = np.column_stack([np.tile((x - middle) / spread, 2), np.ones(2 * len(x))])
    answers = np.repeat([1.0, 0.0], len(x))
    weight = np.concatenate([np.where(y == 1, high, low), 1 - np.where(y == 1, high, low)])
    w = np.zeros(2)
    for _ in range(1000):
        p = np.clip(1 / (1 + np.exp(-np.clip(rows @ w, -30, 30))), 1e-12, 1 - 1e-12)
        root = np.sqrt(weight * p * (1 - p))
        target = (answers - p) * weight / np.maximum(root, 1e-12)
        step = np.linalg.lstsq(rows * root[:, None], target, rcond=None)[0]
        w = w + step * min(1, 2 / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-11:
            break
    return float(w[0] / spread), float(w[1] - w[0] * middle / spread)
