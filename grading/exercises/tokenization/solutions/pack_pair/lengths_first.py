"""The lengths after cutting are computed without a loop; slices fill the row."""

import numpy as np


def pack_pair(first, second, max_length, *, cls_id, sep_id, padding_id=0):
    room = max_length - (2 if second is None else 3)
    if room < 0:
        raise ValueError(f"max_length={max_length} is too small")
    n = len(first)
    m = 0 if second is None else len(second)
    m = min(m, max(room // 2, room - n))
    n = min(n, room - m)

    token_ids = np.full(max_length, padding_id, dtype=np.int64)
    segment_ids = np.zeros(max_length, dtype=np.int64)
    token_ids[0] = cls_id
    token_ids[1 : n + 1] = first[:n]
    token_ids[n + 1] = sep_id
    end = n + 2
    if second is not None:
        token_ids[end : end + m] = second[:m]
        token_ids[end + m] = sep_id
        segment_ids[end : end + m + 1] = 1
        end += m + 1
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": np.arange(max_length) < end}
