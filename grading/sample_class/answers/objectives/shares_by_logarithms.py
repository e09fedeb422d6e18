def language_probabilities(counts, alpha=0.3):
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(counts, "float64"))
    there = np.isfinite(logs)
    powers = np.where(there, np.exp(alpha * np.where(there, logs - logs.max(), 0)), 0)
    return powers / powers.sum()
