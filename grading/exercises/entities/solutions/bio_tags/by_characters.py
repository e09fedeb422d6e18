"""Paints each character with the number of its name, and reads the colour of each word's first character."""

import numpy as np


def bio_tags(offsets, spans):
    offsets = np.asarray(offsets, dtype=int).reshape(-1, 2)
    painted = np.full(offsets.max(initial=0) + 1, -1)
    for number, (start, end, kind) in enumerate(spans):
        painted[start:end] = number
    names = painted[offsets[:, 0]]
    before = np.concatenate([[-1], names[:-1]]) if len(names) else names
    return [
        "O" if name < 0 else f"{'I' if name == last else 'B'}-{spans[name][2]}" for name, last in zip(names, before)
    ]
