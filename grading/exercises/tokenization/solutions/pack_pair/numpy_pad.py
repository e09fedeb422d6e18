"""np.concatenate, np.repeat and np.pad; two functions, for one text and for two."""

import numpy as np


def padded(token_ids, segment_ids, max_length, padding_id):
    missing = (0, max_length - len(token_ids))
    return {
        "padding_mask": np.pad(np.ones(len(token_ids), bool), missing),
        "segment_ids": np.pad(segment_ids, missing).astype("int32"),
        "token_ids": np.pad(token_ids, missing, constant_values=padding_id).astype("int32"),
    }


def pack_pair(first, second, max_length, *, cls_id, sep_id, padding_id=0):
    if second is None:
        if max_length < 2:
            raise ValueError(f"max_length must be at least 2, got {max_length}")
        kept = list(first)[: max_length - 2]
        ids = np.array([cls_id] + kept + [sep_id])
        return padded(ids, np.zeros(len(ids), int), max_length, padding_id)

    if max_length < 3:
        raise ValueError(f"max_length must be at least 3, got {max_length}")
    lengths = [len(first), len(second)]
    for _ in range(max(0, sum(lengths) + 3 - max_length)):
        lengths[0 if lengths[0] > lengths[1] else 1] -= 1
    a = np.concatenate([[cls_id], first[: lengths[0]], [sep_id]]).astype(int)
    b = np.concatenate([second[: lengths[1]], [sep_id]]).astype(int)
    return padded(np.concatenate([a, b]), np.repeat([0, 1], [len(a), len(b)]), max_length, padding_id)
