import numpy as np
from keras import ops


def beam_search(step, start_id, end_id, beams, max_length, length_penalty=0.0):
    prefixes = np.array([[start_id]], "int32")
    sums = ops.zeros((1,), "float64")
    results = {}
    for _ in range(max_length):
        if len(prefixes) == 0:
            break
        log = ops.cast(ops.convert_to_tensor(step(prefixes)), "float64")
        size = log.shape[1]
        flat = ops.reshape(sums[:, None] + log, (-1,))
        order = np.array(ops.argsort(-flat))
        values = np.array(flat)
        for place in order[:beams]:
            if place % size == end_id:
                text = tuple(prefixes[place // size, 1:].tolist()) + (end_id,)
                results[text] = values[place]
        going_on = order[order % size != end_id][:beams]
        prefixes = np.concatenate([prefixes[going_on // size], (going_on % size)[:, None]], axis=1).astype("int32")
        sums = ops.convert_to_tensor(values[going_on])
    for text, total in zip(prefixes[:, 1:].tolist(), np.array(sums)):
        results[tuple(text)] = total
    scores = {text: total / len(text) ** length_penalty for text, total in results.items()}
    best = max(scores, key=scores.get)
    return np.array(best), scores[best]
