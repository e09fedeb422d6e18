"""A small pretrainer, and its parameters: random ones, and ones with which its output shows what it sees."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.proxies import Proxy

Random = np.random.RandomState
Parameters = dict[str, np.ndarray]

INTERMEDIATE_DIM, NUM_HEADS, NUM_SEGMENTS, MAX_LENGTH = 11, 2, 3, 18
VOCABULARY_SIZE = 26
# The ids of special tokens differ from the published ones, so that hard-coded ids fail.
PADDING_ID, MASK_ID, CLS_ID, SEP_ID = SPECIAL_IDS = 0, 6, 8, 13
WORDS = np.setdiff1d(np.arange(VOCABULARY_SIZE), SPECIAL_IDS)
WORDS_TO_DRAW = WORDS[::2]


def built(implementation: Proxy, hidden_dim: int, **options: Any) -> Proxy:
    """A pretrainer of one block, without dropout; one word in two has the same probability, and the others 0."""
    encoder = implementation.make(
        "course.encoder.BertEncoder",
        VOCABULARY_SIZE,
        1,
        NUM_HEADS,
        hidden_dim,
        INTERMEDIATE_DIM,
        max_length=MAX_LENGTH,
        num_segments=NUM_SEGMENTS,
        dropout=0.0,
        name="encoder",
    )
    probabilities = np.isin(np.arange(VOCABULARY_SIZE), WORDS_TO_DRAW) / len(WORDS_TO_DRAW)
    return implementation(
        encoder, implementation.make("numpy.array", probabilities), MASK_ID, list(SPECIAL_IDS), **options
    )


def made(implementation: Proxy) -> Proxy:
    """The pretrainer that checks share, with its metrics reset."""
    ready = implementation.once(built, hidden_dim=10)
    ready.method("reset_metrics")()
    return ready


def loaded(implementation: Proxy, random: Random) -> Proxy:
    """A pretrainer with random parameters."""
    ready = made(implementation)
    ready.load(_random(random, 10))
    return ready


def wordless(implementation: Proxy, random: Random) -> Proxy:
    """A pretrainer with equal embeddings for all tokens, so that masks do not change its prediction for a pair."""
    parameters = _random(random, 10)
    table = parameters["encoder/embedding/token_embedding/embeddings"]
    table[:] = table[0]
    ready = made(implementation)
    ready.load(parameters)
    return ready


def copying(implementation: Proxy, **options: Any) -> Proxy:
    """A pretrainer that predicts at each position the token that it was shown there.

    A token's embedding is a one-hot vector. The feed-forward network adds nothing, and the head's transform changes
    nothing, so that the dot product is largest with the token's own embedding. Attention adds a little of [MASK], in
    proportion to its share of the text, from which the pooler and the other head compute the logits of the pair.
    """
    parameters = {name: np.zeros(shape, "float32") for name, shape in _shapes(VOCABULARY_SIZE).items()}
    for name, value in parameters.items():
        if name.endswith("gamma"):
            value[:] = 1.0
    for name in ("encoder/embedding/token_embedding/embeddings", "masked_lm_head/dense/kernel"):
        parameters[name] = np.eye(VOCABULARY_SIZE, dtype="float32")
    attention = "encoder/block_0/attention"
    for name in (f"{attention}/value", f"{attention}/output", "encoder/pooler"):
        parameters[f"{name}/kernel"][MASK_ID, MASK_ID] = 0.4
    parameters["next_sentence_head/dense/kernel"][MASK_ID, 0] = 1.0
    ready = implementation.once(built, hidden_dim=VOCABULARY_SIZE, **options)
    ready.load(parameters)
    return ready


def tokens(random: Random) -> np.ndarray:
    """Three texts of seven words, without padding."""
    return random.choice(WORDS, (3, 7)).astype("int32")


def _random(random: Random, hidden_dim: int) -> Parameters:
    shapes = _shapes(hidden_dim)
    values = {name: (0.5 * random.standard_normal(shape)).astype("float32") for name, shape in shapes.items()}
    return {name: 1 + value if name.endswith("gamma") else value for name, value in values.items()}


def _shapes(width: int) -> dict[str, tuple[int, ...]]:
    """The shape of every parameter, by the library's names."""
    rows = {"token": VOCABULARY_SIZE, "position": MAX_LENGTH, "segment": NUM_SEGMENTS}
    shapes: dict[str, tuple[int, ...]] = {
        f"encoder/embedding/{name}_embedding/embeddings": (number, width) for name, number in rows.items()
    }
    block = "encoder/block_0"
    sizes = {f"{block}/attention/{name}": (width, width) for name in ("query", "key", "value", "output")}
    sizes |= {
        f"{block}/feed_forward/intermediate": (width, INTERMEDIATE_DIM),
        f"{block}/feed_forward/output": (INTERMEDIATE_DIM, width),
        "encoder/pooler": (width, width),
        "masked_lm_head/dense": (width, width),
        "next_sentence_head/dense": (width, 2),
    }
    for owner, size in sizes.items():
        shapes |= {f"{owner}/kernel": size, f"{owner}/bias": size[1:]}
    norms = ("encoder/embedding/norm", f"{block}/attention_norm", f"{block}/feed_forward_norm", "masked_lm_head/norm")
    for owner in norms:
        shapes |= {f"{owner}/gamma": (width,), f"{owner}/beta": (width,)}
    return shapes | {"masked_lm_head/bias": (VOCABULARY_SIZE,)}
