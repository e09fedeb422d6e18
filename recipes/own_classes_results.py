"""The results of the recipe of two tables: numbers in own_classes.json, and a section of README.md."""

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
from recipes.page import between, gain_of, keep_section
from recipes.paths import PAGE
from recipes.predictions import Rows, read_predictions, read_rows, right_of, seeds_of, share_right

RESULTS = Path(__file__).with_name("own_classes.json")
SAME = "same"  # the class of questions that F1 is of
STARTS = {"pretrained": "the course's small encoder", "fresh": "its twin with fresh weights"}
_ALL_PAIRS = 404_290  # that Quora published
_TITLES = {
    "films": "Films: SST's sentences, in five classes.",
    "questions": "Questions: do two of Quora's ask the same?",
}


def keep(folder: Path) -> None:
    """Writes all results of a finished run.

    Args:
        folder: the folder of the run.
    """
    write_json(RESULTS, {name: _of_set(folder / name) for name in _TITLES})
    keep_section(PAGE, section_of(RESULTS))


def _of_set(folder: Path) -> dict[str, Any]:
    predictions = {start: read_predictions(folder / start) for start in STARTS}
    right = {start: share_right(rows) for start, rows in predictions.items()}
    right["baseline"] = right_of(predictions["pretrained"], "baseline")
    settings = json.loads((folder / "pretrained" / "results.json").read_text(encoding="utf-8"))["settings"]
    commonest = Counter(row["label"] for row in read_rows(folder / "train.csv")).most_common(1)[0][0]
    return {
        "rows": {"training": settings["articles"]["rows"], "test": len(right["baseline"])},
        "settings": {name: settings[name] for name in ("epochs", "learning_rate", "layer_decay", "max_length")},
        "always the commonest": float(np.mean([row["label"] == commonest for row in predictions["pretrained"]])),
        **{start: numbers_of(rows, seeds_of(rows)) for start, rows in predictions.items()},
        "baseline": {**numbers_of(predictions["pretrained"], ["baseline"]), **_of_baseline(folder)},
        "gain_over": {other: paired_difference(right["pretrained"], right[other]) for other in ("fresh", "baseline")},
    }


def _of_baseline(folder: Path) -> dict[str, Any]:
    stored = json.loads((folder / "pretrained" / "evaluation" / "results.json").read_text(encoding="utf-8"))["baseline"]
    return {name: stored[name] for name in ("kind", "seconds")}


def numbers_of(rows: Rows, columns: list[str]) -> dict[str, Any]:
    """The accuracies of a classifier, one per column of `rows`; for pairs of questions, also F1 of the class "same"."""
    accuracies = [float(right_of(rows, column).mean()) for column in columns]
    mean = float(np.mean(accuracies))
    numbers = {
        "accuracies": accuracies,
        "accuracy": {"mean": mean, "deviation": deviation(accuracies), "interval": wilson_interval(mean, len(rows))},
    }
    if any(row["label"] == SAME for row in rows):
        counts = [same_counts(rows, column) for column in columns]
        interval = bootstrap_interval(f1_of_counts, np.sum(counts, axis=0))  # of each pair, over the seeds
        numbers["f1"] = {"each": [f1_of_counts(table) for table in counts], "all": interval._asdict()}
    return numbers


def same_counts(rows: Rows, column: str) -> np.ndarray:
    """For each pair, 1 or 0: correctly predicted as the same, truly the same, predicted as the same; (rows, 3)."""
    true = np.array([row["label"] == SAME for row in rows])
    predicted = np.array([row[column] == SAME for row in rows])
    return np.stack([true & predicted, true, predicted], axis=1).astype("int64")


def section_of(path: Path) -> str:
    """The section of README.md, from the stored results."""
    results = json.loads(path.read_text(encoding="utf-8"))
    lines = [
        "## Two tables of your own",
        "",
        "These are results of `python -m course finetune DATA.csv` with the small encoder that comes with the course,",
        "which has read a made-up world and nothing like these texts. `python -m recipes.own_classes` runs everything,",
        "with the command's default settings, and resumes after a kill. The encoder is that of before 2026-11-26, when",
        "the sample got its sentences with pronouns and the encoder was trained again.",
    ]
    for name, title in _TITLES.items():
        lines += ["", *_table(title, results[name])]
    if results["questions"]["rows"]["test"] < 0.05 * _ALL_PAIRS:  # of all, it is a tenth
        lines += [
            "",
            f"The questions are from a part of Quora's {_ALL_PAIRS:,} pairs, in a folder that `QUORA_PAIRS_DIR` names.",
            "Without such a folder, the recipe downloads all pairs, and replaces these results.",
        ]
    words = json.loads(quora_pairs.RESULTS.read_text(encoding="utf-8"))["by words"]
    lines += [
        "",
        "± is the standard deviation between seeds. The intervals are for other test rows: Wilson's, and for F1 the",
        "bootstrap's, over all seeds together. The twin has the same sizes and the same vocabulary, of the made-up",
        "world. The baseline reads a pair as one text, and cannot see which word is in which question. The cosine of",
        f"TF-IDF compares the two questions, and is right on {words['accuracy']:.2%} of the same test pairs, with an",
        f"F1 of {words['f1']['value']:.2%} ([`recipes.quora_pairs`](quora_pairs.json)).",
    ]
    return "\n".join(lines) + "\n"


def _table(title: str, of_set: Mapping[str, Any]) -> Iterator[str]:
    training, test, with_f1 = of_set["rows"]["training"], of_set["rows"]["test"], "f1" in of_set["baseline"]
    yield f"**{title}** {training:,} training rows, a tenth of them for early stopping, and {test:,} test rows."
    yield ""
    yield "| | accuracy of each seed | mean | 95% interval |" + (" F1 of *same* | 95% interval |" if with_f1 else "")
    yield "|---|---|---:|---:|" + ("---:|---:|" if with_f1 else "")
    for start, row_title in {**STARTS, "baseline": f"baseline: {of_set['baseline']['kind']}"}.items():
        numbers = of_set[start]
        mean, spread = numbers["accuracy"], numbers["accuracy"]["deviation"]
        accuracies = "" if spread is None else ", ".join(f"{accuracy:.2%}" for accuracy in numbers["accuracies"])
        line = f"| {row_title} | {accuracies} | {mean['mean']:.2%}" + ("" if spread is None else f" ± {spread:.2%}")
        line += f" | {between(mean['interval'])} |"
        if with_f1:
            f1 = numbers["f1"]["all"]
            line += f" {f1['value']:.2%} | {between((f1['low'], f1['high']))} |"
        yield line
    yield f"| always the commonest class | | {of_set['always the commonest']:.2%} | |" + (" | |" if with_f1 else "")
    yield ""
    yield f"Over its twin, the encoder gains {gain_of(of_set['gain_over']['fresh'], 'row')}.  "
    yield f"Over the baseline it gains {gain_of(of_set['gain_over']['baseline'], 'row')}.  "
    yield f"The baseline takes {of_set['baseline']['seconds']:.0f} seconds."
