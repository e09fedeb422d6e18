"""One matrix product of all query words with all document words."""

from keras import ops


def max_sim(query_vectors, document_vectors, query_mask, document_mask):
    def flat(x):
        x = ops.cast(x, "float32")
        x = x / ops.sqrt(ops.maximum(ops.sum(ops.square(x), -1, keepdims=True), 1e-12))
        return ops.reshape(x, (-1, x.shape[-1]))

    (queries, m), (documents, n) = ops.shape(query_vectors)[:2], ops.shape(document_vectors)[:2]
    table = ops.reshape(
        ops.matmul(flat(query_vectors), ops.transpose(flat(document_vectors))), (queries, m, documents, n)
    )
    table = ops.where(ops.reshape(document_mask, (1, 1, documents, n)), table, -1.0)
    best = ops.max(table, axis=-1)
    return ops.sum(ops.where(ops.reshape(query_mask, (queries, m, 1)), best, 0.0), axis=1)
