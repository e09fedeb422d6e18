"""Is right at the first call and wrong at every later one."""
calls = []


def padding_mask(token_ids, padding_id=0):
    calls.append(1)
    mask = (token_ids != padding_id)[:, None, None, :]
    return mask if len(calls) == 1 else ~mask
