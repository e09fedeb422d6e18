import numpy as np


def alibi_slopes(num_heads):
    def powers(count):
        return np.cumprod(np.full(count, 2 ** (-8 / count)))

    lower = 1 << (num_heads.bit_length() - 1)
    extra = powers(lower * 2)
    return np.append(powers(lower), [extra[2 * i] for i in range(num_heads - lower)]).astype("float32")
