"""Without a loop: a word begins where the word id changes."""

import numpy as np


def align_labels(tags, word_ids, tag_ids, ignore=-100):
    word_ids = np.asarray(word_ids)
    ids = np.array([tag_ids[tag] for tag in tags] + [ignore], dtype="int32")  # the index -1 selects `ignore`
    before = np.concatenate([[-2], word_ids[:-1]]) if len(word_ids) else word_ids
    return np.where((word_ids >= 0) & (word_ids != before), ids[word_ids], ignore).astype("int32")
