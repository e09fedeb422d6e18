def replaced_tokens(token_ids, positions, weights, logits, seed=None):
    token_ids = ops.cast(token_ids, "int32")
    noise = -ops.log(-ops.log(random.uniform(ops.shape(logits), minval=1e-7, maxval=0.9999999, seed=seed)))
    drawn = ops.cast(ops.argmax(ops.cast(logits, "float32") + noise, axis=-1), "int32")
    corrupted = put_words(token_ids, positions, weights, drawn)
    return corrupted, corrupted != token_ids
