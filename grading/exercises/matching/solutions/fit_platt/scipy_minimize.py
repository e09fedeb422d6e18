"""SciPy finds the minimum, given loss and gradient, on standardised logits."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit


def fit_platt(logits, labels):
    logits = np.asarray(logits, dtype=float)
    labels = np.asarray(labels).astype(bool)
    mean, deviation = logits.mean(), logits.std()
    x = (logits - mean) / deviation
    t = np.full(len(x), 1 / ((~labels).sum() + 2))
    t[labels] = (labels.sum() + 1) / (labels.sum() + 2)

    def loss(w):
        z = w[0] * x + w[1]
        gap = expit(z) - t
        return np.sum(np.logaddexp(0, z) - t * z), np.array([np.sum(gap * x), np.sum(gap)])

    a, b = minimize(loss, [1.0, 0.0], jac=True, method="BFGS", options={"gtol": 1e-9}).x
    return float(a / deviation), float(b - a * mean / deviation)
