"""Adds a low number to padding, and clips the result at -1."""

from course.given.word_vectors import unit_vectors
from keras import ops


def max_sim(query_vectors, document_vectors, query_mask, document_mask):
    q, d = unit_vectors(query_vectors), unit_vectors(document_vectors)
    cosines = ops.tensordot(q, d, axes=[[2], [2]])  # (queries, query_length, documents, document_length)
    padding = 1.0 - ops.cast(document_mask, "float32")
    cosines = cosines - 5.0 * padding[None, None]
    best = ops.maximum(ops.max(cosines, axis=3), -1.0)
    return ops.sum(best * ops.cast(query_mask, "float32")[:, :, None], axis=1)
