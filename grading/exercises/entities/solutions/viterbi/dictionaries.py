"""Stores the whole best path with each tag, instead of pointers."""

import numpy as np


def viterbi(scores, transitions, start):
    scores = np.asarray(scores, dtype="float64")
    ways = {tag: (start[tag] + scores[0][tag], [tag]) for tag in range(len(start))}
    for of_word in scores[1:]:
        ways = {
            tag: max(
                ((worth + transitions[last][tag] + of_word[tag], [*way, tag]) for last, (worth, way) in ways.items()),
                key=lambda pair: pair[0],
            )
            for tag in ways
        }
    return np.array(max(ways.values(), key=lambda pair: pair[0])[1], dtype="int32")
