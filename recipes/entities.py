"""python -m recipes.entities: how much pretraining gains with few labelled articles, and with many.

Taggers learn from the first three sentences of 50, 500 and 2,000 articles of the sample, from three seeds each: one
begins as the course's small encoder, its twin with fresh weights. The baseline looks up memorised names. All are tested
on the first three sentences of the last 500 articles. It takes ten minutes on one core.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import keras
import pandas as pd
import typer
from rich.console import Console

from course.applications.tagging.counts import f1_of_counts, name_counts
from course.applications.tagging.lookup import Lookup
from course.applications.tagging.recorded_results import ENTITIES_FILE
from course.applications.tagging.tagger import Tagger
from course.applications.tagging.texts import SAMPLE_KINDS, TaggedText, sample_texts, tag_names
from course.applications.tagging.training import train_tagger
from course.data.datasets import load_sample
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.wordpiece import WordPieceTokenizer
from course.entities import TokenClassifier, bio_transitions, entity_scores, viterbi
from course.evaluation.bootstrap import bootstrap_interval
from course.storage.outputs import write_json
from course.storage.packed import write_packed
from course.training.encoder_source import EncoderSource, from_folder

RESULTS = Path(__file__).with_suffix(".json")
SENTENCES, SEEDS = 3, (1, 2, 3)
# With few articles, more epochs and smaller batches; the same for the twins.
SETTINGS: dict[int, dict[str, Any]] = {
    50: {"epochs": 12, "batch_size": 8},
    500: {"epochs": 4, "batch_size": 16},
    2000: {"epochs": 2, "batch_size": 16},
}
PRETRAINED, FRESH, BY_HEART = "pretrained", "fresh", "by heart"


def train(source: EncoderSource, shown: list[TaggedText], seed: int) -> tuple[Tagger, float]:
    """Trains a tagger on texts. Returns it, and the processor seconds that this took."""
    keras.utils.set_random_seed(seed)
    tags = tag_names(SAMPLE_KINDS)
    tagger = Tagger(TokenClassifier(source.make("float32"), len(tags)), source.vocabulary, tags)
    rows = tagger.rows([text.text for text in shown], [text.offsets for text in shown])
    began = time.process_time()
    settings = SETTINGS[len(shown)]
    train_tagger(tagger.model, rows.inputs, rows.labels(shown, tagger.tag_ids), seed=seed, **settings)
    return tagger, time.process_time() - began


def said(tagger: Tagger, tests: list[TaggedText]) -> tuple[list[list[str]], list[list[str]]]:
    """The likeliest tag of each word, and the likeliest sequence of tags that is allowed, for each text."""
    transitions = bio_transitions(tagger.tags)
    scores = tagger.word_scores([text.text for text in tests], [text.offsets for text in tests])
    likeliest = [[tagger.tags[number] for number in text_scores.argmax(axis=-1)] for text_scores in scores]
    return likeliest, [[tagger.tags[number] for number in viterbi(text_scores, *transitions)] for text_scores in scores]


def row(
    model: str, articles: int, seed: int, tests: list[TaggedText], likeliest: list[list[str]], best: list[list[str]]
) -> dict[str, Any]:
    """The results of one run, as `load_entity_runs` returns them."""
    true = [text.tags for text in tests]
    interval = bootstrap_interval(f1_of_counts, name_counts(true, best))
    return {
        "model": model,
        "articles": articles,
        "seed": seed,
        "f1": entity_scores(true, likeliest)["f1"],
        "strict_f1": entity_scores(true, likeliest, strict=True)["f1"],
        "viterbi_f1": interval.value,
        "low": interval.low,
        "high": interval.high,
    }


def main() -> None:
    """Trains and tests all taggers, and writes the results."""
    source = from_folder(SAMPLE_ENCODER)
    articles, tokenizer = load_sample(), WordPieceTokenizer(source.vocabulary)
    tests = sample_texts(articles[-500:], tokenizer, SENTENCES)
    rows, seconds = [], {}
    for count in SETTINGS:
        shown = sample_texts(articles[:count], tokenizer, SENTENCES)
        lookup = Lookup(shown)
        known = [lookup.tags(text.words) for text in tests]
        rows.append(row(BY_HEART, count, 0, tests, known, known))
        for model, encoder in ((PRETRAINED, source), (FRESH, source.fresh())):
            for seed in SEEDS:
                tagger, took = train(encoder, shown, seed)
                rows.append(row(model, count, seed, tests, *said(tagger, tests)))
                seconds[f"{model}, {count} articles, seed {seed}"] = round(took, 1)
                Console().print(
                    f"{model}, {count} articles, seed {seed}: F1 {rows[-1]['viterbi_f1']:.1%}, {took:.0f} s"
                )
    keep(rows, seconds)


def keep(rows: list[dict[str, Any]], seconds: dict[str, float]) -> None:
    """Writes the runs for the lesson, and their summary."""
    write_packed(ENTITIES_FILE, rows)
    runs = pd.DataFrame(rows).groupby(["articles", "model"], sort=False)["viterbi_f1"]
    table = runs.agg(["mean", "min", "max"]).reset_index()
    results = {
        "settings": {str(count): settings for count, settings in SETTINGS.items()},
        "f1": table.to_dict("records"),
        "seconds": seconds,
    }
    write_json(RESULTS, results)
    Console().print(table.round(3).to_string(index=False))


if __name__ == "__main__":
    typer.run(main)
