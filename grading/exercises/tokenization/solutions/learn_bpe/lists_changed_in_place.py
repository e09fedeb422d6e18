"""Lists of symbols change in place, and only counts of words that contain the pair are updated."""

from collections import Counter


def pairs_of(symbols):
    return Counter(zip(symbols[:-1], symbols[1:]))


def learn_bpe(word_counts, num_merges):
    words = [(list(word) + ["</w>"], count) for word, count in word_counts.items() if count]
    totals = Counter()
    for symbols, count in words:
        for pair, times in pairs_of(symbols).items():
            totals[pair] += times * count

    merges = []
    while len(merges) < num_merges:
        totals = +totals  # only what is above 0
        if not totals:
            break
        best = min(totals, key=lambda pair: (-totals[pair], pair))
        for symbols, count in words:
            before = pairs_of(symbols)
            if best not in before:
                continue
            place = 0
            while place < len(symbols) - 1:
                if (symbols[place], symbols[place + 1]) == best:
                    symbols[place : place + 2] = ["".join(best)]
                place += 1
            for pair, times in before.items():
                totals[pair] -= times * count
            for pair, times in pairs_of(symbols).items():
                totals[pair] += times * count
        merges.append(best)
    return merges
