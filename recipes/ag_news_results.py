"""The recipe's results: numbers in ag_news.json, a section of README.md, and the curves that lessons show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import keras
import numpy as np

from course.commands.evaluation_report import SEEDS, WITH_BASELINE
from course.evaluation.baseline import points
from course.evaluation.measures import paired_difference
from course.storage.outputs import write_json
from course.storage.packed import write_packed
from course.training.encoder_source import from_folder
from course.training.recorded_run import FINE_TUNING_FILE, PRETRAINING_FILE
from recipes.page import between, gain_of, keep_section
from recipes.paths import PAGE, RESULTS, Paths
from recipes.predictions import read_predictions, read_rows, right_of, share_right

_ALL_ARTICLES = 120_000  # to train on
_WORDS = ("monday", "coach", "oil", "microsoft", "iraq", "won")
_STARTS = {"pretrained": "pretrained on the same articles", "fresh": "its twin, not pretrained"}


def keep(paths: Paths, seconds: Mapping[str, float], cores: int) -> None:
    """Writes all results of a finished run.

    Args:
        paths: the paths of the run.
        seconds: how long each part took.
        cores: the number of the machine's cores.
    """
    folders = _folders(paths)
    evaluations = {start: _json(folder / "evaluation" / "results.json") for start, folder in folders.items()}
    right = {start: share_right(read_predictions(folder)) for start, folder in folders.items()}
    right["baseline"] = right_of(read_predictions(paths.pretrained), "baseline")
    results = {
        "machine": {"cores": cores, "date": datetime.now(UTC).date().isoformat()},
        "minutes": {stage: time / 60 for stage, time in seconds.items()},
        "articles": _json(paths.corpus / "corpus.json")["documents"],
        "test_articles": len(right["baseline"]),
        "accuracies": {start: _accuracies(evaluation) for start, evaluation in evaluations.items()},
        "mean_accuracy": {start: evaluation["mean_accuracy"] for start, evaluation in evaluations.items()},
        "macro_f1": {start: _mean(evaluation, "macro_f1") for start, evaluation in evaluations.items()},
        "calibration_error": {
            start: _mean(evaluation, "calibration_error") for start, evaluation in evaluations.items()
        },
        "baseline": evaluations["pretrained"]["baseline"],
        "together": evaluations["pretrained"]["together"],
        "gain_over": {other: paired_difference(right["pretrained"], right[other]) for other in ("fresh", "baseline")},
    }
    write_json(RESULTS, results)
    keep_section(PAGE, section_of(RESULTS))
    keep_for_lessons(paths, results)


def section_of(path: Path) -> str:
    """The section of README.md, from the stored results."""
    results = _json(path)
    lines = [
        "## AG News from nothing but its own text",
        "",
        f"`python -m recipes.ag_news` learns the vocabulary, pretrains and fine-tunes on {results['articles']:,}",
        f"articles, and on no other text. It measures once, on {results['test_articles']:,} test articles, on which",
        "nothing was chosen, and resumes after a kill. [Tried, and not kept](tried.md) lists other settings, and a",
        "twin that is kept from memorising, which gets most of what pretraining gains over a plain one.",
        "",
        *_part(results["articles"]),
        "| | accuracy of each seed | mean | 95% interval | macro F1 | calibration error |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for start, title in _STARTS.items():
        mean = results["mean_accuracy"][start]
        accuracies = ", ".join(f"{accuracy:.2%}" for accuracy in results["accuracies"][start])
        lines.append(
            f"| {title} | {accuracies} | {mean['mean']:.2%} ± {mean['deviation']:.2%} | {between(mean['interval'])} | "
            f"{results['macro_f1'][start]:.4f} | {results['calibration_error'][start]:.4f} |"
        )
    baseline, together = results["baseline"], results.get("together", {})
    for title, numbers in {f"baseline: {baseline['kind']}": baseline, **together}.items():
        lines.append(
            f"| {title} | | {numbers['accuracy']:.2%} | {between(numbers['interval'])} | {numbers['macro_f1']:.4f} | "
            f"{numbers['calibration_error']:.4f} |"
        )
    lines += [
        "",
        "± is the standard deviation between seeds; the interval is for other test articles (Wilson).",
        "",
        f"Pretraining gains {gain_of(results['gain_over']['fresh'], 'article')}.  ",
        f"Over the baseline it gains {gain_of(results['gain_over']['baseline'], 'article')}.  ",
    ]
    for title, numbers in together.items():
        gain = points(numbers["gain"]["difference"], *numbers["gain"]["interval"])
        lines.append(f"{title.capitalize()}, they gain {gain} over the baseline.  ")
    if together:
        lines += [
            f"{SEEDS.capitalize()} decide by the mean of the pretrained classifiers' probabilities; {WITH_BASELINE}, "
            "by the",
            "geometric mean of that and of the baseline's probabilities.  ",
        ]
    lines.append(f"The baseline takes {baseline['seconds']:.0f} seconds, its choice on held-out articles included.")
    lines += ["", "| part | minutes |", "|---|---:|"]
    lines += [f"| {stage} | {minutes:.1f} |" for stage, minutes in results["minutes"].items()]
    lines.append(f"| in all | {sum(results['minutes'].values()):.1f} |")
    lines.append(f"| without the twin | {_without_the_twin(results['minutes']):.1f} |")
    machine = results["machine"]
    cores = "one core" if machine["cores"] == 1 else f"{machine['cores']} cores"
    lines += ["", f"On {cores}, without a GPU, {machine['date']}."]
    return "\n".join(lines) + "\n"


def _without_the_twin(minutes: Mapping[str, float]) -> float:
    return sum(of_stage for stage, of_stage in minutes.items() if not stage.endswith("the twin"))


def _part(articles: int) -> list[str]:
    if articles >= _ALL_ARTICLES:
        return []
    return [
        f"These articles are a part of AG News's {_ALL_ARTICLES:,}, in a folder that `AG_NEWS_DIR` names. Without",
        "such a folder, the recipe downloads all of them, takes several times as long, and replaces these results.",
        "",
    ]


def keep_for_lessons(paths: Paths, results: Mapping[str, Any]) -> None:
    """Writes the numbers that lessons show, rounded to five digits.

    Args:
        paths: the paths of the run.
        results: its results, as `keep` writes them.
    """
    pretraining = [
        {name: _short(value) for name, value in row.items() if name != "tokens_per_second"}
        for row in read_rows(paths.encoder / "history.csv")
    ]
    write_packed(PRETRAINING_FILE, {"history": pretraining, "neighbours": _neighbours(paths.encoder)})
    fine_tuning = [
        {"start": start, "seed": int(seed), **{name: _short(value) for name, value in row.items()}}
        for start, folder in _folders(paths).items()
        for seed, rows in _json(folder / "results.json")["seeds"].items()
        for row in rows
    ]
    test = [
        {"start": start, "seed": seed, "accuracy": accuracy}
        for start, accuracies in results["accuracies"].items()
        for seed, accuracy in enumerate(accuracies, start=1)
    ]
    test.append({"start": "baseline", "seed": 0, "accuracy": results["baseline"]["accuracy"]})
    write_packed(FINE_TUNING_FILE, {"history": fine_tuning, "test": test})


def _folders(paths: Paths) -> dict[str, Path]:
    return {"pretrained": paths.pretrained, "fresh": paths.fresh}


def _short(value: Any) -> float:
    return float(f"{float(value):.5g}")


def _neighbours(folder: Path) -> dict[str, list[str]]:
    """For some words, the eight whole words with the nearest embeddings by cosine."""
    source = from_folder(folder)
    vocabulary, embeddings = source.vocabulary, source.make("float32").embedding.token_embeddings
    directions = keras.ops.convert_to_numpy(keras.ops.normalize(embeddings, axis=-1))
    whole = np.array([piece.isalpha() and len(piece) > 1 for piece in vocabulary])
    neighbours = {}
    for word in _WORDS:
        cosines = np.where(whole, directions @ directions[vocabulary[word]], -np.inf)
        cosines[vocabulary[word]] = -np.inf  # a word is not its own neighbour
        neighbours[word] = vocabulary.pieces_of(np.argsort(-cosines)[:8].tolist())
    return neighbours


def _accuracies(evaluation: Mapping[str, Any]) -> list[float]:
    return [numbers["accuracy"] for numbers in evaluation["classifiers"].values()]


def _mean(evaluation: Mapping[str, Any], name: str) -> float:
    return float(np.mean([numbers[name] for numbers in evaluation["classifiers"].values()]))


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
