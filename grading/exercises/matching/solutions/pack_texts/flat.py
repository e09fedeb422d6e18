"""Concatenates all ids with the numbers of their texts, and cuts the excess in one step."""

import itertools

import numpy as np


def pack_texts(texts, max_length, *, cls_id, sep_id, padding_id=0):
    flat = [(number, token) for number, text in enumerate(texts) for token in text][: max_length - 1 - len(texts)]
    pairs = [(0, cls_id)]
    for number in range(len(texts)):
        pairs += [pair for pair in flat if pair[0] == number] + [(number, sep_id)]
    padding_mask = np.array([True] * len(pairs) + [False] * (max_length - len(pairs)))
    pairs = list(itertools.islice(itertools.chain(pairs, itertools.repeat((0, padding_id))), max_length))
    segment_ids, token_ids = np.array(pairs, dtype="int32").T
    return dict(token_ids=token_ids, segment_ids=segment_ids, padding_mask=padding_mask)
