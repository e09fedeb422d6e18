"""Tokens of text a second in a pretraining: rows that are packed, rows of like lengths, and rows that are padded.

BERT-mini with the corpus's own 8,000 pieces learns masked words, as `python -m course pretrain --objective mlm` does
with `--packed`, with `--buckets 24`, and with neither. All have 4,096 places in a batch. Padding is no text. Without
AG_NEWS_DIR, all read the course's sample.

What limits it: packed rows have next to no padding, but each has the full length, and the cost of attention per token
grows with the length of the row. Buckets have a little padding, and rows as short as the articles.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.articles import source
from benchmarks.training import steps_of
from benchmarks.turns import Goal, Work, goal_rows, take_turns
from course.data.corpus.epochs import Batch
from course.data.corpus.preparation import prepare, threads
from course.data.corpus.sources import open_corpus
from course.data.corpus.token_arrays import TokenArrays
from course.environment import prepare_tensorflow
from course.training.pretrainers import WORDS
from course.training.pretraining import make_pretrainer
from course.training.pretraining_data import for_fit, rows_to_learn
from course.training.pretraining_settings import Settings

LENGTH, PLACES = 128, 4096
STEPS_A_TURN, TURNS = 8, 5
GOALS: list[Goal] = [("packed", "padded", 1.8), ("bucketed", "padded", 1.8), ("packed", "bucketed", 1.0)]


def measure() -> list[dict[str, Any]]:
    """A row for each goal."""
    with tempfile.TemporaryDirectory() as folder, threads() as executor:
        prepare(open_corpus(source()), Path(folder) / "corpus", executor)
        times = take_turns("benchmarks.packing", GOALS, TURNS, {"BENCHMARK_CORPUS": str(Path(folder) / "corpus")})
    return goal_rows(times, GOALS, "tokens/s")


def packed() -> Work:
    return _learning(packed=True)


def bucketed() -> Work:
    return _learning(num_buckets=24)


def padded() -> Work:
    return _learning(num_buckets=1)


def _learning(**options: Any) -> Work:
    prepare_tensorflow()
    corpus = TokenArrays(Path(os.environ["BENCHMARK_CORPUS"]))
    settings = Settings("mini", max_length=LENGTH, batch_tokens=PLACES, objective=WORDS, **options)
    epochs = rows_to_learn(corpus, settings)
    model = make_pretrainer(corpus.vocabulary, corpus.word_probabilities(), settings, 1000)
    batches = epochs.batches()
    tokens: list[int] = []  # of each batch that was read; batches are prefetched, so more than were trained on

    def read() -> Iterator[Batch]:
        for batch in batches:
            tokens.append(int(np.count_nonzero(batch.inputs["token_ids"] != corpus.vocabulary.padding_id)))
            yield batch

    data = for_fit(read, epochs.input_names, epochs.has_labels)
    train, turns = steps_of(model, data, STEPS_A_TURN), itertools.count()

    def work() -> float:
        train()
        first = next(turns) * STEPS_A_TURN
        return sum(tokens[first : first + STEPS_A_TURN])

    return work
