"""Judge what a decoder block drops, and when, on features that show each dropped and each kept number."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.decoder.parameters import (
    CONTEXT_DIM,
    CONTEXT_LENGTH,
    HIDDEN_DIM,
    LENGTH,
    block_parameters,
    built_block,
)
from grading.exercises.random_arrays import Random, dense, normal
from grading.judging.dropout import drops_within, wrong_dropout
from grading.judging.proxies import Proxy
from grading.messages import Message, all_of

Answers = dict[str, np.ndarray]

PARTS = ("self_attention", "cross_attention", "feed_forward")
RATE = 0.3
# Every word is the first unit vector. The parts do not change its first two features. Their difference is 1 before a
# norm, so it is the unit for all other features after the norm.
WRITTEN = np.zeros((40, LENGTH, HIDDEN_DIM), "float32") + np.eye(1, HIDDEN_DIM, dtype="float32")
READ = np.zeros((40, CONTEXT_LENGTH, CONTEXT_DIM), "float32")


def block(implementation: Proxy, random: Random, parts: Answers, *, norm_first: bool) -> Proxy:
    """Return a block with dropout whose parts output only what `parts` sets; built once per order."""
    made = implementation.once(built_block, has_context=True, norm_first=norm_first, dropout=RATE)
    parameters = block_parameters(random, has_context=True)
    for name in parameters:
        if name.startswith(tuple(f"{part}/output" for part in PARTS)) or name.endswith("beta"):
            parameters[name] *= 0
        if name.endswith("gamma"):
            parameters[name] = np.ones_like(parameters[name])
    made.load(parameters | parts)
    return made


def of_a_part(implementation: Proxy, random: Random, part: str, norm_first: bool) -> Answers:
    """Return a block's output if one part adds 1 to all features but the first two, and the others add 0."""
    ones = (np.arange(HIDDEN_DIM) > 1).astype("float32")
    made = block(implementation, random, {f"{part}/output/bias": ones}, norm_first=norm_first)
    return {"training": made(WRITTEN, READ, training=True), "quiet": made(WRITTEN[:2], READ[:2], training=False)}


def around_the_parts(implementation: Proxy, random: Random) -> np.ndarray:
    """Return the output of a block whose parts output 0."""
    x, context = copies_of_a_text(random, 2)
    return block(implementation, random, {}, norm_first=False)(x, context, training=True)


def of_attention(implementation: Proxy, random: Random, part: str) -> np.ndarray:
    """Return the output of a block in which one attention alone adds something, a single feature, to equal texts."""
    output = dense(random, f"{part}/output", HIDDEN_DIM, HIDDEN_DIM)
    only_first = {name: parameter * (np.arange(HIDDEN_DIM) == 0) for name, parameter in output.items()}
    x, context = copies_of_a_text(random, 12)
    return block(implementation, random, only_first, norm_first=True)(x, context, training=True)


def copies_of_a_text(random: Random, copies: int) -> tuple[np.ndarray, np.ndarray]:
    """Return equal texts, and what they read."""
    x, context = normal(random, 1, LENGTH, HIDDEN_DIM), normal(random, 1, CONTEXT_LENGTH, CONTEXT_DIM)
    return np.repeat(x, copies, axis=0), np.repeat(context, copies, axis=0)


def drops_the_parts(answers: dict[str, Any]) -> str | None:
    """Say what is wrong with the dropout of the parts' outputs and of the attention weights, or return None."""
    shown = {case: _ones(answer) for case, answer in answers["of a part"].items()}
    if not all(np.allclose(quiet, quiet[:1, :1, :1], atol=1e-4) for _, quiet in shown.values()):
        return Message("applies dropout outside training, too: equal features come out with different values")
    first, second = answers["neither"]
    if not np.allclose(first, second, atol=1e-5):
        return Message("applies dropout to the residual path or the sum instead of only the output of a part")
    silent = [case for case, (training, quiet) in shown.items() if np.allclose(training, quiet[:1, :1], rtol=1e-3)]
    if silent:
        return Message("applies no dropout to the output of {silent} in training", silent=all_of(silent))
    for case, (training, quiet) in shown.items():
        if wrong := wrong_dropout(training, quiet[0, 0], RATE, Message("features")):
            return Message("{wrong}, in the output of {case}", wrong=wrong, case=case)
    for part, answer in answers["of attention"].items():
        if not drops_within(answer):
            return Message("does not pass dropout on to {part}", part=part)
    return None


def _ones(answer: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Return what was added to the features in training and outside it."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a wrong block may leave no unit to measure with
        training, quiet = (
            (out[..., 2:] - out[..., 1:2]) / (out[..., :1] - out[..., 1:2])
            for out in (answer["training"], answer["quiet"])
        )
    return training, quiet
