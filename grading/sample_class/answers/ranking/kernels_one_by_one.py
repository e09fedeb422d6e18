def kernel_pooling(similarity, query_mask, document_mask, means=KERNEL_MEANS, widths=KERNEL_WIDTHS):
    cosines = ops.cast(similarity, "float32")
    found = []
    for mu, sigma in zip(means, widths):
        bells = ops.exp(-((cosines - mu) ** 2) / (2 * sigma**2)) * ops.cast(document_mask, "float32")[:, None]
        logs = ops.log(ops.maximum(ops.sum(bells, axis=2), 1e-10))
        found.append(ops.sum(logs * ops.cast(query_mask, "float32"), axis=1))
    return ops.stack(found, axis=1)
