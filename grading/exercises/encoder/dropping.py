"""What is dropped, and when. Every text stands in its batch twice: where the two answers differ, something was dropped.

Half of 60 numbers or more is dropped: that right code drops none of them happens once in 2^60 times.
"""

from __future__ import annotations

import numpy as np

from grading.exercises.encoder.parameters import HIDDEN_DIM, LENGTH, VOCABULARY_SIZE, Random, normal

Answers = dict[str, np.ndarray]

SILENT_PARTS = {
    "attention": ("feed_forward",),
    "feed-forward": ("attention",),
    "neither": ("attention", "feed_forward"),
}


def text_twice(random: Random) -> np.ndarray:
    """(2, length, hidden_dim), both texts the same."""
    return np.repeat(normal(random, 1, 5, HIDDEN_DIM), 2, axis=0)


def ids_twice(random: Random) -> np.ndarray:
    """(2, length), both texts the same."""
    return np.repeat(random.randint(4, VOCABULARY_SIZE, (1, LENGTH)), 2, axis=0).astype("int32")


def dropped(answer: np.ndarray) -> bool:
    return not np.allclose(answer[0], answer[1], atol=1e-5)


def drops_the_parts(answers: Answers) -> str | None:
    """What is wrong with a block that is told to drop what its parts give, or the attention weights."""
    drops = {case: dropped(answer) for case, answer in answers.items()}
    if drops["quiet"]:
        return "drops outside training, too: the same text twice gives two answers"
    if drops["neither"]:
        return "drops from the path around the parts, or from the sum; only what a part gives is dropped"
    silent = [case for case in ("attention", "feed-forward") if not drops[case]]
    if silent:
        return f"drops nothing of the output of {' and '.join(silent)}"
    return None if drops["attention's weights"] else "does not pass attention_dropout on to attention"


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
