import numpy as np


def one_row(tokens, words, special_ids, rate, p, longest, random):
    special = np.isin(tokens, special_ids)
    new = np.ones(len(tokens), bool)
    new[1:] = (words[1:] != words[:-1]) | special[1:] | special[:-1]
    index = np.cumsum(new) - 1  # the word of each piece
    number_of_words = index[-1] + 1
    blocked = np.zeros(number_of_words, bool)
    blocked[index[special]] = True
    spans = np.zeros(len(tokens), "int32")
    budget = max(1, round(rate * (len(tokens) - special.sum())))
    count = 0
    while budget > 0 and not blocked.all():
        size = random.geometric(p)
        while size > longest:
            size = random.geometric(p)
        possible = [w for w in range(number_of_words - size + 1) if not blocked[w : w + size].any()]
        if len(possible) == 0:
            continue
        start = int(random.choice(possible))
        stop = start + size
        pieces = lambda: ((index >= start) & (index < stop)).sum()
        while stop > start and pieces() > budget and not (count == 0 and stop == start + 1):
            stop -= 1
        if stop == start:
            return spans
        count += 1
        spans[(index >= start) & (index < stop)] = count
        budget -= pieces()
        blocked[start:stop] = True
    return spans


def span_mask(token_ids, word_ids, special_ids, rate=0.15, p=0.2, longest=10, seed=None):
    random = np.random.default_rng(seed)
    rows = zip(np.asarray(token_ids), np.asarray(word_ids))
    return np.array([one_row(tokens, words, special_ids, rate, p, longest, random) for tokens, words in rows])
