"""Removes ids one by one, from the last text that has any."""

import numpy as np


def pack_texts(texts, max_length, *, cls_id, sep_id, padding_id=0):
    texts = [list(text) for text in texts]
    while 1 + sum(len(text) + 1 for text in texts) > max_length:
        next(text for text in reversed(texts) if text).pop()
    ids, segments = [cls_id], [0]
    for number, text in enumerate(texts):
        ids.extend(text + [sep_id])
        segments.extend([number] * (len(text) + 1))
    length = len(ids)
    return {
        "token_ids": np.pad(np.array(ids, np.int32), (0, max_length - length), constant_values=padding_id),
        "segment_ids": np.pad(np.array(segments, np.int32), (0, max_length - length)),
        "padding_mask": np.array([place < length for place in range(max_length)]),
    }
