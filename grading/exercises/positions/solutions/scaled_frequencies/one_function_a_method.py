import numpy as np


def _plain(d, base):
    return (1.0 / base ** (np.arange(0, d, 2) / d)).astype("float32")


def _linear(d, s, length, base, fast, slow):
    return _plain(d, base) / np.float32(s), 1.0


def _ntk(d, s, length, base, fast, slow):
    pairs = np.arange(d // 2)
    return (_plain(d, base) * s ** (-2 * pairs / (d - 2))).astype("float32"), 1.0


def _yarn(d, s, length, base, fast, slow):
    turns = np.log(length / (2 * np.pi * np.array([fast, slow])))
    low, high = d * turns / (2 * np.log(base))
    low, high = np.maximum(np.floor(low), 0), np.minimum(np.ceil(high), d - 1)
    keep = 1 - np.interp(np.arange(d // 2), [low, max(high, low + 1e-3)], [0.0, 1.0])
    plain = _plain(d, base)
    return (plain * keep + plain / s * (1 - keep)).astype("float32"), float(0.1 * np.log(s) + 1)


def scaled_frequencies(
    head_dim, method="none", factor=1.0, trained_length=512, *, base=10000.0, beta_fast=32.0, beta_slow=1.0
):
    if method == "none":
        return _plain(head_dim, base), 1.0
    chosen = {"linear": _linear, "ntk": _ntk, "yarn": _yarn}[method]
    return chosen(head_dim, factor, trained_length, base, beta_fast, beta_slow)
