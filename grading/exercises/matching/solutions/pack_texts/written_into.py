"""Allocates the arrays first, then fills them."""

import numpy as np


def pack_texts(texts, max_length, *, cls_id, sep_id, padding_id=0):
    token_ids = np.full(max_length, padding_id, dtype="int32")
    segment_ids = np.zeros(max_length, dtype="int32")
    padding_mask = np.zeros(max_length, dtype=bool)
    token_ids[0], end = cls_id, 1
    for number, text in enumerate(texts):
        seps_to_come = len(texts) - number
        size = min(len(text), max_length - end - seps_to_come)
        token_ids[end : end + size] = text[:size]
        token_ids[end + size] = sep_id
        segment_ids[end : end + size + 1] = number
        end += size + 1
    padding_mask[:end] = True
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": padding_mask}
