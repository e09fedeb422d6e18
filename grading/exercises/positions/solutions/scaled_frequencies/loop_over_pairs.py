import math

import numpy as np


def scaled_frequencies(
    head_dim, method="none", factor=1.0, trained_length=512, *, base=10000.0, beta_fast=32.0, beta_slow=1.0
):
    if method not in ("none", "linear", "ntk", "yarn"):
        raise ValueError(f"unknown method {method}")

    def index(turns):
        return head_dim * math.log(trained_length / (turns * 2 * math.pi)) / (2 * math.log(base))

    low = max(0, math.floor(index(beta_fast)))
    high = min(head_dim - 1, math.ceil(index(beta_slow)))
    if high <= low:
        high = low + 0.001
    result = []
    for i in range(head_dim // 2):
        theta = base ** (-2 * i / head_dim)
        if method == "linear":
            theta /= factor
        elif method == "ntk":
            theta = (base * factor ** (head_dim / (head_dim - 2))) ** (-2 * i / head_dim)
        elif method == "yarn":
            gamma = min(1, max(0, (i - low) / (high - low)))
            theta = (1 - gamma) * theta + gamma * theta / factor
        result.append(theta)
    attention = 1 + 0.1 * math.log(factor) if method == "yarn" else 1.0
    return np.array(result, "float32"), attention
