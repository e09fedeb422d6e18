"""What dropout drops, and when. A batch holds each text twice: if the two outputs differ, something was dropped.

With a rate of one half, right code drops none of 60 or more numbers in one of 2^60 runs.
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
from grading.judging.dropout import drops_within, wrong_dropout
from grading.judging.proxies import Proxy
from grading.messages import Message, all_of

Answers = dict[str, np.ndarray]

PARTS = {"attention": Message("attention"), "feed_forward": Message("feed-forward")}
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
    """A block with dropout that otherwise does only what these parameters say; built once for each order.

    Its norms do little more than divide by 100, because they add 10,000 to the variance.
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
    """The output of a block for zeros. One part returns 0 as the first feature and then ones, the other one 0."""
    ones = (np.arange(HIDDEN_DIM) > 0).astype("float32")
    made = block(implementation, random, {f"{part}/output/bias": ones}, norm_first=norm_first)
    return {"training": made(ZEROS, training=True), "quiet": made(ZEROS[:2], training=False)}


def around_the_parts(implementation: Proxy, random: Random, norm_first: bool) -> np.ndarray:
    """The output of a block whose parts return 0, for inputs so large that 10,000 makes no difference."""
    made = block(implementation, random, {}, norm_first=norm_first)
    return made(1e5 * copies_of_a_text(random, 2), training=True)


def of_attention(implementation: Proxy, random: Random, **rates: float) -> np.ndarray:
    """The output of a block in which attention alone adds something, a single feature, for copies of one text."""
    output = dense(random, "attention/output", HIDDEN_DIM, HIDDEN_DIM)
    only_first = {name: parameter * (np.arange(HIDDEN_DIM) == 0) for name, parameter in output.items()}
    made = block(implementation, random, only_first, norm_first=True, **rates)
    return made(copies_of_a_text(random, 12), training=True)


def copies_of_a_text(random: Random, copies: int) -> np.ndarray:
    """(copies, length, hidden_dim)."""
    return np.repeat(normal(random, 1, 5, HIDDEN_DIM), copies, axis=0)


def ids_twice(random: Random) -> np.ndarray:
    """(2, length), both texts the same."""
    return np.repeat(random.randint(4, VOCABULARY_SIZE, (1, LENGTH)), 2, axis=0).astype("int32")


def dropped(answer: np.ndarray) -> bool:
    return not np.allclose(answer[0], answer[1], atol=1e-5)


def drops_the_parts(answers: dict[str, Any]) -> str | None:
    """What is wrong with the dropout of the parts' outputs and of the attention weights in a block, or None."""
    shown = {case: _ones(answer) for case, answer in answers["of a part"].items()}
    if not all(np.allclose(quiet, quiet[:1, :1, :1]) for _, quiet in shown.values()):
        return Message("drops outside training, too: the same features come out with different values")
    if any(map(dropped, answers["neither"])):
        return Message(
            "applies dropout to the path around the parts, or to the sum; it belongs to each part's output alone"
        )
    silent = [case for case, (training, quiet) in shown.items() if np.allclose(training, quiet[:1, :1], rtol=1e-3)]
    if silent:
        return Message("drops nothing of the output of {silent}", silent=all_of(silent))
    for case, (training, quiet) in shown.items():
        if wrong := wrong_dropout(training, quiet[0, 0], RATE, Message("features")):
            return Message("{wrong}, of the output of {case}", wrong=wrong, case=case)
    if not drops_within(answers["of attention"]):
        return Message("does not pass attention_dropout on to attention")
    if drops_within(answers["of attention that keeps all"]):
        return Message("drops attention weights though attention_dropout is 0, a rate like any other")
    return None


def _ones(answer: Answers) -> tuple[np.ndarray, np.ndarray]:
    """A part's features in training and outside it, minus the first feature, which is 0 whether dropped or not."""
    training, quiet = (answer[kind][..., 1:] - answer[kind][..., :1] for kind in ("training", "quiet"))
    return training, quiet


def drops_in_every_part(answers: Answers) -> str | None:
    """What is wrong with the dropout of an encoder's parts, or None."""
    drops = {case: dropped(answer) for case, answer in answers.items()}
    if drops["quiet"]:
        return Message("drops outside training, too: the same text twice gives two outputs")
    if drops["no dropout"]:
        return Message("drops something in training, although dropout is 0")
    for part in (
        Message("the embedding"),
        Message("the blocks"),
        Message("the attention weights of the blocks"),
    ):
        if not drops[part]:
            return Message("drops nothing in {part} in training, although dropout is 0.5", part=part)
    return None
