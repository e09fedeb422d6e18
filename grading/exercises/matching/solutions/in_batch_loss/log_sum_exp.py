"""log Σ exp of each row, minus the score of its own document, a dot product of two vectors."""

from keras import ops


def in_batch_loss(query_vectors, document_vectors, scale=20.0, same=None):
    def unit(x):
        x = ops.cast(x, "float32")
        return x * ops.rsqrt(ops.maximum(ops.sum(ops.square(x), axis=-1, keepdims=True), 1e-12))

    q, d = unit(query_vectors), unit(document_vectors)
    own = scale * ops.sum(q * d, axis=-1)
    scores = scale * (q @ ops.transpose(d))
    n = ops.arange(ops.shape(scores)[0])
    if same is not None:
        keep = ops.logical_or(ops.logical_not(ops.cast(same, "bool")), ops.equal(n[:, None], n))
        scores = ops.where(keep, scores, float("-inf"))
    return ops.mean(ops.logsumexp(scores, axis=-1) - own)
