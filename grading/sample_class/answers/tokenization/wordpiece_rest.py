def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_chars=100):
    pieces, rest, mark = [], word, ""
    while rest:
        fits = [size for size in range(1, len(rest) + 1) if mark + rest[:size] in vocabulary]
        if not fits or len(word) > max_chars:
            return [unknown]
        pieces.append(mark + rest[: fits[-1]])
        rest, mark = rest[fits[-1] :], "##"
    return pieces
