"""python -m recipes.denoising: the translator of chapter 10 restores noisy sentences, for each kind of noise.

The sentences are in the toy language, in which articles and adjectives agree with nouns, and the verb comes last. The
nouns are drawn at random, so a hidden noun cannot be guessed. The recipe therefore counts the sentences that are right
word for word, and those with words of the right kinds in the right order. It takes eight minutes on one core.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pandas as pd
import typer
from rich.console import Console

from course.applications.translation.scores import exact_match
from course.applications.translation.toy_language import (
    ADJECTIVES,
    ARTICLES,
    NOUNS,
    PREPOSITIONS,
    TARGET_WORDS,
    VERBS,
    sentences,
)
from course.applications.translation.training import train
from course.applications.translation.translators import Translator
from course.applications.translation.words import END_ID, PADDING_ID, START_ID, Words
from course.decoder import greedy, teacher_forcing
from course.given.recorded_results import DENOISING_FILE
from course.masked_lm import unigram_probabilities
from course.objectives import corrupt
from course.storage.outputs import write_json
from course.storage.packed import write_packed

RESULTS = Path(__file__).with_suffix(".json")
KINDS, SEEDS, RATE = ("mask", "substitute", "delete", "insert", "reorder", "infill"), (1, 2, 3), 0.3
SENTENCES, TESTS, STEPS = 20_000, 500, 500
LONGEST, MOST_WRITTEN = 14, 24  # words
MASK = "[MASK]"
WORDS = Words([MASK, *TARGET_WORDS])
SPECIAL_IDS = (PADDING_ID, START_ID, END_ID)

# The kind of each word; the gender is part of the kind, because words must agree.
KIND_OF = (
    {stem + gender: f"article -{gender}" for stem in ARTICLES.values() for gender in "oa"}
    | {word: f"noun -{word[-1]}" for word in NOUNS.values()}
    | {stem + gender: f"adjective -{gender}" for stem in ADJECTIVES.values() for gender in "oa"}
    | dict.fromkeys(VERBS.values(), "verb")
    | dict.fromkeys(PREPOSITIONS.values(), "preposition")
)

Texts = list[list[str]]


def spoiled(texts: Texts, kind: str, random: np.random.Generator) -> np.ndarray:
    """The ids of texts after noise, (texts, longest), each with an end token so that none is empty."""
    ids = [row[row != PADDING_ID].tolist() for row in WORDS.ids(texts)]
    probabilities = unigram_probabilities(WORDS.ids(texts), len(WORDS), SPECIAL_IDS)
    options: dict[str, Any] = {
        "probabilities": probabilities,
        "mask_id": WORDS.words.index(MASK),
        "special_ids": SPECIAL_IDS,
    }
    noisy = [[*corrupt(row, kind, RATE, random, **options), END_ID] for row in ids]
    rows = np.full((len(noisy), max(map(len, noisy))), PADDING_ID, "int32")
    for row, text_ids in zip(rows, noisy, strict=True):
        row[: len(text_ids)] = text_ids
    return rows


def kinds_of(texts: Texts) -> list[list[str]]:
    """The kind of each word."""
    return [[KIND_OF.get(word, word) for word in text] for text in texts]


def measure(kind: str, seed: int, tests: Texts) -> dict[str, Any]:
    """Trains a translator to undo one kind of noise, and tests it on unseen sentences."""
    unseen = set(map(tuple, tests))
    drawn = (sentence.target for sentence in sentences(SENTENCES + 1000, seed, longest=LONGEST))
    whole = [text for text in drawn if tuple(text) not in unseen][:SENTENCES]
    keras.utils.set_random_seed(seed)
    model = Translator(len(WORDS), len(WORDS))
    taught = map(np.array, teacher_forcing(WORDS.ids(whole), START_ID, END_ID))
    train(model, spoiled(whole, kind, np.random.default_rng(seed)), *taught, steps=STEPS, seed=seed)
    noisy = spoiled(tests, kind, np.random.default_rng(0))  # the same for all seeds
    written = WORDS.texts(greedy(model.step(noisy), np.full(len(noisy), START_ID), END_ID, MOST_WRITTEN))
    return {
        "kind": kind,
        "seed": seed,
        "untouched": float(exact_match(WORDS.texts(noisy), tests).mean()),
        "grammar": float(exact_match(kinds_of(written), kinds_of(tests)).mean()),
        "exact": float(exact_match(written, tests).mean()),
    }


def main() -> None:
    """Trains and tests a translator for each kind and seed, and writes the results."""
    tests = [sentence.target for sentence in sentences(TESTS, seed=0, longest=LONGEST)]
    runs = []
    for kind in KINDS:
        for seed in SEEDS:
            runs.append(measure(kind, seed, tests))
            Console().print(runs[-1])
    keep(runs)


def keep(runs: list[dict[str, Any]]) -> None:
    """Writes the runs for the lesson, and their summary."""
    write_packed(DENOISING_FILE, runs)
    table = (
        pd.DataFrame(runs).groupby("kind", sort=False)[["untouched", "grammar", "exact"]].agg(["mean", "min", "max"])
    )
    table.columns = [f"{name} {statistic}" for name, statistic in table.columns]
    settings = {"sentences": SENTENCES, "tests": TESTS, "steps": STEPS, "rate": RATE}
    write_json(RESULTS, {"settings": settings, "runs": table.reset_index().to_dict("records")})
    Console().print(table.round(3).to_string())


if __name__ == "__main__":
    typer.run(main)
