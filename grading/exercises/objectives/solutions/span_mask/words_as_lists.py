import numpy as np


def span_mask(token_ids, word_ids, special_ids, rate=0.15, p=0.2, longest=10, seed=None):
    random = np.random.default_rng(seed)
    spans = np.zeros(token_ids.shape, dtype="int32")
    for r in range(len(token_ids)):
        words, before = [], None  # each word is a list of places
        for place, (token, word) in enumerate(zip(token_ids[r].tolist(), word_ids[r].tolist())):
            if token in special_ids:
                before = None
                continue
            if before != word:
                words.append([])
            words[-1].append(place)
            before = word
        open_ = [True] * len(words)
        beside = [words[i][-1] + 1 == words[i + 1][0] for i in range(len(words) - 1)] + [False]
        left = max(1, int(np.round(rate * sum(map(len, words)))))
        number = 0
        while left > 0 and any(open_):
            while True:
                length = random.geometric(p)
                if length <= longest:
                    break
            run = [0] * (len(words) + 1)  # number of adjacent open words from here
            for i in reversed(range(len(words))):
                run[i] = 1 + (run[i + 1] if beside[i] else 0) if open_[i] else 0
            starts = [i for i in range(len(words)) if run[i] >= length]
            if not starts:
                continue
            first = starts[random.integers(len(starts))]
            chosen, pieces = [], 0
            for i in range(first, first + length):
                if pieces + len(words[i]) > left and (chosen or number):
                    break
                chosen.append(i)
                pieces += len(words[i])
                if pieces > left:
                    break
            if not chosen:
                break
            number += 1
            for i in chosen:
                spans[r, words[i]] = number
                open_[i] = False
            left -= pieces
    return spans
