def sentence_pairs(documents, seed=None):
    rng = np.random.default_rng(seed)
    texts = [[sentence for sentence in document if not sentence.isspace() and sentence] for document in documents]
    texts = [text for text in texts if text]
    pairs = []
    for number, text in enumerate(texts):
        others = texts[:number] + texts[number + 1 :]
        for place in range(len(text) - 1):
            second = text[place + 1]
            if rng.integers(2):
                other = others[rng.integers(len(others))]
                second = other[rng.integers(len(other))]
            pairs.append((text[place], second, int(second != text[place + 1])))
    return pairs
