"""On an array of ids; returns a list of NumPy integers."""

import numpy as np


def corrupt(token_ids, kind, rate, random, *, probabilities, mask_id, special_ids):
    text = np.array(token_ids, dtype="int64")
    words = np.flatnonzero(~np.isin(text, special_ids))
    number = int(np.round(rate * len(words)))
    shares = np.asarray(probabilities) / np.sum(probabilities)

    def drawn(count):
        return random.choice(len(shares), size=count, p=shares)

    if kind == "mask":
        text[random.choice(words, number, replace=False)] = mask_id
    elif kind == "substitute":
        for place in random.choice(words, number, replace=False):
            others = np.where(np.arange(len(shares)) == text[place], 0, shares)
            text[place] = random.choice(len(shares), p=others / others.sum())
    elif kind == "delete":
        text = np.delete(text, random.choice(words, number, replace=False))
    elif kind == "insert":
        if number:
            gaps = random.choice(words, number) + random.integers(0, 2, number)
            text = np.insert(text, gaps, drawn(number))
    elif kind == "reorder":
        stretches = np.split(words, np.flatnonzero(np.diff(words) != 1) + 1)
        windows = [w for s in stretches for w in np.array_split(s, range(3, len(s), 3)) if len(w)]
        chosen = random.choice(len(windows), round(rate * len(windows)), replace=False)
        for window in (windows[i] for i in chosen):
            text[window] = random.permutation(text[window])
    else:
        left, holes = number, []
        is_free = np.zeros(len(text), dtype=bool)
        is_free[words] = True
        empty = 0
        while left:
            length = min(random.poisson(3), left)
            if length == 0:
                empty += 1
                continue
            if length > len(text):
                continue
            fits = np.convolve(is_free, np.ones(length, int), "valid") == length
            if fits.any():
                start = random.choice(np.flatnonzero(fits))
                is_free[start : start + length] = False
                holes.append((start, length))
                left -= length
        parts = [[int(i)] for i in text]
        for start, length in holes:
            parts[start] = [mask_id]
            for place in range(start + 1, start + length):
                parts[place] = []
        there = [place for place in words if parts[place]]
        for place in random.choice(there, empty) if empty else []:
            parts[place] = [mask_id] + parts[place] if random.integers(2) else parts[place] + [mask_id]
        text = np.array([i for part in parts for i in part], dtype="int64")
    return list(text)
