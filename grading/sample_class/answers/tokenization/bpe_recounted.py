def neighbours(words):
    found = {}
    for symbols, count in words:
        for pair in zip(symbols, symbols[1:]):
            found[pair] = found.get(pair, 0) + count
    return found


def glue(symbols, pair):
    if len(symbols) < 2:
        return symbols
    if symbols[:2] == pair:
        return (symbols[0] + symbols[1],) + glue(symbols[2:], pair)
    return symbols[:1] + glue(symbols[1:], pair)


def learn_bpe(word_counts, num_merges):
    words = [((*word, "</w>"), count) for word, count in word_counts.items() if count]
    learned = []
    for _ in range(num_merges):
        pairs = neighbours(words)
        if not pairs:
            break
        learned.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        words = [(glue(symbols, learned[-1]), count) for symbols, count in words]
    return learned
