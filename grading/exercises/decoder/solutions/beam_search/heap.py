import heapq

import numpy as np


def beam_search(step, start_id, end_id, beams, max_length, length_penalty=0.0):
    score = lambda words, total: total / len(words) ** length_penalty
    best_words, best_score = None, -np.inf
    texts, totals = np.full((1, 1), start_id), np.zeros(1)
    for length in range(1, max_length + 1):
        log = np.array(step(texts))
        words_in_all = log.shape[1]
        flat = (totals[:, None] + log).ravel()
        # Even if every hypothesis ends once, enough unfinished extensions are left to continue.
        top = heapq.nlargest(beams + len(texts), range(len(flat)), key=flat.__getitem__)
        for index in top[:beams]:
            if index % words_in_all == end_id:
                words = texts[index // words_in_all, 1:].tolist() + [end_id]
                if score(words, flat[index]) > best_score:
                    best_words, best_score = words, score(words, flat[index])
        top = [index for index in top if index % words_in_all != end_id][:beams]
        texts = np.array([texts[index // words_in_all].tolist() + [index % words_in_all] for index in top])
        totals = flat[top]
    for words, total in zip(texts[:, 1:].tolist(), totals):
        if score(words, total) > best_score:
            best_words, best_score = words, score(words, total)
    return best_words, float(best_score)
