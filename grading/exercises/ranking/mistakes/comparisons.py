"""What goes wrong in duo_rank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grading.exercises.ranking.checks import duo

Compare = Callable[[Any, Any], Any]
Ranked = tuple[np.ndarray, np.ndarray]


def all_pairs(count: int) -> tuple[np.ndarray, ...]:
    return np.nonzero(~np.eye(count, dtype=bool))


def table(candidates: np.ndarray, compare: Compare, batch_size: int, pairs: tuple[np.ndarray, ...]) -> np.ndarray:
    """What is said of the pairs, and 0 of all others."""
    better = np.zeros((len(candidates), len(candidates)))
    for begin in range(0, len(pairs[0]), batch_size):
        first, second = (side[begin : begin + batch_size] for side in pairs)
        better[first, second] = compare(candidates[first], candidates[second])
    return better


def asked(candidates: Any, compare: Compare, batch_size: int) -> np.ndarray:
    return table(np.asarray(candidates), compare, batch_size, all_pairs(len(candidates)))


def ordered(candidates: Any, scores: np.ndarray) -> Ranked:
    order = np.argsort(-scores, kind="stable")
    return np.asarray(candidates)[order], scores[order]


@duo.whole_mistake(
    "Each pair is asked for in one order only: 45 times for 10 candidates, not 90.",
    hint="Is P(A is better than B) the same as 1 - P(B is better than A), for a model that reads A first?",
)
def one_order(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    better = table(np.asarray(candidates), compare, batch_size, np.triu_indices(len(candidates), 1))
    return ordered(candidates, better.sum(axis=1))


@duo.whole_mistake(
    "Each pair is asked for in one order, and the other one is taken to be 1 minus that.",
    hint="A model need not say so. How many pairs of 10 candidates are there, if order matters?",
)
def turned_round(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    upper = np.triu_indices(len(candidates), 1)
    better = table(np.asarray(candidates), compare, batch_size, upper)
    better[upper[::-1]] = 1 - better[upper]
    return ordered(candidates, better.sum(axis=1))


@duo.whole_mistake(
    "Candidates are compared with themselves, too: 100 times for 10 candidates.",
    hint="What should a model say, asked whether a document is better than itself?",
)
def with_itself(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    count = len(candidates)
    better = table(np.asarray(candidates), compare, batch_size, tuple(np.indices((count, count)).reshape(2, -1)))
    return ordered(candidates, better.sum(axis=1))


@duo.whole_mistake(
    "The probabilities are summed for the one that is behind: the worst candidate has the highest score.",
    hint="p_ij says how likely i is the better one. Over which of both is it summed?",
)
def losers(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    return ordered(candidates, asked(candidates, compare, batch_size).sum(axis=0))


@duo.whole_mistake(
    "Comparisons that are won are counted; how sure they were is lost.",
    hint="0.51 is not the same as 0.99. What is summed?",
)
def majority(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    return ordered(candidates, (asked(candidates, compare, batch_size) > 0.5).sum(axis=1).astype("float64"))


@duo.whole_mistake(
    "The mean is returned, not the sum.",
    hint="With 10 candidates, how high can a score be?",
)
def mean(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    scores = asked(candidates, compare, batch_size).sum(axis=1) / max(len(candidates) - 1, 1)
    return ordered(candidates, scores)


@duo.whole_mistake(
    "What is said of the turned pair is added as well: Σ p_ij + (1 - p_ji).",
    hint="That is another of the known ways to sum, and not the one that is asked for.",
)
def both_orders(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    better = asked(candidates, compare, batch_size)
    return ordered(candidates, better.sum(axis=1) + len(candidates) - 1 - better.sum(axis=0))


@duo.whole_mistake(
    "The lowest probability is taken, not the sum of all.",
    hint="One comparison that went wrong would decide everything.",
)
def lowest(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    better = asked(candidates, compare, batch_size) + 9 * np.eye(len(candidates))
    return ordered(candidates, better.min(axis=1) if len(candidates) > 1 else np.zeros(len(candidates)))


@duo.whole_mistake(
    "The candidate with the lowest score comes first.",
    hint="np.argsort sorts from low to high.",
)
def ascending(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    scores = asked(candidates, compare, batch_size).sum(axis=1)
    order = np.argsort(scores, kind="stable")
    return np.asarray(candidates)[order], scores[order]


@duo.whole_mistake(
    "Candidates with equal scores change places.",
    hint="An order that is turned round turns ties round as well. Who was ahead before?",
)
def ties_turned(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    scores = asked(candidates, compare, batch_size).sum(axis=1)
    order = np.argsort(scores, kind="stable")[::-1]
    return np.asarray(candidates)[order], scores[order]


@duo.whole_mistake(
    "Candidates with equal scores are ordered by their ids.",
    hint="What the earlier stage knew is lost. Which sort leaves equal ones as they were?",
)
def ties_by_id(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    scores = asked(candidates, compare, batch_size).sum(axis=1)
    order = np.lexsort((np.asarray(candidates), -scores))
    return np.asarray(candidates)[order], scores[order]


@duo.whole_mistake(
    "The candidates are sorted, and their scores are not.",
    hint="Score i belongs to candidate i of the answer.",
)
def scores_left_behind(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    scores = asked(candidates, compare, batch_size).sum(axis=1)
    return ordered(candidates, scores)[0], scores


@duo.whole_mistake(
    "Places are returned, not the ids of the candidates.",
    hint="np.argsort gives places. In which list?",
)
def places(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    return ordered(np.arange(len(candidates)), asked(candidates, compare, batch_size).sum(axis=1))


@duo.whole_mistake(
    "`compare` is asked for places, not for the ids of the candidates.",
    hint="The first candidate is not document 0. What does `compare` know?",
)
def asked_by_place(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    better = asked(np.arange(len(candidates)), compare, batch_size)
    return ordered(candidates, better.sum(axis=1))


@duo.whole_mistake(
    "All pairs are asked for at once: 380 rows for 20 candidates, whatever `batch_size` says.",
    hint="Each pair is a row for an encoder. How many fit into the memory at a time?",
)
def all_at_once(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    return ordered(candidates, asked(candidates, compare, 10**6).sum(axis=1))


@duo.whole_mistake(
    "The last batch is left out, where it is not full.",
    hint="90 pairs in batches of 32: how many are in the last one?",
)
def last_batch_lost(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    first, second = all_pairs(len(candidates))
    whole = len(first) // batch_size * batch_size
    better = table(np.asarray(candidates), compare, batch_size, (first[:whole], second[:whole]))
    return ordered(candidates, better.sum(axis=1))


@duo.whole_mistake(
    "Only the candidate with the highest score is moved to the front.",
    hint="The sums order all of them.",
)
def only_the_best(candidates: Any, compare: Compare, batch_size: int = 32) -> Ranked:
    scores = asked(candidates, compare, batch_size).sum(axis=1)
    if not len(scores):
        return np.asarray(candidates), scores
    order = [int(scores.argmax())]
    order += [place for place in range(len(scores)) if place != order[0]]
    return np.asarray(candidates)[order], scores[order]
