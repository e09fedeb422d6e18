"""python -m recipes.quora_pairs: do two questions ask the same? Read apart, read together, and by their words alone.

From three seeds, the course's small encoder is trained as two towers, which learn from the pairs that match, and as a
classifier that reads both questions in one row; so is its twin with fresh weights, as a classifier. The baseline is the
cosine of TF-IDF. No question of test is in train or dev. Threshold and calibration are chosen on dev. The data are
downloaded, or read from the folder that QUORA_PAIRS_DIR names. The numbers beside this file are for a twentieth of the
pairs, 20,212 of 404,290.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import keras
import numpy as np
import pandas as pd
import typer
from rich.console import Console
from sklearn.feature_extraction.text import TfidfVectorizer

from course.applications.retrieval.training import Towers, symmetric_score, train_pairs, train_towers, vectors_of
from course.data.datasets import load_quora_pairs
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.wordpiece import WordPieceTokenizer
from course.errors import as_course_errors
from course.evaluation.bootstrap import bootstrap_interval
from course.matching import PairClassifier, best_threshold, calibration_error, fit_platt
from course.storage.outputs import write_json
from course.training.encoder_source import EncoderSource, from_folder
from course.training.logits import predict_logits

RESULTS = Path(__file__).with_suffix(".json")
SEEDS = (1, 2, 3)
LENGTH = 32  # of one question; a pair has twice as much room
SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}


def split(pairs: pd.DataFrame, seed: int = 0) -> dict[str, pd.DataFrame]:
    """Splits into train, dev and test with no question in two of them: questions linked by pairs stay together."""
    leaders: dict[str, str] = {}

    def leader(question: str) -> str:
        path = []
        while leaders.setdefault(question, question) != question:
            path.append(question)
            question = leaders[question]
        leaders.update(dict.fromkeys(path, question))
        return question

    for first, second in zip(pairs["question1"], pairs["question2"], strict=True):
        leaders[leader(first)] = leader(second)
    groups = pairs["question1"].map(leader)
    names = np.array(sorted(set(groups)))
    bounds = np.cumsum(list(SHARES.values()))[:-1] * len(names)
    parts = np.split(np.random.default_rng(seed).permutation(names), bounds.round().astype(int))
    return {
        part: pairs[groups.isin(set(members))].reset_index(drop=True)
        for part, members in zip(SHARES, parts, strict=True)
    }


def measured(dev: np.ndarray, test: np.ndarray, parts: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Measures the scores on test, with threshold and calibration chosen on dev."""
    labels = {name: parts[name]["is_duplicate"].to_numpy() for name in ("dev", "test")}
    dev, test = dev.astype("float64"), test.astype("float64")
    threshold, _ = best_threshold(dev, labels["dev"])
    a, b = fit_platt(dev, labels["dev"])
    before, after = (1 / (1 + np.exp(-z)) for z in (test, a * test + b))

    def f1(rows: np.ndarray) -> float:
        return float(2 * np.sum(rows[:, 0] & rows[:, 1]) / max(np.sum(rows), 1))

    counts = np.stack([test >= threshold, labels["test"]], axis=1)
    return {
        "f1": bootstrap_interval(f1, counts)._asdict(),
        "accuracy": float(np.mean((after >= 0.5) == labels["test"])),
        "calibration error": {
            "as it is": calibration_error(before, labels["test"]),
            "by Platt": calibration_error(after, labels["test"]),
        },
        "platt": [a, b],
        "threshold": threshold,
    }


def by_words(parts: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """The results of cosines of TF-IDF."""
    texts = pd.concat([parts["train"]["question1"], parts["train"]["question2"]])
    words = TfidfVectorizer(sublinear_tf=True).fit(texts)
    cosines = {
        name: np.asarray(
            words.transform(parts[name]["question1"]).multiply(words.transform(parts[name]["question2"])).sum(axis=1)
        )[:, 0]
        for name in ("dev", "test")
    }
    return measured(cosines["dev"], cosines["test"], parts)


def apart(source: EncoderSource, parts: dict[str, pd.DataFrame], seed: int, epochs: int) -> dict[str, Any]:
    """Trains two towers on the pairs that match, and measures them."""
    keras.utils.set_random_seed(seed)
    tokenizer = WordPieceTokenizer(source.vocabulary, source.lowercase is not False)
    towers = Towers(source.make("float32"))
    same = parts["train"][parts["train"]["is_duplicate"]]
    began = time.process_time()
    sides = [tokenizer(same[column], max_length=LENGTH) for column in ("question1", "question2")]
    train_towers(towers, *sides, learning_rate=1e-3, epochs=epochs, seed=seed)
    cosines = {}
    for name in ("dev", "test"):
        vectors = [
            vectors_of(towers, tokenizer(parts[name][column], max_length=LENGTH))
            for column in ("question1", "question2")
        ]
        cosines[name] = np.sum(vectors[0] * vectors[1], axis=1)
    return {
        **measured(cosines["dev"], cosines["test"], parts),
        "seconds": round(time.process_time() - began, 1),
    }


def together(source: EncoderSource, parts: dict[str, pd.DataFrame], seed: int, epochs: int) -> dict[str, Any]:
    """Trains a classifier of pairs, and measures it, with one order of the questions and with both."""
    keras.utils.set_random_seed(seed)
    tokenizer = WordPieceTokenizer(source.vocabulary, source.lowercase is not False)
    model = PairClassifier(source.make("float32"))

    def rows(part: pd.DataFrame, first: str = "question1", second: str = "question2") -> dict[str, np.ndarray]:
        return tokenizer(part[first], part[second], max_length=2 * LENGTH)

    began = time.process_time()
    labels = parts["train"]["is_duplicate"].to_numpy().astype("int32")
    train_pairs(model, rows(parts["train"]), labels, learning_rate=3e-4, epochs=epochs, seed=seed)
    one_order = {name: predict_logits(model, rows(parts[name])) for name in ("dev", "test")}
    seconds = round(time.process_time() - began, 1)
    both = {
        name: symmetric_score(model, rows(parts[name]), rows(parts[name], "question2", "question1"))
        for name in ("dev", "test")
    }
    return {
        **measured(one_order["dev"], one_order["test"], parts),
        "both orders": measured(both["dev"], both["test"], parts),
        "seconds": seconds,
    }


def main(
    epochs: Annotated[int, typer.Option(min=1, help="How many times the training pairs are read.")] = 3,
    seeds: Annotated[int, typer.Option(min=1, max=len(SEEDS), help="How many seeds there are.")] = len(SEEDS),
) -> None:
    """Trains and tests all models, and writes the results."""
    with as_course_errors():
        parts = split(load_quora_pairs())
    small = from_folder(SAMPLE_ENCODER)
    results: dict[str, Any] = {
        "pairs": {name: len(part) for name, part in parts.items()},
        "share that matches": {name: float(part["is_duplicate"].mean()) for name, part in parts.items()},
        "settings": {"epochs": epochs},
        "by words": by_words(parts),
    }
    ways = {
        "read apart": (apart, small),
        "read together": (together, small),
        "read together, fresh": (together, small.fresh()),
    }
    for name, (way, source) in ways.items():
        results[name] = []
        for seed in SEEDS[:seeds]:
            results[name].append(result := way(source, parts, seed, epochs))
            Console().print(f"{name}, seed {seed}: F1 {result['f1']['value']:.1%}, {result['seconds']:.0f} s")
        write_json(RESULTS, results)
    Console().print(f"{RESULTS}: written.")


if __name__ == "__main__":
    typer.run(main)
