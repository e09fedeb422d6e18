"""An epoch of AG News: from the corpus to trained weights, beside keras-hub's stock pipeline.

BERT-mini with the corpus's own 8,000 pieces. Ours reads token arrays, in rows of like lengths, draws masks in the step,
and learns both tasks, as `python -m course pretrain --buckets 24` does. keras-hub's `BertMaskedLM` learns masked words
alone, in float32 and in rows of 128; its preprocessor tokenizes, masks and packs in `tf.data`. Both have as many tokens
in a batch, including padding. "Ours from memory" has all its batches ready beforehand, so the comparison with it shows
how long a step waits for its input. Without AG_NEWS_DIR, all read the course's sample.

What limits it: an article of AG News is some 58 tokens long, so that rows of 128 cost 2.2 times as much as rows of like
lengths. The rest is the step itself. To reach 3.5, it would have to be 1.6 times as fast as keras-hub's, as it is in
bfloat16 if the processor has that.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.articles import articles, source
from benchmarks.training import steps_of
from benchmarks.turns import Goal, Work, goal_rows, take_turns
from course.data.corpus.epochs import Batch, Epochs
from course.data.corpus.preparation import prepare, threads
from course.data.corpus.sources import open_corpus
from course.data.corpus.token_arrays import TokenArrays
from course.environment import prepare_tensorflow
from course.presets import PRESETS
from course.training.pretraining import make_pretrainer
from course.training.pretraining_data import for_fit
from course.training.pretraining_settings import Settings

ROWS, LENGTH, PREDICTIONS = 32, 128, 19
STEPS_A_TURN, TURNS = 8, 5
GOALS: list[Goal] = [
    ("ours", "keras_hub", 3.5),
    ("ours_bfloat16", "keras_hub", 3.5),
    ("ours", "ours_from_memory", 0.98),
]


def measure() -> list[dict[str, Any]]:
    """A row for each goal."""
    with tempfile.TemporaryDirectory() as folder, threads() as executor:
        prepare(open_corpus(source()), Path(folder) / "corpus", executor)
        times = take_turns("benchmarks.epoch", GOALS, TURNS, {"BENCHMARK_CORPUS": str(Path(folder) / "corpus")})
    return goal_rows(times, GOALS, "articles/s")


def ours() -> Work:
    return _ours("float32")


def ours_bfloat16() -> Work:
    return _ours("mixed_bfloat16")


def ours_from_memory() -> Work:
    return _ours("float32", in_memory=True)


def keras_hub() -> Work:
    import keras
    import keras_hub
    import tensorflow as tf

    vocabulary = list(_corpus().vocabulary)
    preprocessor = keras_hub.models.BertMaskedLMPreprocessor(
        keras_hub.models.BertTokenizer(vocabulary, lowercase=True),
        sequence_length=LENGTH,
        mask_selection_rate=0.15,
        mask_selection_length=PREDICTIONS,
    )
    backbone = keras_hub.models.BertBackbone(
        vocabulary_size=len(vocabulary), dropout=0.1, max_sequence_length=LENGTH, **PRESETS["mini"]
    )
    model = keras_hub.models.BertMaskedLM(backbone, preprocessor=None)
    optimizer = keras.optimizers.AdamW(1e-4, weight_decay=0.01, epsilon=1e-6, global_clipnorm=1.0)
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
    frame = articles()
    texts = (frame["title"].tolist(), frame["description"].tolist())
    data = tf.data.Dataset.from_tensor_slices(texts).shuffle(len(frame)).repeat().batch(ROWS)
    data = data.map(lambda *pair: preprocessor(pair), num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    train = steps_of(model, data, STEPS_A_TURN)

    def work() -> float:
        train()
        return STEPS_A_TURN * ROWS

    return work


def _ours(dtype: str, in_memory: bool = False) -> Work:
    prepare_tensorflow()
    corpus = _corpus()
    settings = Settings("mini", max_length=LENGTH, batch_tokens=ROWS * LENGTH, num_buckets=24, dtype=dtype)
    epochs = Epochs(corpus, LENGTH, settings.batch_tokens, settings.num_buckets, 1, seed=0)
    model = make_pretrainer(corpus.vocabulary, corpus.word_probabilities(), settings, 1000)
    batches: Iterator[Batch] = epochs.batches()
    if in_memory:
        batches = iter(list(itertools.islice(batches, (TURNS + 1) * STEPS_A_TURN)))
    rows_an_article = epochs.num_texts / corpus.description["documents"]

    rows: list[int] = []  # of each batch that was read; batches are prefetched, so more than were trained on

    def read() -> Iterator[Batch]:
        for batch in batches:
            rows.append(len(batch.inputs["token_ids"]))
            yield batch

    train, turns = steps_of(model, for_fit(read), STEPS_A_TURN), itertools.count()

    def work() -> float:
        train()
        first = next(turns) * STEPS_A_TURN
        return sum(rows[first : first + STEPS_A_TURN]) / rows_an_article

    return work


def _corpus() -> TokenArrays:
    return TokenArrays(Path(os.environ["BENCHMARK_CORPUS"]))
