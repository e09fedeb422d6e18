"""The rest carries its own ## and loses letters at its end until the vocabulary contains it."""


def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unknown]
    output = []
    rest = word
    while rest and rest != "##":
        candidate = rest
        while candidate not in vocabulary:
            candidate = candidate[:-1]
            if candidate in ("", "#", "##"):
                return [unknown]
        output.append(candidate)
        rest = "##" + rest[len(candidate) :]
    return output
