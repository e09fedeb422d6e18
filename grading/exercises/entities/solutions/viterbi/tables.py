"""Two tables, filled in place, as in textbooks."""

import numpy as np


def viterbi(scores, transitions, start):
    scores = np.asarray(scores, dtype="float64")
    length, tags = scores.shape
    best = np.full((length, tags), -np.inf)
    pointer = np.zeros((length, tags), dtype=int)
    best[0] = start + scores[0]
    for word in range(1, length):
        for tag in range(tags):
            options = best[word - 1] + np.asarray(transitions)[:, tag]
            pointer[word, tag] = np.argmax(options)
            best[word, tag] = options[pointer[word, tag]] + scores[word, tag]
    path = np.zeros(length, dtype="int32")
    path[-1] = np.argmax(best[-1])
    for word in range(length - 1, 0, -1):
        path[word - 1] = pointer[word, path[word]]
    return path
