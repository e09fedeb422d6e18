"""Small decoder layers with random parameters, and tables of next words. All sizes differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.random_arrays import Parameters, Random, dense, normal
from grading.judging.proxies import Proxy

HIDDEN_DIM, NUM_HEADS, INTERMEDIATE_DIM, CONTEXT_DIM = 12, 3, 20, 10
LENGTH, CONTEXT_LENGTH = 5, 7
UNITS, QUERY_DIM, KEY_DIM, VALUE_DIM = 9, 6, 8, 10
START, END, WORDS, LONGEST = 1, 2, 5, 4
LONG = 131  # words: more than a fixed table of 128 holds


# AdditiveAttention -----------------------------------------------------------------------------------------


def built_additive(implementation: Proxy, dtype: str) -> Proxy:
    made = implementation(UNITS, dtype=dtype)
    made.build(np.zeros((2, LENGTH, QUERY_DIM), "float32"), np.zeros((2, CONTEXT_LENGTH, KEY_DIM), "float32"))
    return made


def loaded_additive(implementation: Proxy, random: Random, dtype: str = "float32") -> Proxy:
    """Return a layer with random parameters, built once per dtype and shared by the checks."""
    made = implementation.once(built_additive, dtype=dtype)
    rows = {"query": (QUERY_DIM, UNITS), "key": (KEY_DIM, UNITS), "score": (UNITS, 1)}
    made.load({f"{name}/kernel": 0.6 * normal(random, *shape) for name, shape in rows.items()})
    return made


def with_large_scores(implementation: Proxy, large: float = 110, of_key: float = 1.5) -> Proxy:
    """Return the same layer with scores of large · a + of_key · b; a query begins with a, a key with b, each 1 or -1.

    Sums in any order are exact. A float32 near 110 is rounded by up to 4e-6, so those of random numbers would differ.
    """
    made = implementation.once(built_additive, dtype="float32")
    query, key = np.zeros((QUERY_DIM, UNITS), "float32"), np.zeros((KEY_DIM, UNITS), "float32")
    score = np.zeros((UNITS, 1), "float32")
    query[0, 0] = key[0, 1] = 20  # tanh(20) is 1
    score[:2, 0] = large, of_key
    made.load({"query/kernel": query, "key/kernel": key, "score/kernel": score})
    return made


# DecoderBlock ----------------------------------------------------------------------------------------------


def block_parameters(random: Random, has_context: bool) -> Parameters:
    parameters: Parameters = {}
    widths = {"self_attention": HIDDEN_DIM} | ({"cross_attention": CONTEXT_DIM} if has_context else {})
    for attention, width in widths.items():
        for name in ("query", "key", "value", "output"):
            rows = width if name in ("key", "value") else HIDDEN_DIM
            parameters |= dense(random, f"{attention}/{name}", rows, HIDDEN_DIM)
    parameters |= dense(random, "feed_forward/intermediate", HIDDEN_DIM, INTERMEDIATE_DIM)
    parameters |= dense(random, "feed_forward/output", INTERMEDIATE_DIM, HIDDEN_DIM)
    for part in (*widths, "feed_forward"):
        parameters[f"{part}_norm/gamma"] = 1 + 0.5 * normal(random, HIDDEN_DIM)
        parameters[f"{part}_norm/beta"] = normal(random, HIDDEN_DIM)
    return parameters


def built_block(implementation: Proxy, has_context: bool, **options: Any) -> Proxy:
    made = implementation(HIDDEN_DIM, NUM_HEADS, INTERMEDIATE_DIM, **{"dropout": 0.0, **options})
    contexts = [np.zeros((2, CONTEXT_LENGTH, CONTEXT_DIM), "float32")] if has_context else []
    made.build(np.zeros((2, LENGTH, HIDDEN_DIM), "float32"), *contexts)
    return made


def loaded_block(implementation: Proxy, random: Random, *, has_context: bool = True, **options: Any) -> Proxy:
    """Return a block with random parameters."""
    made = implementation.once(built_block, has_context=has_context, **options)
    made.load(block_parameters(random, has_context))
    return made


def written_and_read(random: Random) -> tuple[np.ndarray, np.ndarray]:
    return normal(random, 2, LENGTH, HIDDEN_DIM), normal(random, 2, CONTEXT_LENGTH, CONTEXT_DIM)


# CachedAttention -------------------------------------------------------------------------------------------


def built_cached(implementation: Proxy, dtype: str) -> Proxy:
    made = implementation(HIDDEN_DIM, NUM_HEADS, dropout=0.5, dtype=dtype)
    made.build(np.zeros((2, LENGTH, HIDDEN_DIM), "float32"))
    return made


def loaded_cached(implementation: Proxy, random: Random, dtype: str = "float32") -> Proxy:
    made = implementation.once(built_cached, dtype=dtype)
    parameters: Parameters = {}
    for name in ("query", "key", "value", "output"):
        parameters |= dense(random, name, HIDDEN_DIM, HIDDEN_DIM)
    made.load(parameters)
    return made


def cache_of(value: float, room: int, batch: int = 2) -> np.ndarray:
    return np.full((batch, 2, NUM_HEADS, room, HIDDEN_DIM // NUM_HEADS), value, "float32")


# greedy and beam_search ------------------------------------------------------------------------------------


def table(
    implementation: Proxy, random: Random, *, end: float = 0.0, spread: float = 2.0, until: int | None = None
) -> Proxy:
    """Return a table in which the next word depends on the whole text.

    Args:
        end: makes the end likelier or rarer.
        spread: of the logits. The smaller it is, the more often another search than the right one finds another text.
        until: as in `Table`.
    """
    logits = spread * random.standard_normal((97, WORDS))
    logits[:, END] += end
    log_probabilities = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return implementation.make("course.applications.translation.tables.Table", log_probabilities, until=until)


def chain(
    implementation: Proxy,
    *following: dict[int, dict[int, float]],
    others: float = 1e-9,
    until: int | None = None,
) -> Proxy:
    """Return a table in which the next word depends only on the last one, for all texts or for each its own.

    Args:
        following: the probabilities of the words that follow each word.
        others: the probability of all other words.
        until: as in `Table`.
    """
    probabilities = np.full((len(following), WORDS, WORDS), others)
    for of_text, words in zip(probabilities, following, strict=True):
        for word, after in words.items():
            of_text[word, list(after)] = list(after.values())
    with np.errstate(divide="ignore"):
        log = np.log(probabilities if len(following) > 1 else probabilities[0])
    return implementation.make("course.applications.translation.tables.Table", log, only_last=True, until=until)
