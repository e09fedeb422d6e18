"""Joins all sentences with an O between them, so that no two names have the same place."""

from collections import OrderedDict, defaultdict

from course.entities import entities_of


def entity_scores(true, predicted, strict=False):
    def names(sentences):
        return set(entities_of([tag for tags in sentences for tag in [*tags, "O"]], strict))

    def rates(there, given):
        hits = len(there & given)
        if not hits:
            return {"precision": 0.0, "recall": 0.0, "f1": 0.0}
        precision, recall = hits / len(given), hits / len(there)
        return {"precision": precision, "recall": recall, "f1": 2 / (1 / precision + 1 / recall)}

    there, given = names(true), names(predicted)
    result = OrderedDict(rates(there, given), kinds=defaultdict(dict))
    for kind in {name[2] for name in there.union(given)}:
        one, other = ({name for name in side if name[2] == kind} for side in (there, given))
        result["kinds"][kind].update(rates(one, other), true=len(one), predicted=len(other))
    f1s = [kind["f1"] for kind in result["kinds"].values()]
    result["macro_f1"] = sum(f1s) / max(1, len(f1s))
    return result
