from collections import Counter


def unigram_probabilities(token_ids, vocabulary_size, special_ids):
    counts = Counter(token_ids.flatten().tolist())
    for special in special_ids:
        counts.pop(special, None)
    total = sum(counts.values())
    return np.array([counts[word] / total for word in range(vocabulary_size)])
