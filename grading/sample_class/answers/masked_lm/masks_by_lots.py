def mask_tokens(token_ids, unigram_probabilities, mask_id, special_ids, *, rate=0.15, seed=None):
    token_ids = ops.cast(token_ids, "int32")
    words = ops.ones_like(token_ids, dtype="bool")
    for special in special_ids:
        words = ops.logical_and(words, token_ids != special)

    lots = random.uniform((3, *ops.shape(token_ids)), seed=seed)
    winning = ops.where(words, lots[0], 2.0)
    count = ops.maximum(ops.round(rate * ops.sum(ops.cast(words, "float32"), axis=1, keepdims=True)), 1.0)
    last = ops.take_along_axis(ops.sort(winning, axis=1), ops.cast(count, "int32") - 1, axis=1)
    selected = ops.logical_and(words, winning <= last)

    edges = np.cumsum(unigram_probabilities)
    edges = (edges / edges[-1]).astype("float32")
    drawn = ops.sum(ops.cast(lots[2][:, :, None] >= edges, "int32"), axis=-1)
    new = ops.where(lots[1] < 0.8, mask_id, ops.where(lots[1] >= 0.9, token_ids, drawn))
    return ops.where(selected, new, token_ids), selected
