"""python -m recipes.languages: one encoder for two languages, of which one is 1% of the text.

The large language is the English of chapter 10's toy pair, the small one is the language that it is translated into. A
small encoder learns masked words of both, for the same number of steps, with α = 1, 0.7, 0.3 and 0, from three seeds
each. It is tested on unseen sentences: by the loss of masked words in each language, and by its guesses for the last
word in the small language, which is always a verb there and never in English. It takes three minutes on one core.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pandas as pd
import typer
from rich.console import Console

from course.applications.translation.toy_language import SOURCE_WORDS, TARGET_WORDS, VERBS, Sentence, sentences
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.given.languages import language_batches
from course.given.recorded_results import LANGUAGES_FILE
from course.masked_lm import unigram_probabilities
from course.objectives import language_probabilities
from course.pretraining import bert_optimizer
from course.storage.outputs import write_json
from course.storage.packed import write_packed
from course.tokenization import SPECIAL_TOKENS
from course.training.objective_models import MaskedWordPretrainer
from course.training.pretrainers import WORDS, pretrainer_of

RESULTS = Path(__file__).with_suffix(".json")
NAMES = ("large", "small")
COUNTS = (19_800, 200)  # sentences
ALPHAS, SEEDS = (1.0, 0.7, 0.3, 0.0), (1, 2, 3)
STEPS, BATCH, LENGTH, RATE, LEARNING_RATE = 600, 32, 16, 0.15, 2e-3
TESTS = 500  # unseen sentences of each language
LONGEST = LENGTH - 2  # words, beside [CLS] and [SEP]

VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *SOURCE_WORDS, *TARGET_WORDS])


def rows_of(texts: list[list[str]]) -> np.ndarray:
    """The ids of sentences between [CLS] and [SEP], padded: (texts, LENGTH)."""
    rows = np.full((len(texts), LENGTH), VOCABULARY.padding_id, "int32")
    for row, words in zip(rows, texts, strict=True):
        ids = [VOCABULARY[word] for word in words]
        row[: len(ids) + 2] = [VOCABULARY.cls_id, *ids, VOCABULARY.sep_id]
    return rows


def learn(rows: list[np.ndarray], alpha: float, seed: int) -> MaskedWordPretrainer:
    """Trains an encoder of two blocks on masked words of both languages."""
    keras.utils.set_random_seed(seed)
    encoder = BertEncoder(len(VOCABULARY), 2, 4, 64, 128, max_length=LENGTH, dropout=0.0)
    probabilities = unigram_probabilities(np.concatenate(rows), len(VOCABULARY), VOCABULARY.special_ids)
    model = pretrainer_of(WORDS, encoder, VOCABULARY, probabilities, RATE, seed)
    assert isinstance(model, MaskedWordPretrainer)
    model.compile(bert_optimizer(model, LEARNING_RATE), jit_compile=False)
    batches = language_batches(rows, language_probabilities(COUNTS, alpha), BATCH, seed)
    for _ in range(STEPS):
        batch, _ = next(batches)
        model.train_on_batch({"token_ids": batch})
    return model


def loss(model: MaskedWordPretrainer, rows: np.ndarray) -> float:
    """The loss of masked words in unseen rows; the same words are masked for all models."""
    model.reset_metrics()
    model.compute_loss(y_pred=model({"token_ids": rows}, training=False), training=False)
    return float(model.mean_word_loss.result())


def verbs_last(model: MaskedWordPretrainer, tests: list[Sentence]) -> float:
    """The share of guesses for the last word of the small language's sentences that are verbs of that language.

    A sentence of the small language always ends with a verb, an English one never does.
    """
    rows, places = rows_of([sentence.target for sentence in tests]), np.array([len(s.target) for s in tests])
    rows[np.arange(len(rows)), places] = VOCABULARY.mask_id
    outputs = model.encoder(rows, padding_mask=rows != VOCABULARY.padding_id)
    embeddings = model.encoder.embedding.token_embeddings
    logits = model.masked_lm_head(outputs["sequence_output"], embeddings, places[:, None].astype("int32"))
    guesses = np.argmax(keras.ops.convert_to_numpy(logits)[:, 0], axis=-1)
    return float(np.isin(guesses, [VOCABULARY[word] for word in VERBS.values()]).mean())


def main() -> None:
    """Trains and tests an encoder for each α and seed, and writes the results."""
    tests = sentences(TESTS, seed=0, longest=LONGEST)
    new = {tuple(sentence.source) for sentence in tests}
    runs = []
    for seed in SEEDS:
        drawn = [s for s in sentences(sum(COUNTS) + 1000, seed, longest=LONGEST) if tuple(s.source) not in new]
        large, small = drawn[: COUNTS[0]], drawn[COUNTS[0] : sum(COUNTS)]
        rows = [rows_of([s.source for s in large]), rows_of([s.target for s in small])]
        for alpha in ALPHAS:
            model = learn(rows, alpha, seed)
            run = {"alpha": alpha, "seed": seed, "verbs_last": verbs_last(model, tests)}
            run |= {
                name: loss(model, rows_of(texts))
                for name, texts in zip(NAMES, ([s.source for s in tests], [s.target for s in tests]), strict=True)
            }
            runs.append(run)
            Console().print(run)
    keep(runs)


def keep(runs: list[dict[str, Any]]) -> None:
    """Writes the runs for the lesson, and their summary."""
    write_packed(LANGUAGES_FILE, runs)
    table = pd.DataFrame(runs).groupby("alpha")[[*NAMES, "verbs_last"]].agg(["mean", "min", "max"])
    table.columns = [f"{name} {statistic}" for name, statistic in table.columns]
    settings = {"sentences": COUNTS, "steps": STEPS, "batch": BATCH, "learning_rate": LEARNING_RATE, "rate": RATE}
    write_json(RESULTS, {"settings": settings, "runs": table.reset_index().to_dict("records")})
    Console().print(table.round(3).to_string())


if __name__ == "__main__":
    typer.run(main)
