"""All cells of a table except the diagonal, and bincount for the sums."""

import numpy as np


def duo_rank(candidates, compare, batch_size=32):
    candidates = np.asarray(candidates)
    n = len(candidates)
    rows, columns = np.divmod(np.arange(n * n), max(n, 1))
    keep = rows != columns
    rows, columns = rows[keep], columns[keep]
    parts = [
        np.asarray(compare(candidates[rows[at : at + batch_size]], candidates[columns[at : at + batch_size]]))
        for at in range(0, len(rows), batch_size)
    ]
    p = np.concatenate(parts) if parts else np.zeros(0)
    scores = np.bincount(rows, weights=p, minlength=n).astype(float)
    order = np.argsort(-scores, kind="mergesort")
    return candidates[order], scores[order]
