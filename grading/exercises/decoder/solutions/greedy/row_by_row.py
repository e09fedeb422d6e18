import numpy as np


def greedy(step, start_ids, end_id, max_length, padding_id=0):
    texts = []
    for start in np.asarray(start_ids).tolist():
        text = [start]
        while len(text) <= max_length:
            text.append(int(np.argmax(step(np.array([text], "int32"))[0])))
            if text[-1] == end_id:
                break
        texts.append(text[1:])
    longest = max(len(text) for text in texts)
    return np.array([text + [padding_id] * (longest - len(text)) for text in texts], "int32")
