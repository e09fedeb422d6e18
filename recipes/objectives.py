"""python -m recipes.objectives: masked words, masked spans and ELECTRA, from one encoder, for the same processor time.

The course's small encoder continues its pretraining on the same articles, with one objective each, for the same
processor time and from three seeds. Then a tagger of names begins with it, and learns from 500 labelled articles, as in
`recipes.entities`. The baseline is the encoder without further training. It takes a quarter of an hour on one core.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pandas as pd
import typer
from rich.console import Console

from course.applications.tagging.texts import TaggedText, sample_texts
from course.data.corpus.text_rows import SpanHiding
from course.data.datasets import load_sample
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.given.recorded_results import OBJECTIVES_FILE
from course.masked_lm import unigram_probabilities
from course.objectives import pack_documents
from course.pretraining import bert_optimizer
from course.storage.outputs import write_json
from course.storage.packed import write_packed
from course.training.encoder_source import EncoderSource, from_folder
from course.training.pretrainers import ELECTRA, SPANS, WORDS, pretrainer_of
from recipes.entities import SENTENCES, row, said, train

RESULTS = Path(__file__).with_suffix(".json")
NONE = "none"
LEARNED, SEEDS = (WORDS, SPANS, ELECTRA), (1, 2, 3)
SECONDS, LENGTH, BATCH, RATE, LEARNING_RATE, LABELLED = 30, 128, 16, 0.15, 2e-4, 500
EVERY = 20  # steps between two measurements of ELECTRA's discriminator
WATCHED = 96  # rows of other articles for these measurements

Inputs = dict[str, np.ndarray]


def packed(articles: pd.DataFrame, vocabulary: Vocabulary) -> Inputs:
    """The sentences of articles in rows without padding."""
    tokenizer = WordPieceTokenizer(vocabulary)
    documents = [
        [encoded.token_ids.tolist() for encoded in tokenizer.encode_with_offsets(list(sentences))]
        for sentences in articles["sentences"]
    ]
    special = (vocabulary.cls_id, vocabulary.sep_id, vocabulary.padding_id)
    token_ids, document_ids = pack_documents(documents, LENGTH, *special)
    return {"token_ids": token_ids, "document_ids": document_ids}


def batches(rows: Inputs, prepare: Callable[[Inputs, np.random.Generator], Inputs], seed: int) -> Iterator[Inputs]:
    """Yields batches of rows without end, in an order that depends on the seed."""
    random = np.random.default_rng(seed)
    while True:
        order = random.permutation(len(rows["token_ids"]))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            yield prepare({name: array[order[start : start + BATCH]] for name, array in rows.items()}, random)


def look(model: keras.Model, watched: Inputs) -> dict[str, float]:
    """Measures the discriminator: the share of fakes, the share of these that it finds, and its false alarms."""
    fakes, words, found, alarms = 0.0, 0.0, 0.0, 0.0
    for start in range(0, WATCHED, BATCH):
        answer = model({name: array[start : start + BATCH] for name, array in watched.items()}, training=False)
        counts = np.asarray(answer["fake_weights"]) > 0
        is_fake, accused = np.asarray(answer["fakes"])[counts], np.asarray(answer["fake_logits"])[counts] > 0
        fakes, words = fakes + is_fake.sum(), words + len(is_fake)
        found, alarms = found + (accused & is_fake).sum(), alarms + (accused & ~is_fake).sum()
    shares = {"fakes": fakes / words, "fakes_found": found / fakes, "false_alarms": alarms / (words - fakes)}
    return {name: float(share) for name, share in shares.items()}


def go_on(
    source: EncoderSource, objective: str, rows: Inputs, watched: Inputs, seed: int
) -> tuple[EncoderSource, int, list[dict[str, float]]]:
    """Trains the encoder for some seconds. Returns it, the number of steps, and the discriminator's measurements."""
    keras.utils.set_random_seed(seed)
    vocabulary, encoder = source.vocabulary, source.make("float32")
    probabilities = unigram_probabilities(rows["token_ids"], len(vocabulary), vocabulary.special_ids)
    model = pretrainer_of(objective, encoder, vocabulary, probabilities, RATE, seed)
    model.compile(bert_optimizer(model, LEARNING_RATE), jit_compile=False)
    hide = SpanHiding(vocabulary, probabilities, RATE) if objective == SPANS else lambda inputs, _: inputs
    history, spent, steps = [], 0.0, 0
    for batch in batches(rows, hide, seed):
        if objective == ELECTRA and steps % EVERY == 0:
            history.append({"seed": seed, "step": steps, **look(model, watched)})
        if spent > SECONDS:
            break
        began = time.process_time()
        model.train_on_batch(batch)
        spent += time.process_time() - began if steps else 0  # the first step is compiled
        steps += 1
    learned = replace(source, said=f"{source.said}, then {objective}", weights=encoder.get_weights())
    return learned, steps, history


def measured(source: EncoderSource, shown: list[TaggedText], tests: list[TaggedText], seed: int) -> dict[str, float]:
    """The F1 of a tagger that began with this encoder."""
    tagger, _ = train(source, shown, seed)
    results = row("", len(shown), seed, tests, *said(tagger, tests))
    return {"f1": results["viterbi_f1"], "low": results["low"], "high": results["high"]}


def main() -> None:
    """Trains and tests all encoders, and writes the results."""
    warnings.filterwarnings("ignore", message="Gradients do not exist")  # no objective uses the pooler
    source = from_folder(SAMPLE_ENCODER)
    articles, tokenizer = load_sample(), WordPieceTokenizer(source.vocabulary)
    rows, watched = packed(articles[:4000], source.vocabulary), packed(articles[4000:4500], source.vocabulary)
    watched = {name: array[:WATCHED] for name, array in watched.items()}
    shown = sample_texts(articles[:LABELLED], tokenizer, SENTENCES)
    tests = sample_texts(articles[-500:], tokenizer, SENTENCES)
    runs, discriminator = [], []
    for objective in (NONE, *LEARNED):
        for seed in SEEDS:
            learned, steps = source, 0
            if objective != NONE:
                learned, steps, history = go_on(source, objective, rows, watched, seed)
                discriminator += history
            runs.append({"objective": objective, "seed": seed, "steps": steps, **measured(learned, shown, tests, seed)})
            Console().print(f"{objective}, seed {seed}: {steps} steps, F1 {runs[-1]['f1']:.1%}")
    keep(runs, discriminator)


def keep(runs: list[dict[str, Any]], discriminator: list[dict[str, float]]) -> None:
    """Writes the runs for the lesson, and their summary."""
    write_packed(OBJECTIVES_FILE, {"runs": runs, "discriminator": discriminator})
    table = (
        pd.DataFrame(runs)
        .groupby("objective", sort=False)
        .agg(steps=("steps", "mean"), mean=("f1", "mean"), min=("f1", "min"), max=("f1", "max"))
    )
    settings = {"seconds": SECONDS, "labelled": LABELLED, "batch": BATCH, "length": LENGTH, "rate": RATE}
    last = pd.DataFrame(discriminator).groupby("seed").last() if discriminator else pd.DataFrame()
    write_json(
        RESULTS,
        {
            "settings": {**settings, "learning_rate": LEARNING_RATE},
            "f1": table.reset_index().to_dict("records"),
            "discriminator": last.reset_index().to_dict("records"),
        },
    )
    Console().print(table.round(3).to_string())


if __name__ == "__main__":
    typer.run(main)
