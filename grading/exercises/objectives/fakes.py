"""Judge the fakes that `replaced_tokens` draws: what its results show, and what is wrong with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.comparison import describe
from grading.judging.proxies import Proxy
from grading.judging.significance import explained_by_chance
from grading.messages import Message, all_of

Random = np.random.RandomState

VOCABULARY_SIZE, CERTAIN = 23, 60.0
UNCERTAIN = 2.5 * np.cos(np.arange(7) * 2.1)  # logits of seven words
FIRST_UNCERTAIN = 12

Guesses = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def certain(random: Random, batch: int = 3, length: int = 9, predictions: int = 5) -> Guesses:
    """Return guesses that are certain of one word each; some are right, and some only fill up the row."""
    token_ids = random.randint(3, VOCABULARY_SIZE, (batch, length)).astype("int32")
    positions = np.stack([random.permutation(length)[:predictions] for _ in range(batch)]).astype("int32")
    weights = (np.arange(predictions) < np.array([[predictions], [2], [3]])).astype("float32")
    words = random.randint(3, VOCABULARY_SIZE, (batch, predictions))
    words[0, 0] = 0  # a word like any other
    words[:, 1] = np.take_along_axis(token_ids, positions, axis=1)[:, 1]  # right guesses
    logits = random.standard_normal((batch, predictions, VOCABULARY_SIZE)) + CERTAIN * np.eye(VOCABULARY_SIZE)[words]
    logits += np.resize([-900, 900], predictions)[:, None]  # their powers are 0, or infinite
    return token_ids, positions, weights, logits.astype("float32")


def told(answer: Any) -> dict[str, Any]:
    corrupted, replaced = answer
    return {Message("the corrupted texts"): corrupted, Message("where they are"): replaced}


def uncertain(rows: int) -> Guesses:
    """Return four guesses a row over seven words, of which the likeliest is the original word."""
    predictions = 4
    token_ids = np.full((rows, predictions + 2), FIRST_UNCERTAIN + int(UNCERTAIN.argmax()), "int32")
    positions = np.tile(np.arange(1, predictions + 1, dtype="int32"), (rows, 1))
    logits = np.full((rows, predictions, VOCABULARY_SIZE), -CERTAIN, "float32")
    logits[:, :, FIRST_UNCERTAIN : FIRST_UNCERTAIN + len(UNCERTAIN)] = UNCERTAIN
    return token_ids, positions, np.ones((rows, predictions), "float32"), logits


def of_many() -> Guesses:
    """Return guesses in which all words of a large vocabulary are equally likely."""
    rows, predictions, words = 40, 6, 1000
    token_ids = np.zeros((rows, predictions), "int32")
    positions = np.tile(np.arange(predictions, dtype="int32"), (rows, 1))
    ones = np.ones((rows, predictions), "float32")
    return token_ids, positions, ones, np.zeros((rows, predictions, words), "float32")


def wrong_form(answer: Any, shape: tuple[int, ...]) -> str | None:
    if not isinstance(answer, list | tuple) or len(answer) != 2:
        return Message(
            "returns {answer}; wanted two arrays, the corrupted texts and where they are", answer=describe(answer)
        )
    for array in answer:
        if not isinstance(array, np.ndarray) or array.shape != shape:
            return Message("returns {array}; wanted an array of the shape of the texts", array=describe(array))
    return None


def judge_draws(seen: dict[str, Any]) -> str | None:
    """About 40 counts, so a false alarm in at most 4 of 100 million runs."""
    token_ids, answer = seen["token_ids"], seen["answer"]
    if problem := wrong_form(answer, token_ids.shape):
        return problem
    corrupted, replaced = answer
    drawn = corrupted[:, 1:-1]
    if not np.array_equal(replaced.astype(bool), corrupted != token_ids):
        return Message("marks an unchanged token as replaced, or does not mark a changed one")
    counts = np.bincount(drawn.ravel() % VOCABULARY_SIZE, minlength=VOCABULARY_SIZE)
    if np.count_nonzero(counts) == 1:
        return Message("draws one and the same word everywhere")
    if (drawn == drawn[0]).all():
        return Message("draws the same words in every row")
    if (drawn == drawn[:, :1]).all():
        return Message("draws the same word at all places of a row")
    # Of 240 draws from 1,000 words about 213 differ, and their number deviates by less than 5.
    if len(np.unique(seen["of many"])) < 170:
        return Message("draws only a few words, although all words of a large vocabulary are equally likely")
    shares = softmax(UNCERTAIN)
    counts = counts[FIRST_UNCERTAIN : FIRST_UNCERTAIN + len(UNCERTAIN)]
    if explained_by_chance(counts, drawn.size, shares):
        return None
    for wrong, finding in (
        (softmax(2 * UNCERTAIN), Message("draws likely words too often, as with doubled logits")),
        (softmax(UNCERTAIN / 2), Message("draws unlikely words too often, as with halved logits")),
        (np.full(7, 1 / 7), Message("draws all words equally often")),
        (softmax(shares), Message("draws from the softmax of probabilities, which makes them nearly equal")),
    ):
        if explained_by_chance(counts, drawn.size, wrong):
            return finding
    return Message("draws some words too often and others too rarely")


def softmax(x: np.ndarray) -> np.ndarray:
    numbers = np.exp(x - x.max())
    return numbers / numbers.sum()


def judge_seeds(answers: dict[str, Any]) -> str | None:
    texts = {name: answer[0] if isinstance(answer, list | tuple) else answer for name, answer in answers.items()}
    if not np.array_equal(texts["integer"], texts["integer again"]):
        return Message("draws different words for the same integer seed")
    if not np.array_equal(texts["0"], texts["0 again"]):
        return Message("draws different words if the seed is 0, an integer like any other")
    same = [
        name
        for name, before, after in (
            (Message("a SeedGenerator"), "generator", "generator again"),
            (Message("None as seed"), "none", "none again"),
            (Message("another integer"), "integer", "other integer"),
        )
        if np.array_equal(texts[before], texts[after])
    ]
    return Message("draws the same words again with {name}", name=all_of(same)) if same else None


def drawn_with(implementation: Proxy, random: Random) -> dict[str, Any]:
    """Return two draws with each kind of seed."""
    guesses, number = uncertain(31), int(random.randint(1, 10**6))
    seeds = kinds_of_seeds(number, implementation.make("keras.random.SeedGenerator", number))
    return {name: implementation(*guesses, seed=seed) for name, seed in seeds.items()}


def kinds_of_seeds(number: int, generator: Proxy) -> dict[str, Any]:
    """Return an integer and another one, 0, a generator and None; each but the other integer twice."""
    return {
        "integer": number,
        "integer again": number,
        "other integer": number + 1,
        "0": 0,
        "0 again": 0,
        "generator": generator,
        "generator again": generator,
        "none": None,
        "none again": None,
    }
