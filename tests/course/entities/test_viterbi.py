"""The best path: beside all paths, pytorch-crf, and what IOB2 allows."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from course.entities import bio_transitions, entities_of, viterbi
from tests.course.entities.test_scores import PEERS

TAGS = ["O", "B-x", "I-x", "B-a-b", "I-a-b"]


def worth(path: tuple[int, ...], scores: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    steps = sum(transitions[one, other] for one, other in pairwise(path))
    return start[path[0]] + sum(scores[word, tag] for word, tag in enumerate(path)) + steps


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("forbidden", [0.0, 0.4])
def test_it_is_the_best_of_all_paths(seed: int, forbidden: float) -> None:
    random = np.random.default_rng(seed)
    scores, transitions, start = random.normal(size=(5, 4)), random.normal(size=(4, 4)), random.normal(size=4)
    transitions[random.random((4, 4)) < forbidden] = -np.inf
    np.fill_diagonal(transitions, 0.1)  # so that some path is allowed
    best = max(product(range(4), repeat=5), key=lambda path: worth(path, scores, transitions, start))
    assert viterbi(scores, transitions, start).tolist() == list(best)


@pytest.mark.parametrize("case", PEERS["pytorch-crf"])
def test_the_same_as_pytorch_crf(case: dict[str, list]) -> None:
    found = viterbi(np.array(case["scores"]), np.array(case["transitions"]), np.array(case["start"]))
    assert found.tolist() == case["path"]


def test_of_a_single_word_it_is_the_best_tag_to_start_with() -> None:
    found = viterbi([[1.0, 2.0, 5.0]], np.zeros((3, 3)), [0.0, 0.0, -np.inf])
    assert found.tolist() == [1]
    assert found.dtype == np.int32


@pytest.mark.parametrize("seed", range(10))
def test_no_tag_goes_on_with_what_is_not_there(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(12, len(TAGS))) * 3
    tags = [TAGS[tag] for tag in viterbi(scores, *bio_transitions(TAGS))]
    assert entities_of(tags) == entities_of(tags, strict=True)


def test_which_tag_may_follow_which() -> None:
    transitions, start = bio_transitions(TAGS)
    allowed = {(one, other) for i, one in enumerate(TAGS) for j, other in enumerate(TAGS) if transitions[i, j] == 0}
    assert np.isneginf(transitions[transitions != 0]).all()
    before = {other: {one for one, second in allowed if second == other} for other in TAGS}
    everything = set(TAGS)
    assert before == {
        "O": everything,
        "B-x": everything,
        "B-a-b": everything,
        "I-x": {"B-x", "I-x"},
        "I-a-b": {"B-a-b", "I-a-b"},
    }
    assert start.tolist() == [0, 0, -np.inf, 0, -np.inf]
