"""Recursion: the rest of the word is a smaller task of the same kind."""


def cut(rest, vocabulary, prefix):
    if not rest:
        return []
    for size in reversed(range(1, len(rest) + 1)):
        if prefix + rest[:size] in vocabulary:
            others = cut(rest[size:], vocabulary, "##")
            return None if others is None else [prefix + rest[:size], *others]
    return None


def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_chars=100):
    pieces = cut(word, vocabulary, "") if len(word) <= max_chars else None
    return [unknown] if pieces is None else pieces
