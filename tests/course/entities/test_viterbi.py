"""The best path: agreement with a search of all paths and with pytorch-crf, and the rules of IOB2."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from course.entities import bio_transitions, entities_of, viterbi
from tests.course.entities.test_scores import PEERS

TAGS = ["O", "B-x", "I-x", "B-a-b", "I-a-b"]


def total_score(path: tuple[int, ...], scores: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    steps = sum(transitions[first, second] for first, second in pairwise(path))
    return start[path[0]] + sum(scores[word, tag] for word, tag in enumerate(path)) + steps


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("forbidden", [0.0, 0.4])
def test_agrees_with_a_search_of_all_paths(seed: int, forbidden: float) -> None:
    random = np.random.default_rng(seed)
    scores, transitions, start = random.normal(size=(5, 4)), random.normal(size=(4, 4)), random.normal(size=4)
    transitions[random.random((4, 4)) < forbidden] = -np.inf
    np.fill_diagonal(transitions, 0.1)  # allows at least one path
    best = max(product(range(4), repeat=5), key=lambda path: total_score(path, scores, transitions, start))
    assert viterbi(scores, transitions, start).tolist() == list(best)


@pytest.mark.parametrize("case", PEERS["pytorch-crf"])
def test_agrees_with_pytorch_crf(case: dict[str, list]) -> None:
    path = viterbi(np.array(case["scores"]), np.array(case["transitions"]), np.array(case["start"]))
    assert path.tolist() == case["path"]


def test_a_single_word_gets_the_best_allowed_first_tag() -> None:
    path = viterbi([[1.0, 2.0, 5.0]], np.zeros((3, 3)), [0.0, 0.0, -np.inf])
    assert path.tolist() == [1]
    assert path.dtype == np.int32


@pytest.mark.parametrize("seed", range(10))
def test_no_tag_continues_a_name_that_is_not_there(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(12, len(TAGS))) * 3
    tags = [TAGS[tag] for tag in viterbi(scores, *bio_transitions(TAGS))]
    assert entities_of(tags) == entities_of(tags, strict=True)


def test_transitions_follow_iob2() -> None:
    transitions, start = bio_transitions(TAGS)
    allowed = {(first, tag) for i, first in enumerate(TAGS) for j, tag in enumerate(TAGS) if transitions[i, j] == 0}
    assert np.isneginf(transitions[transitions != 0]).all()
    before = {tag: {first for first, second in allowed if second == tag} for tag in TAGS}
    everything = set(TAGS)
    assert before == {
        "O": everything,
        "B-x": everything,
        "B-a-b": everything,
        "I-x": {"B-x", "I-x"},
        "I-a-b": {"B-a-b", "I-a-b"},
    }
    assert start.tolist() == [0, 0, -np.inf, 0, -np.inf]
