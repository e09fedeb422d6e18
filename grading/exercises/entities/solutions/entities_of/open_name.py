"""Extends the last name of the list; a stray I- extends a name that is discarded at the end."""


def entities_of(tags, strict=False):
    names = []
    for word, tag in enumerate(tags):
        if tag == "O":
            continue
        place, kind = tag.split("-", 1)
        if place == "I" and names and names[-1][1] == word and names[-1][2] == kind:
            names[-1][1] += 1
        else:
            names.append([word, word + 1, kind, place])
    return [(first, last, kind) for first, last, kind, place in names if place == "B" or not strict]
