"""One kernel after the other, stacked at the end."""

from keras import ops


def kernel_pooling(
    similarity,
    query_mask,
    document_mask,
    means=(1.0, 0.9, 0.7, 0.5, 0.3, 0.1, -0.1, -0.3, -0.5, -0.7, -0.9),
    widths=(1e-3,) + (0.1,) * 10,
):
    m = ops.cast(similarity, "float32")
    q, d = ops.cast(query_mask, "float32"), ops.cast(document_mask, "float32")
    features = []
    for mean, width in zip(means, widths):
        k = ops.exp(-ops.square(m - mean) / (2 * width**2))
        soft = ops.sum(k * d[:, None, :], axis=-1)
        features.append(ops.sum(ops.log(ops.maximum(soft, 1e-10)) * q, axis=-1))
    return ops.stack(features, axis=-1)
