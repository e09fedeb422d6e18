"""What came of the recipe of two tables: numbers in own_classes.json, and a part of the page for people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from course.applications.tagging.counts import f1_of_counts
from course.evaluation.bootstrap import bootstrap_interval
from course.evaluation.measures import deviation, paired_difference, wilson_interval
from course.storage.outputs import write_json
from recipes import quora_pairs
from recipes.page import between, keep_section
from recipes.paths import PAGE
from recipes.predictions import Rows, read_predictions, read_rows, right_of, seeds_of, share_right

RESULTS = Path(__file__).with_name("own_classes.json")
SAME = "same"  # the class of questions that F1 is of
STARTS = {"pretrained": "the course's small encoder", "fresh": "its twin with fresh weights"}
_TITLES = {
    "films": "Films: SST's sentences, in five classes.",
    "questions": "Questions: do two of Quora's ask the same?",
}


def keep(folder: Path) -> None:
    """Writes all that is kept of a run.

    Args:
        folder: of the run, which is at its end.
    """
    write_json(RESULTS, {name: _of_set(folder / name) for name in _TITLES})
    keep_section(PAGE, section_of(RESULTS))


def _of_set(folder: Path) -> dict[str, Any]:
    said = {start: read_predictions(folder / start) for start in STARTS}
    right = {start: share_right(rows) for start, rows in said.items()}
    right["tfidf"] = right_of(said["pretrained"], "tfidf")
    settings = json.loads((folder / "pretrained" / "results.json").read_text(encoding="utf-8"))["settings"]
    commonest = Counter(row["label"] for row in read_rows(folder / "train.csv")).most_common(1)[0][0]
    return {
        "rows": {"training": settings["articles"]["rows"], "test": len(right["tfidf"])},
        "settings": {name: settings[name] for name in ("epochs", "learning_rate", "layer_decay", "max_length")},
        "always the commonest": float(np.mean([row["label"] == commonest for row in said["pretrained"]])),
        **{start: _numbers(rows, seeds_of(rows)) for start, rows in said.items()},
        "tfidf": _numbers(said["pretrained"], ["tfidf"]),
        "gain_over": {other: paired_difference(right["pretrained"], right[other]) for other in ("fresh", "tfidf")},
    }


def _numbers(rows: Rows, columns: list[str]) -> dict[str, Any]:
    """Of one classifier or of its seeds: accuracies, and where pairs are told apart, F1 of those that are the same."""
    each = [float(right_of(rows, column).mean()) for column in columns]
    mean = float(np.mean(each))
    found = {
        "accuracies": each,
        "accuracy": {"mean": mean, "deviation": deviation(each), "interval": wilson_interval(mean, len(rows))},
    }
    if any(row["label"] == SAME for row in rows):
        counts = [same_counts(rows, column) for column in columns]
        interval = bootstrap_interval(f1_of_counts, np.sum(counts, axis=0))  # of each pair, over the seeds
        found["f1"] = {"each": [f1_of_counts(one) for one in counts], "all": interval._asdict()}
    return found


def same_counts(rows: Rows, column: str) -> np.ndarray:
    """Of each pair, whether it is rightly said to be the same, whether it is, and whether that is said: (rows, 3)."""
    true = np.array([row["label"] == SAME for row in rows])
    said = np.array([row[column] == SAME for row in rows])
    return np.stack([true & said, true, said], axis=1).astype("int64")


def section_of(path: Path) -> str:
    """Its part of the page for people, from the numbers."""
    results = json.loads(path.read_text(encoding="utf-8"))
    lines = [
        "## Two tables of your own",
        "",
        "These are results of `python -m course finetune DATA.csv` with the small encoder that comes with the course,",
        "which has read a made-up world and nothing like these texts. `python -m recipes.own_classes` does it all,",
        "with the settings of the command, and resumes after a kill.",
    ]
    for name, title in _TITLES.items():
        lines += ["", *_table(title, results[name])]
    words = json.loads(quora_pairs.RESULTS.read_text(encoding="utf-8"))["by words"]
    lines += [
        "",
        "± is the standard deviation between seeds. The intervals are for other test rows: Wilson's, and for F1 the",
        "bootstrap's, over all seeds together. The twin has the same sizes and the same vocabulary, of the made-up",
        "world. TF-IDF reads a pair as one text, and does not know which word is in which question. Cosines of TF-IDF",
        f"compare the two questions, and are right on {words['accuracy']:.2%} of the same test pairs, with an F1 of",
        f"{words['f1']['value']:.2%} ([`recipes.quora_pairs`](quora_pairs.json)).",
    ]
    return "\n".join(lines) + "\n"


def _table(title: str, of_set: Mapping[str, Any]) -> Iterator[str]:
    training, test, with_f1 = of_set["rows"]["training"], of_set["rows"]["test"], "f1" in of_set["tfidf"]
    yield f"**{title}** {training:,} rows to train on, a tenth of them to stop by, and {test:,} to test on."
    yield ""
    yield "| | accuracy of each seed | mean | 95% interval |" + (" F1 of *same* | 95% interval |" if with_f1 else "")
    yield "|---|---|---:|---:|" + ("---:|---:|" if with_f1 else "")
    for start, said in {**STARTS, "tfidf": "TF-IDF and logistic regression"}.items():
        numbers = of_set[start]
        mean, spread = numbers["accuracy"], numbers["accuracy"]["deviation"]
        each = "" if spread is None else ", ".join(f"{one:.2%}" for one in numbers["accuracies"])
        line = f"| {said} | {each} | {mean['mean']:.2%}" + ("" if spread is None else f" ± {spread:.2%}")
        line += f" | {between(mean['interval'])} |"
        if with_f1:
            f1 = numbers["f1"]["all"]
            line += f" {f1['value']:.2%} | {between((f1['low'], f1['high']))} |"
        yield line
    yield f"| always the commonest class | | {of_set['always the commonest']:.2%} | |" + (" | |" if with_f1 else "")
    yield ""
    for other, said in (("fresh", "Over its twin, the encoder gains"), ("tfidf", "Over TF-IDF it gains")):
        points = "{:+.2f} points ({:+.2f} to {:+.2f})".format(*(100 * value for value in of_set["gain_over"][other]))
        yield f"{said} {points}, mean of the seeds, paired by row.  "
