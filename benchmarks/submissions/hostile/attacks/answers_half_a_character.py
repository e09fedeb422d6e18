"""Returns half a character (a lone surrogate), in a text, in a key and in a list."""
calls = []


def padding_mask(token_ids, padding_id=0):
    calls.append(1)
    return "\ud800" if len(calls) == 1 else {"\udfff": ["\ud800"]}
