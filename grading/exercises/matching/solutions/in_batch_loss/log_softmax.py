"""The diagonal of a log-softmax; subtracts a large number from other correct documents."""

from keras import ops


def in_batch_loss(query_vectors, document_vectors, scale=20.0, same=None):
    q = ops.cast(query_vectors, "float32")
    d = ops.cast(document_vectors, "float32")
    q = q / ops.maximum(ops.norm(q, axis=1, keepdims=True), 1e-12)
    d = d / ops.maximum(ops.norm(d, axis=1, keepdims=True), 1e-12)
    scores = ops.einsum("qw,dw->qd", q, d) * scale
    eye = ops.one_hot(ops.arange(ops.shape(scores)[0]), ops.shape(scores)[0])
    if same is not None:
        scores = scores - 1e6 * ops.cast(same, "float32") * (1 - eye)
    return -ops.sum(ops.log_softmax(scores, axis=1) * eye) / ops.cast(ops.shape(scores)[0], "float32")
