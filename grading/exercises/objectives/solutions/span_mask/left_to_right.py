import numpy as np


def span_mask(token_ids, word_ids, special_ids, rate=0.15, p=0.2, longest=10, seed=None):
    """Draws spans, then numbers them in text order."""
    generator = np.random.default_rng(seed)
    weights = np.array([p * (1 - p) ** k for k in range(longest)])
    cumulative = np.cumsum(weights) / weights.sum()
    result = np.zeros_like(token_ids, dtype=np.int32)
    for row in range(token_ids.shape[0]):
        special = np.isin(token_ids[row], special_ids)
        edges = (np.diff(word_ids[row]) != 0) | special[1:] | special[:-1]
        starts = np.concatenate([[0], np.flatnonzero(edges) + 1])
        sizes = np.diff(np.concatenate([starts, [token_ids.shape[1]]]))
        usable = ~special[starts]
        target = max(1, round(rate * int((~special).sum())))
        found = []
        hidden = 0
        while hidden < target and usable.any():
            length = int(np.searchsorted(cumulative, generator.random(), side="right")) + 1
            length = min(length, longest)
            if length > len(usable):
                continue
            fits = np.lib.stride_tricks.sliding_window_view(usable, length).all(axis=1)
            if not fits.any():
                continue
            first = generator.choice(np.nonzero(fits)[0])
            total = np.cumsum(sizes[first : first + length])
            count = int((total <= target - hidden).sum())
            if not found:
                count = max(count, 1)
            if not count:
                break
            found.append((first, first + count))
            usable[first : first + count] = False
            hidden += total[count - 1]
        for number, (first, last) in enumerate(sorted(found)):
            result[row, starts[first] : starts[last - 1] + sizes[last - 1]] = number + 1
    return result
