import keras
from keras import ops


def replaced_tokens(token_ids, positions, weights, logits, seed=None):
    token_ids = ops.cast(token_ids, "int32")
    logits = ops.cast(logits, "float32")
    uniform = keras.random.uniform(ops.shape(logits), minval=1e-7, maxval=1.0 - 1e-7, seed=seed)
    words = ops.cast(ops.argmax(logits - ops.log(-ops.log(uniform)), axis=-1), "int32")
    length = ops.shape(token_ids)[1]
    here = ops.one_hot(positions, length, dtype="int32") * ops.cast(weights, "int32")[:, :, None]
    hidden = ops.sum(here, axis=1)  # (batch, length)
    put = ops.sum(here * words[:, :, None], axis=1)
    corrupted = token_ids * (1 - hidden) + put
    return corrupted, corrupted != token_ids
