"""keras.layers.Softmax takes the mask."""

import math

import keras
from keras import ops


def scaled_dot_product_attention(query, key, value, mask=None):
    last = len(key.shape) - 1
    axes = [*range(last - 1), last, last - 1]
    similarity = (query / math.sqrt(query.shape[-1])) @ ops.transpose(key, axes)
    softmax = keras.layers.Softmax(axis=-1, dtype="float32")
    weights = softmax(similarity, mask=mask)
    weights = ops.cast(weights, query.dtype)
    return weights @ value, weights
