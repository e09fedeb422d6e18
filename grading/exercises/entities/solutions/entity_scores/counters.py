"""Counts by kind, and sums the counts."""

from collections import Counter

from course.entities import entities_of


def entity_scores(true, predicted, strict=False):
    right, kept, found = Counter(), Counter(), Counter()
    for one, other in zip(true, predicted):
        one, other = (list(entities_of(tags, strict)) for tags in (one, other))
        kept.update(name[2] for name in one)
        found.update(name[2] for name in other)
        right.update(name[2] for name in other if name in one)

    def rates(hits, there, given):
        precision = hits / given if given else 0.0
        recall = hits / there if there else 0.0
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        return {"precision": precision, "recall": recall, "f1": f1}

    kinds = {
        kind: {**rates(right[kind], kept[kind], found[kind]), "true": kept[kind], "predicted": found[kind]}
        for kind in kept | found
    }
    mean = sum(kind["f1"] for kind in kinds.values()) / len(kinds) if kinds else 0.0
    total = rates(sum(right.values()), sum(kept.values()), sum(found.values()))
    return {**total, "macro_f1": mean, "kinds": kinds}
