def gelu(x, approximate=False):
    if approximate:  # (1 + tanh(y)) / 2 is a sigmoid of 2y
        share = ops.sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * ops.power(x, 3)))
    else:
        share = (1 + ops.erf(x * 0.5**0.5)) / 2
    return x * share
