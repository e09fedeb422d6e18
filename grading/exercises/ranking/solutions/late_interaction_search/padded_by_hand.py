"""Pads the candidates into one array without the helper."""

import numpy as np
from course.ranking import max_sim
from keras import ops


def late_interaction_search(query_vectors, index, owners, document_vectors, per_token, k):
    chosen = np.unique(owners[index.nearest(query_vectors, min(per_token, len(owners)))])
    lengths = np.array([len(document_vectors[one]) for one in chosen])
    vectors = np.zeros((len(chosen), lengths.max(), query_vectors.shape[1]), "float32")
    for row, one in enumerate(chosen):
        vectors[row, : lengths[row]] = document_vectors[one]
    mask = np.arange(lengths.max())[None] < lengths[:, None]
    words = np.full((1, len(query_vectors)), True)
    scores = ops.convert_to_numpy(max_sim(query_vectors[None], vectors, words, mask)).reshape(-1)
    order = sorted(range(len(chosen)), key=lambda row: (-scores[row], chosen[row]))[:k]
    return chosen[order], scores[order]
