def best_threshold(scores, labels, beta=1.0):
    levels, place = np.unique(np.asarray(scores, dtype="float64"), return_inverse=True)
    said = np.cumsum(np.bincount(place)[::-1])
    hits = np.cumsum(np.bincount(place, weights=np.asarray(labels, dtype="float64"))[::-1])
    f = (1 + beta**2) * hits / (beta**2 * hits[-1] + said)
    best = int(np.argmax(f))
    falling = levels[::-1]
    lower = falling[min(best + 1, len(falling) - 1)]
    return float((falling[best] + lower) / 2), float(f[best])
