"""Loops over the words, and finds the name in which each begins."""


def bio_tags(offsets, spans):
    tags = []
    begun = set()
    for start, _ in offsets:
        tag = "O"
        for number, (first, last, kind) in enumerate(spans):
            if first <= start < last:
                tag = ("I-" if number in begun else "B-") + kind
                begun.add(number)
        tags.append(tag)
    return tags
