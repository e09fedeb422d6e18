"""Collects all pieces that fit and takes the longest; returns a tuple."""


def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return (unknown,)
    found = ()
    start = 0
    while start != len(word):
        prefix = "##" * (start > 0)
        candidates = [prefix + word[start:end] for end in range(start + 1, len(word) + 1)]
        known = [piece for piece in candidates if piece in vocabulary]
        if not known:
            return (unknown,)
        longest = max(known, key=len)
        found += (longest,)
        start += len(longest) - len(prefix)
    return found
