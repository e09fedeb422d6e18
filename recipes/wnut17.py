"""python -m recipes.wnut17: the names of W-NUT 2017, by the course's small encoder, its fresh twin, and a lookup.

The encoders are trained from three seeds each. The best epoch is chosen on dev, and test is used once. With
`--from FOLDER`, published weights are trained instead, and join the stored results. The data are downloaded, or read
from the folder that WNUT17_DIR names.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import keras
import numpy as np
import pandas as pd
import typer
from rich.console import Console

from course.applications.tagging.counts import f1_of_counts, name_counts
from course.applications.tagging.lookup import Lookup
from course.applications.tagging.tagger import Tagger
from course.applications.tagging.texts import TaggedText, tag_names, text_of_words
from course.applications.tagging.training import train_tagger
from course.data.datasets import WNUT17_KINDS, load_wnut17
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.entities import TokenClassifier, entities_of, entity_scores
from course.errors import as_course_errors
from course.evaluation.bootstrap import bootstrap_interval
from course.storage.outputs import write_json
from course.training.encoder_source import EncoderSource, from_folder

RESULTS = Path(__file__).with_suffix(".json")
SEEDS = (1, 2, 3)
PUBLISHED = 4, 1e-4  # epochs, and the learning rate, of published weights


def texts_of(sentences: pd.DataFrame) -> list[TaggedText]:
    """The sentences with a space between their words."""
    return [text_of_words(words, tags) for words, tags in zip(sentences["words"], sentences["tags"], strict=True)]


def guesses(tagger: Tagger, texts: list[TaggedText]) -> list[list[str]]:
    """The tags that a tagger gives to the words of texts."""
    return tagger.tag_words([text.text for text in texts], [text.offsets for text in texts])


def train(
    source: EncoderSource, parts: dict[str, list[TaggedText]], seed: int, epochs: int, learning_rate: float
) -> dict[str, Any]:
    """Trains a tagger, and tags test with the weights of the epoch that is best on dev."""
    keras.utils.set_random_seed(seed)
    tags = tag_names(WNUT17_KINDS)
    tagger = Tagger(TokenClassifier(source.make("float32"), len(tags)), source.vocabulary, tags, source.lowercase)
    rows = tagger.rows([text.text for text in parts["train"]], [text.offsets for text in parts["train"]])
    labels = rows.labels(parts["train"], tagger.tag_ids)
    began = time.process_time()
    best: dict[str, Any] = {"dev": -1.0}
    true = {name: [text.tags for text in texts] for name, texts in parts.items()}

    def after_epoch(epoch: int) -> None:
        dev = entity_scores(true["dev"], guesses(tagger, parts["dev"]))["f1"]
        if dev > best["dev"]:
            best.update(dev=dev, epoch=epoch, weights=tagger.model.get_weights())

    train_tagger(
        tagger.model,
        rows.inputs,
        labels,
        learning_rate=learning_rate,
        batch_size=16,
        epochs=epochs,
        seed=seed,
        on_epoch=after_epoch,
    )
    tagger.model.set_weights(best.pop("weights"))
    best["test"] = guesses(tagger, parts["test"])
    best["seconds"] = round(time.process_time() - began, 1)
    return best


def new_names(parts: dict[str, list[TaggedText]]) -> float:
    """The share of the test's names that are not names in train."""
    names = {
        part: [
            tuple(word.lower() for word in text.words[first:last])
            for text in parts[part]
            for first, last, _ in entities_of(text.tags)
        ]
        for part in ("train", "test")
    }
    known = set(names["train"])
    return float(np.mean([name not in known for name in names["test"]]))


def summary(true: list[list[str]], runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The scores of each seed, and the confidence interval over all seeds together."""
    scores = [entity_scores(true, run["test"]) for run in runs]
    counts = np.sum([name_counts(true, run["test"]) for run in runs], axis=0)  # of each sentence, over the seeds
    return {
        "f1": [score["f1"] for score in scores],
        "precision": [score["precision"] for score in scores],
        "recall": [score["recall"] for score in scores],
        "kinds": {kind: [score["kinds"].get(kind, {"f1": 0.0})["f1"] for score in scores] for kind in WNUT17_KINDS},
        "interval": bootstrap_interval(f1_of_counts, counts)._asdict(),
        "dev": [run["dev"] for run in runs],
        "epoch": [run["epoch"] for run in runs],
        "seconds": [run["seconds"] for run in runs],
    }


def main(
    source: Annotated[
        Path | None, typer.Option("--from", help="Published weights, to be trained instead of the small encoders.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="How many times the small encoders read the training part.")] = 6,
    seeds: Annotated[int, typer.Option(min=1, max=len(SEEDS), help="How many seeds there are.")] = len(SEEDS),
) -> None:
    """Trains and tests the taggers, and writes the results."""
    with as_course_errors():
        parts = {name: texts_of(sentences) for name, sentences in load_wnut17().items()}
    true = [text.tags for text in parts["test"]]
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    if source is None:
        lookup = Lookup(parts["train"])
        looked_up = [lookup.tags(text.words) for text in parts["test"]]
        results |= {
            "sentences": {name: len(texts) for name, texts in parts.items()},
            "names in test": sum(len(entities_of(tags)) for tags in true),
            "of which are no names in train": new_names(parts),
            "by heart": summary(true, [{"test": looked_up, "dev": None, "epoch": None, "seconds": None}]),
        }
        small = from_folder(SAMPLE_ENCODER)
        sources = {"the small encoder": (small, epochs, 3e-4), "its fresh twin": (small.fresh(), epochs, 3e-4)}
    else:
        sources = {source.name: (from_folder(source), *PUBLISHED)}
    for name, (encoder, its_epochs, learning_rate) in sources.items():
        runs = []
        for seed in SEEDS[:seeds]:
            runs.append(train(encoder, parts, seed, its_epochs, learning_rate))
            f1 = entity_scores(true, runs[-1]["test"])["f1"]
            Console().print(f"{name}, seed {seed}: F1 {f1:.1%}, {runs[-1]['seconds']:.0f} s")
        results[name] = summary(true, runs)
    write_json(RESULTS, results)
    Console().print(f"{RESULTS}: written.")


if __name__ == "__main__":
    typer.run(main)
