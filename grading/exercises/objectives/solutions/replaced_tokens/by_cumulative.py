import keras
from keras import ops


def replaced_tokens(token_ids, positions, weights, logits, seed=None):
    token_ids = ops.cast(token_ids, "int32")
    shares = ops.cumsum(ops.softmax(ops.cast(logits, "float32"), axis=-1), axis=-1)
    number = keras.random.uniform(ops.shape(positions), seed=seed) * shares[:, :, -1]
    drawn = ops.sum(ops.cast(shares <= number[:, :, None], "int32"), axis=-1)  # (batch, predictions)
    places = ops.arange(ops.shape(token_ids)[1])
    is_here = ops.logical_and(ops.equal(places, ops.cast(positions, "int32")[:, :, None]), weights[:, :, None] > 0)
    word = ops.max(ops.where(is_here, drawn[:, :, None], -1), axis=1)
    corrupted = ops.where(word >= 0, word, token_ids)
    return corrupted, ops.not_equal(corrupted, token_ids)
