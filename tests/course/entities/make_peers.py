"""Write peers.json: the results of seqeval, nervaluate and pytorch-crf for random tags and scores.

The course does not depend on these packages. Run this in a separate environment with NumPy, scikit-learn and PyTorch:

    pip install setuptools_scm && pip install --no-build-isolation seqeval==1.2.2 nervaluate==1.2.1 pytorch-crf==0.7.2
    python make_peers.py
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np

KINDS = ("person", "creative-work", "x")
TAGS = ["O", *(f"{place}-{kind}" for kind in KINDS for place in "BI")]
MOST_OFTEN_O = [0.4, *[0.1] * 6]


def corpora(random: np.random.Generator) -> list[dict]:
    """Return sentences with random tags, often in an order that IOB2 forbids. About one tag in five is redrawn."""
    made = []
    for _ in range(30):
        lengths = random.integers(1, 12, size=int(random.integers(1, 8)))
        true = [random.choice(TAGS, length, p=MOST_OFTEN_O) for length in lengths]
        guess = [np.where(random.random(len(tags)) < 0.2, random.choice(TAGS, len(tags)), tags) for tags in true]
        made.append({"true": [list(map(str, tags)) for tags in true], "predicted": [list(map(str, t)) for t in guess]})
    return made


def of_seqeval(true: list, predicted: list, **options) -> dict:
    from seqeval.metrics import classification_report, f1_score, precision_score, recall_score

    report = classification_report(true, predicted, output_dict=True, zero_division=0, **options)
    kinds = {
        kind: {"precision": row["precision"], "recall": row["recall"], "f1": row["f1-score"], "true": row["support"]}
        for kind, row in report.items()
        if not kind.endswith(" avg")
    }
    options["zero_division"] = 0
    return {
        "precision": precision_score(true, predicted, **options),
        "recall": recall_score(true, predicted, **options),
        "f1": f1_score(true, predicted, **options),
        "macro_f1": f1_score(true, predicted, average="macro", **options),
        "kinds": kinds,
    }


def of_nervaluate(true: list, predicted: list) -> dict:
    from nervaluate import Evaluator

    strict = Evaluator(true, predicted, tags=list(KINDS), loader="list").evaluate()["overall"]["strict"]
    return {"precision": strict.precision, "recall": strict.recall, "f1": strict.f1}


def of_crf(random: np.random.Generator) -> list[dict]:
    import torch
    from torchcrf import CRF

    made = []
    for tags, length in ((2, 1), (3, 7), (4, 5), (7, 12), (5, 3), (7, 2)):
        scores = random.normal(size=(length, tags)).astype("float32")
        crf = CRF(tags, batch_first=True)
        with torch.no_grad():
            crf.start_transitions.copy_(torch.tensor(random.normal(size=tags)))
            crf.transitions.copy_(torch.tensor(random.normal(size=(tags, tags))))
            crf.end_transitions.zero_()
        path = crf.decode(torch.tensor(scores)[None])[0]
        start, transitions = crf.start_transitions.tolist(), crf.transitions.tolist()
        made.append({"scores": scores.tolist(), "transitions": transitions, "start": start, "path": path})
    return made


def main() -> None:
    from seqeval.scheme import IOB2

    warnings.simplefilter("ignore")
    random = np.random.default_rng(12)
    cases = corpora(random)
    for case in cases:
        pair = case["true"], case["predicted"]
        case["seqeval"] = of_seqeval(*pair)
        case["seqeval, strict"] = of_seqeval(*pair, mode="strict", scheme=IOB2)
        case["nervaluate, strict"] = of_nervaluate(*pair)
    peers = {"corpora": cases, "pytorch-crf": of_crf(random)}
    text = json.dumps(peers, default=float).replace("NaN", "null")  # seqeval's mean over no kinds
    Path(__file__).with_name("peers.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
