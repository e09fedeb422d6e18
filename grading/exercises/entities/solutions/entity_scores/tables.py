"""Counts with pandas."""

import numpy as np
import pandas as pd


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


def entity_scores(true, predicted, strict=False):
    rows = [
        {"sentence": number, "first": first, "last": last, "kind": kind, "side": side}
        for side, sentences in (("true", true), ("predicted", predicted))
        for number, tags in enumerate(sentences)
        for first, last, kind in entities_of(tags, strict)
    ]
    table = pd.DataFrame(rows, columns=["sentence", "first", "last", "kind", "side"])
    both = table.groupby(["sentence", "first", "last", "kind"])["side"].nunique().reset_index()

    def rates(kind=None):
        part = table if kind is None else table[table["kind"] == kind]
        shared = both if kind is None else both[both["kind"] == kind]
        right = int((shared["side"] == 2).sum())
        counts = {side: int((part["side"] == side).sum()) for side in ("true", "predicted")}
        precision, recall = (right / counts[side] if counts[side] else 0.0 for side in ("predicted", "true"))
        f1 = 2 * right / (counts["true"] + counts["predicted"]) if right else 0.0
        return {"precision": precision, "recall": recall, "f1": f1, **(counts if kind else {})}

    kinds = {kind: rates(kind) for kind in table["kind"].unique()}
    macro = float(np.mean([each["f1"] for each in kinds.values()])) if kinds else 0.0
    return {**rates(), "macro_f1": macro, "kinds": kinds}
