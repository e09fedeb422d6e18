"""A number's rank is the count of smaller numbers in its row, pair by pair; log probabilities draw the words."""

from keras import ops, random


def mask_tokens(token_ids, unigram_probabilities, mask_id, special_ids, *, rate=0.15, seed=None):
    # An integer must not give the same numbers to every draw, so the draws share a generator.
    generator = random.SeedGenerator(seed) if isinstance(seed, int) else seed
    token_ids = ops.convert_to_tensor(token_ids, "int32")
    batch, length = ops.shape(token_ids)

    special = ops.convert_to_tensor(special_ids, "int32")
    word = ops.logical_not(ops.any(token_ids[..., None] == special[None, None], axis=-1))
    key = random.uniform((batch, length), seed=generator) + ops.where(word, 0.0, 10.0)
    rank = ops.sum(ops.cast(key[:, None, :] < key[:, :, None], "int32"), axis=-1)
    wanted = ops.round(ops.sum(ops.cast(word, "float32"), axis=-1, keepdims=True) * rate)
    selected = ops.logical_and(word, rank < ops.cast(ops.maximum(wanted, 1.0), "int32"))

    probabilities = ops.convert_to_tensor(unigram_probabilities, "float32")
    drawn = random.categorical(ops.log(probabilities)[None], batch * length, dtype="int32", seed=generator)
    drawn = ops.reshape(drawn, (batch, length))

    is_mask = random.uniform((batch, length), seed=generator) < 0.8
    is_random = random.uniform((batch, length), seed=generator) < 0.5  # half of the remaining 20%
    replacement = ops.where(is_mask, mask_id, ops.where(is_random, drawn, token_ids))
    return ops.where(selected, replacement, token_ids), selected
