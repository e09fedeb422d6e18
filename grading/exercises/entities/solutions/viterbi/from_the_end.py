"""Computes the best score of the rest after each tag, from the end. Then reads the path forwards."""

import numpy as np


def viterbi(scores, transitions, start):
    scores, transitions, start = (np.asarray(each, dtype="float64") for each in (scores, transitions, start))
    rest = np.zeros_like(scores)  # (length, tags), for all words after a word
    for word in range(len(scores) - 2, -1, -1):
        rest[word] = (transitions + scores[word + 1] + rest[word + 1]).max(axis=1)
    path = [int(np.argmax(start + scores[0] + rest[0]))]
    for word in range(1, len(scores)):
        path.append(int(np.argmax(transitions[path[-1]] + scores[word] + rest[word])))
    return np.array(path, dtype="int32")
