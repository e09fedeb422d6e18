def alibi_slopes(num_heads):
    def get(n):
        if n & (n - 1) == 0:
            return [2 ** (-8 * h / n) for h in range(1, n + 1)]
        lower = 1 << (n.bit_length() - 1)
        return get(lower) + get(2 * lower)[0::2][: n - lower]

    return np.array(get(num_heads), dtype="float32")
