"""Small layers of the encoder, and the random parameters that checks give them. All sizes differ.

A layer is built once for all checks of an exercise that use the same options. Each check gives it
parameters of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.random_arrays import Parameters, Random, dense, normal
from grading.judging.proxies import Proxy

HIDDEN_DIM, NUM_HEADS, INTERMEDIATE_DIM = 12, 3, 20
VOCABULARY_SIZE, NUM_LAYERS, MAX_LENGTH = 23, 2, 133
BATCH, LENGTH = 5, 7
LONG = 131  # more than 128 tokens, so that a table or constant of a fixed size shows


def scale_and_shift(random: Random, width: int) -> tuple[np.ndarray, np.ndarray]:
    return 1 + 0.5 * normal(random, width), normal(random, width)


def norm(random: Random, name: str) -> Parameters:
    gamma, beta = scale_and_shift(random, HIDDEN_DIM)
    return {f"{name}/gamma": gamma, f"{name}/beta": beta}


_PROJECTIONS = ("query", "key", "value", "output", "intermediate")


def shapes_by_attribute(parameters: Parameters) -> dict[str, tuple[int, ...]]:
    """The shape of each parameter, by the path of attributes that the docstrings give it."""

    def attribute(part: str) -> str:
        return f"{part}_dense" if part in _PROJECTIONS else part.replace("block_", "blocks.")

    return {".".join(map(attribute, name.split("/"))): array.shape for name, array in parameters.items()}


# FeedForward -----------------------------------------------------------------------------------------------


def feed_forward_parameters(random: Random, prefix: str = "") -> Parameters:
    return {
        **dense(random, f"{prefix}intermediate", HIDDEN_DIM, INTERMEDIATE_DIM),
        **dense(random, f"{prefix}output", INTERMEDIATE_DIM, HIDDEN_DIM),
    }


def built_feed_forward(implementation: Proxy, **options: Any) -> Proxy:
    made = implementation(HIDDEN_DIM, INTERMEDIATE_DIM, **options)
    made.build(np.zeros((2, 5, HIDDEN_DIM), "float32"))
    return made


def loaded_feed_forward(implementation: Proxy, random: Random, **options: Any) -> Proxy:
    made = implementation.once(built_feed_forward, **options)
    made.load(feed_forward_parameters(random))
    return made


# EncoderBlock ----------------------------------------------------------------------------------------------


def block_parameters(random: Random, prefix: str = "") -> Parameters:
    parameters: Parameters = {}
    for name in ("query", "key", "value", "output"):
        parameters |= dense(random, f"{prefix}attention/{name}", HIDDEN_DIM, HIDDEN_DIM)
    parameters |= feed_forward_parameters(random, f"{prefix}feed_forward/")
    return parameters | norm(random, f"{prefix}attention_norm") | norm(random, f"{prefix}feed_forward_norm")


def built_block(implementation: Proxy, **options: Any) -> Proxy:
    made = implementation(HIDDEN_DIM, NUM_HEADS, INTERMEDIATE_DIM, **{"dropout": 0.0, **options})
    made.build(np.zeros((2, 5, HIDDEN_DIM), "float32"))
    return made


def loaded_block(implementation: Proxy, random: Random, *, silent: tuple[str, ...] = (), **options: Any) -> Proxy:
    """A block with random weights. The silent parts return 0."""
    made = implementation.once(built_block, **options)
    parameters = block_parameters(random)
    for part in silent:
        for kind in ("kernel", "bias"):
            parameters[f"{part}/output/{kind}"] *= 0
    made.load(parameters)
    return made


# BertEncoder -----------------------------------------------------------------------------------------------


def encoder_parameters(random: Random, num_layers: int, num_segments: int) -> Parameters:
    rows = {"token": VOCABULARY_SIZE, "position": MAX_LENGTH, "segment": num_segments}
    parameters = {
        f"embedding/{name}_embedding/embeddings": normal(random, number, HIDDEN_DIM) for name, number in rows.items()
    }
    parameters |= norm(random, "embedding/norm")
    for index in range(num_layers):
        parameters |= block_parameters(random, f"block_{index}/")
    return parameters | dense(random, "pooler", HIDDEN_DIM, HIDDEN_DIM)


def built_encoder(implementation: Proxy, num_layers: int, **options: Any) -> Proxy:
    sizes = (VOCABULARY_SIZE, num_layers, NUM_HEADS, HIDDEN_DIM, INTERMEDIATE_DIM)
    made = implementation(*sizes, max_length=MAX_LENGTH, **{"dropout": 0.0, **options})
    made.build(np.ones((BATCH, LENGTH), "int32"))
    return made


def loaded_encoder(
    implementation: Proxy,
    random: Random,
    *,
    num_layers: int = NUM_LAYERS,
    num_segments: int = 2,
    silent_embedding: bool = False,
    **options: Any,
) -> Proxy:
    """An encoder with random weights. A silent embedding returns 0 for every token."""
    made = implementation.once(built_encoder, num_layers=num_layers, num_segments=num_segments, **options)
    parameters = encoder_parameters(random, num_layers, num_segments)
    if silent_embedding:
        for kind in ("gamma", "beta"):
            parameters[f"embedding/norm/{kind}"] *= 0
    made.load(parameters)
    return made


def tokens(random: Random, length: int = LENGTH) -> np.ndarray:
    """Ids without padding, whether the padding id is 0 or 3."""
    return random.randint(4, VOCABULARY_SIZE, (BATCH, length)).astype("int32")


def padded(random: Random, padding_id: int) -> np.ndarray:
    """The same texts, two of them with padding, and with words whose ids are below the padding id."""
    token_ids = tokens(random)
    token_ids[1, 5:] = token_ids[3, 2:] = padding_id
    if padding_id:
        token_ids[:2, 1], token_ids[4, 3:5] = padding_id - 1, padding_id - 2
    return token_ids
