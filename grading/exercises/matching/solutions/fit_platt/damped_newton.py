"""Newton's method of Lin, Lin and Weng: two unknowns, a damped step, no library."""

import math

import numpy as np


def fit_platt(logits, labels):
    x = np.asarray(logits, dtype="float64")
    size = float(np.abs(x).max())
    x = x / size
    y = np.asarray(labels) == 1
    n1, n0 = int(y.sum()), int((~y).sum())
    t = np.where(y, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    a, b = 0.0, math.log((n1 + 1) / (n0 + 1))

    def objective(a, b):
        z = a * x + b
        return float(np.sum(np.maximum(z, 0) - t * z + np.log1p(np.exp(-np.abs(z)))))

    value = objective(a, b)
    for _ in range(500):
        p = 0.5 * (1 + np.tanh((a * x + b) / 2))
        d = p * (1 - p)
        h11, h22, h21 = float(x @ (d * x)) + 1e-12, float(d.sum()) + 1e-12, float(x @ d)
        g1, g2 = float(x @ (p - t)), float((p - t).sum())
        if abs(g1) < 1e-10 and abs(g2) < 1e-10:
            break
        det = h11 * h22 - h21 * h21
        da, db = -(h22 * g1 - h21 * g2) / det, -(h11 * g2 - h21 * g1) / det
        step = 1.0
        while step > 1e-12:
            new = objective(a + step * da, b + step * db)
            if new < value + 1e-4 * step * (g1 * da + g2 * db):
                a, b, value = a + step * da, b + step * db, new
                break
            step /= 2
        else:
            break
    return a / size, b
