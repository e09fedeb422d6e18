import numpy as np


def greedy(step, start_ids, end_id, max_length, padding_id=0):
    texts = [[start] for start in np.asarray(start_ids).tolist()]
    ended = [False] * len(texts)
    for _ in range(max_length):
        likeliest = np.asarray(step(np.array(texts, "int32")))
        for row, text in enumerate(texts):
            text.append(padding_id if ended[row] else int(likeliest[row].argmax()))
            ended[row] = ended[row] or text[-1] == end_id
        if all(ended):
            break
    return np.array(texts, "int32")[:, 1:]
