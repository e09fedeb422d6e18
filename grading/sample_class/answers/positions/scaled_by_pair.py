def scaled_frequencies(
    head_dim, method="none", factor=1.0, trained_length=512, *, base=10000.0, beta_fast=32.0, beta_slow=1.0
):
    def turns_at(beta):
        return head_dim * math.log(trained_length / (2 * math.pi * beta)) / (2 * math.log(base))

    low = max(math.floor(turns_at(beta_fast)), 0)
    high = min(math.ceil(turns_at(beta_slow)), head_dim - 1)

    def theta(i):
        plain = base ** (-2 * i / head_dim)
        if method == "linear":
            return plain / factor
        if method == "ntk":
            return plain * factor ** (-2 * i / (head_dim - 2))
        if method == "yarn":
            gamma = min(max((i - low) / ((high - low) or 0.001), 0), 1)
            return plain * (1 - gamma) + plain / factor * gamma
        return plain

    frequencies = np.array([theta(i) for i in range(head_dim // 2)], dtype="float32")
    return frequencies, 0.1 * math.log(factor) + 1 if method == "yarn" else 1.0
