"""What goes wrong in viterbi."""

from __future__ import annotations

from typing import Any

import numpy as np

import course.entities as right
from grading.exercises.entities.checks import paths


def found(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    """The right answer to a wrong question, where no path need be allowed."""
    scores, transitions, start = (
        np.maximum(np.asarray(each, "float64"), -1e9) for each in (scores, transitions, start)
    )
    return right.viterbi(scores, transitions, start)


@paths.whole_mistake(
    "Each word has its likeliest tag, whatever stands beside it.",
    hint="Transitions and start do not occur in it. What is best alone need not be best together.",
)
def likeliest_tags(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    return np.argmax(scores, axis=-1).astype("int32")


@paths.whole_mistake(
    "From each word it goes on to what is best next, and never takes a step back.",
    hint="That is greedy. A good first step may lead to where all is bad: keep the best way to *each* tag.",
)
def step_by_step(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    path = [int(np.argmax(np.add(start, scores[0])))]
    for of_word in scores[1:]:
        path.append(int(np.argmax(np.add(transitions[path[-1]], of_word))))
    return np.array(path, "int32")


@paths.whole_mistake(
    "Transitions are read from the column to the row.",
    hint="transitions[i, j] is what a step from i to j is worth. Over which axis is the best tag before to be found?",
)
def transposed(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    return found(scores, np.transpose(transitions), start)


@paths.whole_mistake(
    "What it is worth to begin with a tag is left out.",
    hint="The third argument says with which tag a sentence may begin.",
)
def start_left_out(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    return found(scores, transitions, np.zeros(np.shape(start)))


@paths.whole_mistake(
    "What it is worth to begin with a tag is added at each word.",
    hint="A sentence begins once.",
)
def start_everywhere(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    beside = np.concatenate([np.zeros((1, len(start))), np.tile(start, (len(scores) - 1, 1))])
    return found(np.add(scores, beside), transitions, start)


@paths.whole_mistake(
    "The path comes out from its end to its beginning.",
    hint="It is read from the last word backwards. What is to be done before it is returned?",
)
def backwards(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    return found(scores, transitions, start)[::-1]


@paths.whole_mistake(
    "The scores of the last word are not added before the best end is chosen.",
    hint="The best way to a tag at a word contains that word's own score.",
)
def last_word_left_out(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    scores = np.array(scores, "float64")
    scores[-1] = 0
    return found(scores, transitions, start)


@paths.whole_mistake(
    "The scores of the first word are added twice.",
    hint="Before the loop they are in the sum already. With which word does the loop begin?",
)
def first_word_twice(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    scores = np.array(scores, "float64")
    scores[0] *= 2
    return found(scores, transitions, start)


@paths.whole_mistake(
    "What is forbidden is free: -inf has become 0.",
    hint="0 adds nothing, so it allows everything. What is left of -inf when it is added?",
)
def forbidden_is_free(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    return found(*(np.nan_to_num(np.asarray(each, "float64"), neginf=0.0) for each in (scores, transitions, start)))


@paths.whole_mistake(
    "What is forbidden costs only 1, so good scores buy it.",
    hint="Forbidden is forbidden, however good the rest is. Keep -inf.",
)
def forbidden_is_cheap(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    return found(scores, np.maximum(transitions, -1.0), np.maximum(start, -1.0))


@paths.whole_mistake(
    "Scores become probabilities, and these are added.",
    hint="Logarithms are added, probabilities multiplied. The scores are logarithms already.",
)
def probabilities_added(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    with np.errstate(over="ignore"):
        return found(np.exp(scores), transitions, start)


@paths.whole_mistake(
    "The sum over all ways to a tag is taken, instead of the best of them.",
    hint="That is the forward algorithm, which says how likely a tag is. Which one way is the best?",
)
def sums_of_ways(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    scores, transitions, best = (np.asarray(each, "float64") for each in (scores, transitions, start))
    best, came_from = best + scores[0], []
    for of_word in scores[1:]:
        sums = best[:, None] + transitions
        came_from.append(sums.argmax(axis=0))
        best = np.logaddexp.reduce(sums, axis=0) + of_word
    path = [best.argmax()]
    for before in reversed(came_from):
        path.append(before[path[-1]])
    return np.array(path[::-1], "int32")


@paths.whole_mistake(
    "At each word the tag with the best way to it is taken, instead of the way that leads to the best end.",
    hint="The best way to word 3 need not be a part of the best way to the end. Remember from where each way came.",
)
def best_so_far(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    scores, transitions, best = (np.asarray(each, "float64") for each in (scores, transitions, start))
    best = best + scores[0]
    path = [best.argmax()]
    for of_word in scores[1:]:
        best = (best[:, None] + transitions).max(axis=0) + of_word
        path.append(best.argmax())
    return np.array(path, "int32")
