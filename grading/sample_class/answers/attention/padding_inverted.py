def padding_mask(token_ids, padding_id=0):
    token_ids = ops.convert_to_tensor(token_ids)
    mask = ops.equal(token_ids, padding_id)  # True where padding
    return mask[:, None, None, :]
