def padding_mask(token_ids, padding_id=0):
    return token_ids != padding_id
