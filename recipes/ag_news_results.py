"""What came of the recipe: numbers in ag_news.json, a page for people, and the curves that lessons show."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import keras
import numpy as np

from course.evaluation.measures import paired_difference
from course.storage.atomic import atomic_file
from course.storage.outputs import write_json, write_text
from course.training.encoder_source import from_folder
from course.training.full_run import FINE_TUNING_FILE, PRETRAINING_FILE
from recipes.ag_news_objectives_page import section_of
from recipes.paths import OBJECTIVES, PAGE, RESULTS, Paths

_WORDS = ("monday", "coach", "oil", "microsoft", "iraq", "won")
_STARTS = {"pretrained": "pretrained on the same articles", "fresh": "its twin, not pretrained"}


def keep(paths: Paths, seconds: Mapping[str, float], cores: int) -> None:
    """Writes all that is kept of a run.

    Args:
        paths: of the run, which is at its end.
        seconds: how long each part took.
        cores: of the machine.
    """
    folders = _folders(paths)
    evaluations = {start: _json(folder / "evaluation" / "results.json") for start, folder in folders.items()}
    right = {start: _share_right(folder) for start, folder in folders.items()}
    right["tfidf"] = _right_of(_rows(paths.pretrained / "evaluation" / "predictions.csv"), "tfidf")
    results = {
        "machine": {"cores": cores, "date": datetime.now(UTC).date().isoformat()},
        "minutes": {stage: time / 60 for stage, time in seconds.items()},
        "articles": _json(paths.corpus / "corpus.json")["documents"],
        "test_articles": len(right["tfidf"]),
        "accuracies": {start: _accuracies(found) for start, found in evaluations.items()},
        "mean_accuracy": {start: found["mean_accuracy"] for start, found in evaluations.items()},
        "macro_f1": {start: _mean(found, "macro_f1") for start, found in evaluations.items()},
        "calibration_error": {start: _mean(found, "calibration_error") for start, found in evaluations.items()},
        "tfidf": evaluations["pretrained"]["tfidf"],
        "gain_over": {other: paired_difference(right["pretrained"], right[other]) for other in ("fresh", "tfidf")},
    }
    write_json(RESULTS, results)
    write_page()
    keep_for_lessons(paths, results)


def write_page() -> None:
    """Writes the page for people, with what is kept of both recipes."""
    write_text(PAGE, page_of(RESULTS) + "\n" + section_of(OBJECTIVES))


def page_of(path: Path) -> str:
    """The page for people, from the numbers."""
    results = _json(path)
    lines = [
        "# Recipes",
        "",
        "## AG News from nothing but its own text",
        "",
        f"Vocabulary, pretraining and fine-tuning on {results['articles']:,} articles and no other text, measured once",
        f"on {results['test_articles']:,} test articles, by which nothing was chosen. `python -m recipes.ag_news` does",
        "it all, and goes on where it was killed. [What was tried and not kept](tried.md).",
        "",
        "| | accuracy of each seed | mean | 95% interval | macro F1 | calibration error |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for start, said in _STARTS.items():
        mean = results["mean_accuracy"][start]
        each = ", ".join(f"{accuracy:.2%}" for accuracy in results["accuracies"][start])
        lines.append(
            f"| {said} | {each} | {mean['mean']:.2%} ± {mean['deviation']:.2%} | {_between(mean['interval'])} | "
            f"{results['macro_f1'][start]:.4f} | {results['calibration_error'][start]:.4f} |"
        )
    tfidf = results["tfidf"]
    lines.append(
        f"| TF-IDF and logistic regression | | {tfidf['accuracy']:.2%} | {_between(tfidf['interval'])} | "
        f"{tfidf['macro_f1']:.4f} | |"
    )
    lines += ["", "± is the deviation between seeds; the interval is for other test articles (Wilson).", ""]
    for other, said in (("fresh", "Pretraining gains"), ("tfidf", "Over TF-IDF it gains")):
        gain = results["gain_over"][other]
        points = "{:+.2f} points ({:+.2f} to {:+.2f})".format(*(100 * value for value in gain))
        lines.append(f"{said} {points}, mean of the seeds, paired by article.  ")
    lines += ["", "| part | minutes |", "|---|---:|"]
    lines += [f"| {stage} | {minutes:.1f} |" for stage, minutes in results["minutes"].items()]
    lines.append(f"| in all | {sum(results['minutes'].values()):.1f} |")
    machine = results["machine"]
    cores = "one core" if machine["cores"] == 1 else f"{machine['cores']} cores"
    lines += ["", f"On {cores}, without a GPU, {machine['date']}."]
    return "\n".join(lines) + "\n"


def keep_for_lessons(paths: Paths, results: Mapping[str, Any]) -> None:
    """Writes what lessons show of a run, with as many digits as anyone can see.

    Args:
        paths: of the run.
        results: its numbers, as `keep` writes them.
    """
    pretraining = [
        {name: _short(value) for name, value in row.items() if name != "tokens_per_second"}
        for row in _rows(paths.encoder / "history.csv")
    ]
    _pack(PRETRAINING_FILE, {"history": pretraining, "neighbours": _neighbours(paths.encoder)})
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
    test.append({"start": "tfidf", "seed": 0, "accuracy": results["tfidf"]["accuracy"]})
    _pack(FINE_TUNING_FILE, {"history": fine_tuning, "test": test})


def _folders(paths: Paths) -> dict[str, Path]:
    return {"pretrained": paths.pretrained, "fresh": paths.fresh}


def _pack(path: Path, content: Any) -> None:
    with atomic_file(path) as draft:
        draft.write_bytes(gzip.compress(json.dumps(content).encode(), mtime=0))


def _short(value: Any) -> float:
    return float(f"{float(value):.5g}")


def _neighbours(folder: Path, count: int = 8) -> dict[str, list[str]]:
    """For some words the whole words whose embeddings are nearest, by the cosine."""
    source = from_folder(folder)
    vocabulary, embeddings = source.vocabulary, source.make("float32").embedding.token_embeddings
    directions = keras.ops.convert_to_numpy(keras.ops.normalize(embeddings, axis=-1))
    whole = np.array([piece.isalpha() and len(piece) > 1 for piece in vocabulary])
    found = {}
    for word in _WORDS:
        alike = np.where(whole, directions @ directions[vocabulary[word]], -np.inf)
        alike[vocabulary[word]] = -np.inf  # a word is no neighbour of its own
        found[word] = vocabulary.pieces_of(np.argsort(-alike)[:count].tolist())
    return found


def _share_right(folder: Path) -> np.ndarray:
    """(articles,), the share of the seeds that get each test article right."""
    rows = _rows(folder / "evaluation" / "predictions.csv")
    return np.mean([_right_of(rows, name) for name in rows[0] if name.startswith("seed-")], axis=0)


def _right_of(rows: list[dict[str, str]], name: str) -> np.ndarray:
    return np.array([row[name] == row["label"] for row in rows], "float64")


def _accuracies(evaluation: Mapping[str, Any]) -> list[float]:
    return [numbers["accuracy"] for numbers in evaluation["classifiers"].values()]


def _mean(evaluation: Mapping[str, Any], name: str) -> float:
    return float(np.mean([numbers[name] for numbers in evaluation["classifiers"].values()]))


def _between(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.2%} to {interval[1]:.2%}"


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
