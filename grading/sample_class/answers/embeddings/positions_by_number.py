def sinusoidal_positions(length, hidden_dim):
    def wave(pos, i):
        angle = pos / 10000 ** ((i - i % 2) / hidden_dim)
        return np.cos(angle) if i % 2 else np.sin(angle)

    return np.array([[wave(pos, i) for i in range(hidden_dim)] for pos in range(length)], dtype="float32")
