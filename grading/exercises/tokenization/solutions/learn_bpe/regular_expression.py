"""Words as strings with spaces between symbols; a regular expression that stops at spaces merges them."""

import re
from collections import defaultdict


def learn_bpe(word_counts, num_merges):
    words = {" ".join(word) + " </w>": count for word, count in word_counts.items() if count}
    merges = []
    while len(merges) < num_merges:
        pairs = defaultdict(int)
        for word, count in words.items():
            symbols = word.split()
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += count
        if not pairs:
            return merges
        highest = max(pairs.values())
        best = min(pair for pair in pairs if pairs[pair] == highest)
        pattern = re.compile(r"(?<!\S)" + re.escape(" ".join(best)) + r"(?!\S)")
        words = {pattern.sub(lambda match: "".join(best), word): count for word, count in words.items()}
        merges.append(list(best))
    return merges
