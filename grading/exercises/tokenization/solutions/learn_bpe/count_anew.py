"""All words are counted again after each merge."""

from collections import Counter


def learn_bpe(word_counts, num_merges):
    vocabulary = {tuple(word) + ("</w>",): count for word, count in word_counts.items() if count > 0}
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for symbols, count in vocabulary.items():
            for i in range(len(symbols) - 1):
                pairs[symbols[i], symbols[i + 1]] += count
        if not pairs:
            break
        best = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[0][0]
        merges.append(best)
        merged = {}
        for symbols, count in vocabulary.items():
            new = []
            i = 0
            while i < len(symbols):
                if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == best:
                    new.append(symbols[i] + symbols[i + 1])
                    i += 2
                else:
                    new.append(symbols[i])
                    i += 1
            merged[tuple(new)] = count
        vocabulary = merged
    return merges
