"""Draws the other document again while it is the first one, and loops over indices."""

import numpy as np


def sentence_pairs(documents, seed=None):
    random = np.random.default_rng(seed)
    cleaned = []
    for document in documents:
        sentences = []
        for sentence in document:
            if sentence.strip() != "":
                sentences.append(sentence)
        if len(sentences) > 0:
            cleaned.append(sentences)

    pairs = []
    for i in range(len(cleaned)):
        for j in range(len(cleaned[i]) - 1):
            coin = random.integers(0, 2)
            second = cleaned[i][j + 1]
            if coin == 1:
                k = i
                while k == i:
                    k = random.integers(0, len(cleaned))
                second = random.choice(cleaned[k])
                second = str(second)
            label = int(second != cleaned[i][j + 1])
            pairs.append((cleaned[i][j], second, label))
    return pairs
