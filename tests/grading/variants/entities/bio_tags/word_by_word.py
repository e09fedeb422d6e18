"""Goes through the words, and asks each in which name it begins."""


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
