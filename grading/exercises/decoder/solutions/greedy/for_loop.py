import numpy as np


def greedy(step, start_ids, end_id, max_length, padding_id=0):
    ids = np.array(start_ids).reshape(-1, 1)
    done = np.zeros(len(ids), dtype=bool)
    for _ in range(max_length):
        next_ids = np.argmax(np.array(step(ids)), axis=-1)
        next_ids[done] = padding_id
        ids = np.hstack([ids, next_ids[:, None]])
        done = done | (next_ids == end_id)
        if np.all(done):
            break
    return ids[:, 1:].astype("int32")
