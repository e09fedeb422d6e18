"""What is dropped, and when. Every text stands in its batch twice: where the two answers differ, something was dropped.

Half of 60 numbers or more is dropped: that right code drops none of them happens once in 2^60 times.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.encoder.parameters import (
    HIDDEN_DIM,
    LENGTH,
    VOCABULARY_SIZE,
    block_parameters,
    built_block,
)
from grading.exercises.random_arrays import Parameters, Random, dense, normal
from grading.judging.dropout import wrong_dropout
from grading.judging.proxies import Proxy

Answers = dict[str, np.ndarray]

PARTS = ("attention", "feed_forward")
RATE = 0.3
ZEROS = np.zeros((40, 5, HIDDEN_DIM), "float32")


def block(
    implementation: Proxy,
    random: Random,
    parts: Parameters,
    *,
    norm_first: bool,
    dropout: float = RATE,
    attention_dropout: float = 0.5,
) -> Proxy:
    """A block that drops, and does nothing beside it but what these parameters say, for each order built once.

    Its norms do next to nothing but divide by 100: they add 10,000 to the variance.
    """
    options = {"epsilon": 1e4, "dropout": dropout, "attention_dropout": attention_dropout}
    made = implementation.once(built_block, norm_first=norm_first, **options)
    parameters = block_parameters(random)
    for name in parameters:
        if name.startswith(tuple(f"{part}/output" for part in PARTS)) or name.endswith("beta"):
            parameters[name] *= 0
    for name in ("attention_norm/gamma", "feed_forward_norm/gamma"):
        parameters[name] = np.ones_like(parameters[name])
    made.load(parameters | parts)
    return made


def of_a_part(implementation: Proxy, random: Random, part: str, norm_first: bool) -> Answers:
    """What a block gives for zeros. One part gives 0 as the first feature and then ones, the other one nothing."""
    ones = (np.arange(HIDDEN_DIM) > 0).astype("float32")
    made = block(implementation, random, {f"{part}/output/bias": ones}, norm_first=norm_first)
    return {"training": made(ZEROS, training=True), "quiet": made(ZEROS[:2], training=False)}


def around_the_parts(implementation: Proxy, random: Random) -> np.ndarray:
    """What a block gives whose parts give nothing, for numbers beside which 10,000 is nothing."""
    return block(implementation, random, {}, norm_first=False)(1e5 * text_twice(random), training=True)


def of_attention(implementation: Proxy, random: Random, **rates: float) -> Answers:
    """What attention adds to a text that stands in the batch twice, where nothing else is added."""
    x, output = text_twice(random), dense(random, "attention/output", HIDDEN_DIM, HIDDEN_DIM)
    made = block(implementation, random, output, norm_first=True, **rates)
    return {"x": x, "training": made(x, training=True)}


def text_twice(random: Random) -> np.ndarray:
    """(2, length, hidden_dim), both texts the same."""
    return np.repeat(normal(random, 1, 5, HIDDEN_DIM), 2, axis=0)


def ids_twice(random: Random) -> np.ndarray:
    """(2, length), both texts the same."""
    return np.repeat(random.randint(4, VOCABULARY_SIZE, (1, LENGTH)), 2, axis=0).astype("int32")


def dropped(answer: np.ndarray) -> bool:
    return not np.allclose(answer[0], answer[1], atol=1e-5)


def drops_the_parts(answers: dict[str, Any]) -> str | None:
    """What is wrong with a block that is told to drop what its parts give, or the attention weights."""
    shown = {case: _ones(answer) for case, answer in answers["of a part"].items()}
    if not all(np.allclose(quiet, quiet[:1, :1, :1]) for _, quiet in shown.values()):
        return "drops outside training, too: the same features come out with different values"
    if dropped(answers["neither"]):
        return "drops from the path around the parts, or from the sum; only what a part gives is dropped"
    silent = [case for case, (training, quiet) in shown.items() if np.allclose(training, quiet[:1, :1], rtol=1e-3)]
    if silent:
        return f"drops nothing of the output of {' and '.join(silent)}"
    for case, (training, quiet) in shown.items():
        if wrong := wrong_dropout(training, quiet[0, 0], RATE, "features"):
            return f"{wrong}, of the output of {case}"
    if not _drops_weights(answers["of attention"]):
        return "does not pass attention_dropout on to attention"
    if _drops_weights(answers["of attention that keeps all"]):
        return "drops attention weights though attention_dropout is 0, a rate like any other"
    return None


def _drops_weights(answer: Answers) -> bool:
    """Whether two texts that are the same differ where nothing was dropped of what attention gave."""
    added = answer["training"] - answer["x"]
    kept = (np.abs(added) > 1e-4).all(axis=0)
    return not np.allclose(added[0][kept], added[1][kept], atol=1e-5)


def _ones(answer: Answers) -> tuple[np.ndarray, np.ndarray]:
    """The features of a part in training and outside it, counted from the first one: that is 0, dropped or not."""
    training, quiet = (answer[kind][..., 1:] - answer[kind][..., :1] for kind in ("training", "quiet"))
    return training, quiet


def drops_in_every_part(answers: Answers) -> str | None:
    """What is wrong with an encoder that is told to drop in one part or another."""
    drops = {case: dropped(answer) for case, answer in answers.items()}
    if drops["quiet"]:
        return "drops outside training, too: the same text twice gives two answers"
    if drops["no dropout"]:
        return "drops something in training, although dropout is 0"
    for part in ("the embedding", "the blocks", "the attention weights of the blocks"):
        if not drops[part]:
            return f"drops nothing in {part} in training, although dropout is 0.5"
    return None
