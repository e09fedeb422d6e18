"""The results of the recipe for published weights: numbers in published.json, and a section of README.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from course.evaluation.measures import paired_difference, wilson_interval
from course.storage.outputs import write_json
from recipes.own_classes_results import RESULTS as OWN_CLASSES
from recipes.page import between, keep_section
from recipes.paths import PAGE
from recipes.predictions import read_predictions, right_of, seeds_of

RESULTS = Path(__file__).with_name("published.json")
PRETRAINED, FRESH = "pretrained", "fresh"
SETS = {
    "articles": "AG News, 4,000 articles twice",
    "lecture": "AG News, 500 steps of 8 articles",
    "recipe": "AG News, the first recipe's articles twice",
    "films": "Films: SST's sentences, in five classes",
    "questions": "Questions: do two of Quora's ask the same?",
}


def keep(name: str, folder: Path, weights: str, seconds: Mapping[str, float]) -> None:
    """Writes the results of a set, and keeps those of the others.

    Args:
        name: of the set.
        folder: of its run.
        weights: the name of the published weights.
        seconds: how long each part took.
    """
    rows = {start: read_predictions(folder / start) for start in (PRETRAINED, FRESH) if (folder / start).is_dir()}
    right = {start: right_of(predictions, seeds_of(predictions)[0]) for start, predictions in rows.items()}
    right["baseline"] = right_of(rows[PRETRAINED], "baseline")
    stored = _json(folder / PRETRAINED / "evaluation" / "results.json")["baseline"]
    settings = _json(folder / PRETRAINED / "results.json")["settings"]
    accuracies = {start: float(of_rows.mean()) for start, of_rows in right.items()}
    results = _json(RESULTS) if RESULTS.exists() else {}
    results[name] = {
        "weights": weights,
        "rows": {"training": settings["articles"]["rows"], "test": len(rows[PRETRAINED])},
        "accuracy": accuracies,
        "interval": {start: wilson_interval(share, len(rows[PRETRAINED])) for start, share in accuracies.items()},
        "gain_over": {
            other: paired_difference(right[PRETRAINED], right[other]) for other in right if other != PRETRAINED
        },
        "baseline": {"kind": stored["kind"], "seconds": stored["seconds"]},
        "minutes": {stage: time / 60 for stage, time in seconds.items()},
    }
    write_json(RESULTS, {known: results[known] for known in SETS if known in results})
    keep_section(PAGE, section_of(RESULTS))


def section_of(path: Path) -> str:
    """The section of README.md, from the stored results."""
    results = _json(path)
    return "\n".join(["## Published weights", "", *_text(results), "", *_table(results), "", *_notes(results)]) + "\n"


def _text(results: Mapping[str, Any]) -> Iterator[str]:
    weights = " and ".join(sorted({of_set["weights"] for of_set in results.values()}))
    yield f"`python -m recipes.published {weights}` fine-tunes published weights on each set from one"
    yield "seed, with the same settings, and measures once, on all test rows. The baseline has learned from the same"
    yield "rows. Gains are in points, paired by row, with their 95% intervals for other test rows."


def _table(results: Mapping[str, Any]) -> Iterator[str]:
    yield "| set | training rows | test rows | accuracy (95%) | random weights | baseline | gain over the baseline |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    own = _json(OWN_CLASSES)
    for name, of_set in results.items():
        accuracy = of_set["accuracy"]
        fresh = accuracy.get(FRESH, own[name]["fresh"]["accuracy"]["mean"] if name in own else None)
        gain = "{:+.2f} ({:+.2f} to {:+.2f})".format(*(100 * value for value in of_set["gain_over"]["baseline"]))
        yield (
            f"| {SETS[name]} | {of_set['rows']['training']:,} | {of_set['rows']['test']:,} | "
            f"{accuracy[PRETRAINED]:.2%} ({between(of_set['interval'][PRETRAINED])}) | "
            f"{'' if fresh is None else f'{fresh:.2%}'} | {accuracy['baseline']:.2%} | {gain} |"
        )


def _notes(results: Mapping[str, Any]) -> Iterator[str]:
    yield "A tenth of the training rows is held out. On AG News, the random weights are those of a twin of the same"
    yield "sizes, trained with the same settings, which suit pretrained weights. On films and questions, the rows are"
    yield "those of `python -m recipes.own_classes`, and the random weights those of its twin, with its settings."
    minutes = ", ".join(f"{name} {sum(of_set['minutes'].values()):.0f}" for name, of_set in results.items())
    yield f"Minutes by the clock on two cores that other work shared, evaluations and twins included: {minutes}."
    if "questions" in results:
        yield "The authors of all-MiniLM-L6-v2 trained it on Quora's questions, too, so its accuracy there is not that"
        yield "of a model to which they are new."


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
