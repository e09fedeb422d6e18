"""What goes wrong in greedy."""

from __future__ import annotations

from typing import Any

import numpy as np
from keras import ops

import course.decoder as right
from grading.exercises.decoder.checks import greedily


def said(step: Any, written: np.ndarray) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(step(written)))


def first(start_ids: Any) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(start_ids))[:, None].astype("int32")


def appended(written: np.ndarray, words: Any) -> np.ndarray:
    return np.concatenate([written, np.asarray(words, "int32")[:, None]], axis=1)


@greedily.whole_mistake(
    "A row goes on after its end.",
    hint="What stands behind the end of a row that waits for the others?",
)
def goes_on(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    written = first(start_ids)
    while written.shape[1] <= max_length and not (written[:, 1:] == end_id).any(axis=1).all():
        written = appended(written, said(step, written).argmax(axis=1))
    return written[:, 1:]


@greedily.whole_mistake(
    "Writing stops when the first row has ended; the others are cut off.",
    hint="Rows end by themselves. When is there nothing left to do?",
)
def stops_with_the_first(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    written = first(start_ids)
    while written.shape[1] <= max_length and not (written[:, 1:] == end_id).any():
        written = appended(written, said(step, written).argmax(axis=1))
    return written[:, 1:]


@greedily.whole_mistake(
    "It never stops before max_length, though all rows have ended.",
    hint="What could still change when each row has said the end?",
)
def never_stops(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    written = right.greedy(step, start_ids, end_id, max_length, padding_id)
    rest = np.full((len(written), max_length - written.shape[1]), padding_id, "int32")
    return np.concatenate([written, rest], axis=1)


@greedily.whole_mistake(
    "The start is part of what is returned.",
    hint="What has the model written itself?",
)
def with_the_start(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    return np.concatenate([first(start_ids), right.greedy(step, start_ids, end_id, max_length, padding_id)], axis=1)


@greedily.whole_mistake(
    "A word too few is written: the start is counted in max_length.",
    hint="How many words are there when max_length is 1?",
)
def one_too_few(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    return right.greedy(step, start_ids, end_id, max_length, padding_id)[:, : max_length - 1]


@greedily.whole_mistake(
    "A word too many is written: max_length is passed by one.",
    hint="How many words are there when max_length is 1?",
)
def one_too_many(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    return right.greedy(step, start_ids, end_id, max_length + 1, padding_id)


@greedily.whole_mistake(
    "All rows get the word that is likeliest anywhere in the batch.",
    hint="Each row has its own likeliest word. Along which axis do you look for it?",
)
def one_word_for_all(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    def of_batch(prefixes: Any) -> Any:
        found = said(step, prefixes)
        return np.repeat(found[found.max(axis=1).argmax()][None], len(found), axis=0)

    return right.greedy(of_batch, start_ids, end_id, max_length, padding_id)


@greedily.whole_mistake(
    "The step only sees the last word, and not all that was written.",
    hint="What follows depends on the whole text so far.",
)
def last_word_only(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    return right.greedy(lambda prefixes: step(prefixes[:, -1:]), start_ids, end_id, max_length, padding_id)


@greedily.whole_mistake(
    "The step never sees the start.",
    hint="What does a text begin with, for the model?",
)
def start_forgotten(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    return right.greedy(
        lambda prefixes: step(prefixes[:, 1:] if prefixes.shape[1] > 1 else prefixes),
        start_ids,
        end_id,
        max_length,
        padding_id,
    )


@greedily.whole_mistake(
    "The least likely word is taken.",
    hint="log P is negative. Which one is the likeliest, the highest or the lowest?",
)
def least_likely(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    return right.greedy(lambda prefixes: -said(step, prefixes), start_ids, end_id, max_length, padding_id)


@greedily.whole_mistake(
    "The end itself is replaced by padding.",
    hint="Padding stands behind the end, so that one sees where a text stops.",
)
def end_replaced(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    written = right.greedy(step, start_ids, end_id, max_length, padding_id)
    return np.where(written == end_id, np.int32(padding_id), written)


@greedily.whole_mistake(
    "padding_id is ignored: behind the end stands 0.",
    hint="What stands behind the end is said by an argument.",
)
def padding_of_zero(step: Any, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> Any:
    return right.greedy(step, start_ids, end_id, max_length)
