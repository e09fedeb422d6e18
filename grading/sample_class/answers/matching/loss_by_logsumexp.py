def in_batch_loss(query_vectors, document_vectors, scale=20.0, same=None):
    queries = ops.normalize(ops.cast(query_vectors, "float32"), axis=-1)
    documents = ops.normalize(ops.cast(document_vectors, "float32"), axis=-1)
    table = scale * ops.einsum("qw,dw->qd", queries, documents)
    if same is not None:
        place = ops.arange(ops.shape(table)[0])
        stays = ops.logical_or(ops.logical_not(same), ops.equal(place[:, None], place[None, :]))
        table = ops.where(stays, table, -1e30)
    return ops.mean(ops.logsumexp(table, axis=-1) - scale * ops.sum(queries * documents, axis=-1))
