import numpy as np


def beam_search(step, start_id, end_id, beams, max_length, length_penalty=0.0):
    live = [([], 0.0)]
    finished = []
    for _ in range(max_length):
        if not live:
            break
        logs = np.asarray(step(np.array([[start_id] + words for words, _ in live])))
        extensions = []
        for (words, total), row in zip(live, logs):
            for word, log in enumerate(row):
                extensions.append((words + [word], total + float(log)))
        extensions.sort(key=lambda extension: extension[1], reverse=True)
        finished += [one for one in extensions[:beams] if one[0][-1] == end_id]
        live = [one for one in extensions if one[0][-1] != end_id][:beams]
    return_value = max(finished + live, key=lambda one: one[1] / len(one[0]) ** length_penalty)
    return return_value[0], return_value[1] / len(return_value[0]) ** length_penalty
