"""Two loops with a moving end and a flag, as in the published code."""


def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_chars=100):
    characters = list(word)
    if len(characters) > max_chars:
        return [unknown]
    is_bad = False
    start = 0
    sub_tokens = []
    while start < len(characters):
        end = len(characters)
        current = None
        while start < end:
            substring = "".join(characters[start:end])
            if start > 0:
                substring = "##" + substring
            if substring in vocabulary:
                current = substring
                break
            end -= 1
        if current is None:
            is_bad = True
            break
        sub_tokens.append(current)
        start = end
    return [unknown] if is_bad else sub_tokens
