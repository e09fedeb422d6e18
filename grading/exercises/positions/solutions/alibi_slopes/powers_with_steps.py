from keras import ops


def alibi_slopes(num_heads):
    power = 1
    while 2 * power <= num_heads:
        power *= 2
    exponents = [8 * h / power for h in range(1, power + 1)]
    exponents += [8 * h / (2 * power) for h in range(1, 2 * (num_heads - power), 2)]
    return ops.power(2.0, -ops.convert_to_tensor(exponents, "float32"))
