"""Remembers which words are already labelled."""

import numpy as np


def align_labels(tags, word_ids, tag_ids, ignore=-100):
    labels, seen = [], {-1}
    for word in map(int, word_ids):
        labels.append(ignore if word in seen else tag_ids[tags[word]])
        seen.add(word)
    return np.array(labels, dtype=np.int32)
