import math

from keras import ops


def scaled_frequencies(
    head_dim, method="none", factor=1.0, trained_length=512, *, base=10000.0, beta_fast=32.0, beta_slow=1.0
):
    pair = ops.cast(ops.arange(head_dim // 2), "float32")
    attention_factor = 1.0
    if method == "ntk":
        base = base * factor ** (head_dim / (head_dim - 2))
    inverse = ops.power(float(base), 2.0 * pair / head_dim)
    if method == "linear":
        inverse = inverse * factor
    frequencies = 1.0 / inverse
    if method == "yarn":
        find = lambda b: head_dim / 2 * math.log(trained_length / (2 * math.pi * b), base)
        low, high = max(math.floor(find(beta_fast)), 0), min(math.ceil(find(beta_slow)), head_dim - 1)
        ramp = ops.clip((pair - low) / (high - low if high > low else 0.001), 0.0, 1.0)
        frequencies = frequencies * (1.0 - ramp + ramp / factor)
        attention_factor = 0.1 * math.log(factor) + 1.0
    return frequencies, attention_factor
