"""At the start of a name, looks ahead for its end."""


def entities_of(tags, strict=False):
    names, word = [], 0
    while word < len(tags):
        place, _, kind = tags[word].partition("-")
        end = word + 1
        while place != "O" and end < len(tags) and tags[end] == f"I-{kind}":
            end += 1
        if place == "B" or (place == "I" and not strict):
            names.append((word, end, kind))
        word = end
    return names
