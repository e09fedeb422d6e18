"""Lists instead of arrays, one token after the other."""


def pack_pair(first, second, max_length, *, cls_id, sep_id, padding_id=0):
    texts = [list(first)] if second is None else [list(first), list(second)]
    specials = 1 + len(texts)
    if max_length < specials:
        raise ValueError("no room")
    while sum(map(len, texts)) + specials > max_length:
        longest = max(len(text) for text in texts)
        loser = [text for text in texts if len(text) == longest][-1]
        del loser[-1]

    token_ids, segment_ids = [cls_id], [0]
    for segment, text in enumerate(texts):
        for token in text + [sep_id]:
            token_ids.append(token)
            segment_ids.append(segment)
    padding_mask = [True for _ in token_ids]
    while len(token_ids) < max_length:
        token_ids.append(padding_id)
        segment_ids.append(0)
        padding_mask.append(False)
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": padding_mask}
