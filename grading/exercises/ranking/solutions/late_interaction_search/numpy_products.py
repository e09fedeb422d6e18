"""Computes the scores in NumPy, and orders them with lexsort."""

import numpy as np


def late_interaction_search(query_vectors, index, owners, document_vectors, per_token, k):
    def unit(x):
        return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-6)

    near = index.nearest(query_vectors, min(per_token, len(owners)))
    candidates = np.array(sorted(set(owners[near.reshape(-1)].tolist())))
    query = unit(query_vectors)
    scores = np.array([(query @ unit(document_vectors[one]).T).max(axis=1).sum() for one in candidates], "float32")
    order = np.lexsort((candidates, -np.round(scores, 5)))[:k]
    return candidates[order], scores[order]
