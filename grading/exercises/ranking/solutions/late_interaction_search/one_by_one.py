"""Scores each candidate separately."""

import numpy as np
from course.ranking import max_sim
from keras import ops


def late_interaction_search(query_vectors, index, owners, document_vectors, per_token, k):
    candidates = set()
    for word in query_vectors:
        numbers = index.nearest(word[None], min(per_token, len(owners)))[0]
        candidates.update(int(owners[number]) for number in numbers)
    scored = []
    for number in sorted(candidates):
        vectors = document_vectors[number]
        masks = np.ones((1, len(query_vectors)), bool), np.ones((1, len(vectors)), bool)
        score = ops.convert_to_numpy(max_sim(query_vectors[None], vectors[None], *masks))[0, 0]
        scored.append((-float(score), number))
    scored.sort()
    return np.array([number for _, number in scored[:k]]), np.array([-score for score, _ in scored[:k]], "float32")
