import numpy as np


def corrupt(token_ids, kind, rate, random, *, probabilities, mask_id, special_ids):
    special = set(special_ids)
    pieces = [(number,) for number in token_ids]
    words = [index for index, number in enumerate(token_ids) if number not in special]
    count = round(rate * len(words))
    vocabulary = np.flatnonzero(probabilities)
    shares = np.asarray(probabilities, "float64")[vocabulary]

    def draw(forbidden=None):
        kept = np.where(vocabulary == forbidden, 0.0, shares) if forbidden is not None else shares
        return int(vocabulary[np.searchsorted(np.cumsum(kept), random.random() * kept.sum(), side="right")])

    def some():
        return random.choice(words, size=count, replace=False) if count else []

    def mask():
        for index in some():
            pieces[index] = (mask_id,)

    def substitute():
        for index in some():
            pieces[index] = (draw(token_ids[index]),)

    def delete():
        for index in some():
            pieces[index] = ()

    def beside(index, new):
        pieces[index] = (new, *pieces[index]) if random.random() < 0.5 else (*pieces[index], new)

    def insert():
        for _ in range(count):
            beside(words[random.integers(len(words))], draw())

    def reorder():
        windows = []
        for index in words:
            if windows and len(windows[-1]) < 3 and windows[-1][-1] == index - 1:
                windows[-1].append(index)
            else:
                windows.append([index])
        for window in [windows[i] for i in random.permutation(len(windows))[: round(rate * len(windows))]]:
            old = [pieces[index] for index in window]
            for index, new in zip(window, random.permutation(len(window))):
                pieces[index] = old[new]

    def infill():
        taken = {index for index in range(len(token_ids)) if token_ids[index] in special}
        left, alone = count, 0
        while left > 0:
            length = min(random.poisson(3.0), left)
            if not length:
                alone += 1
                continue
            starts = [s for s in words if not taken & set(range(s, s + length)) and s + length <= len(token_ids)]
            if starts:
                start = int(random.choice(starts))
                taken |= set(range(start, start + length))
                pieces[start : start + length] = [(mask_id,)] + [()] * (length - 1)
                left -= length
        full = [index for index in words if pieces[index]]
        for _ in range(alone):
            beside(int(random.choice(full)), mask_id)

    {"mask": mask, "substitute": substitute, "delete": delete, "insert": insert, "reorder": reorder, "infill": infill}[
        kind
    ]()
    return [number for piece in pieces for number in piece]
