"""Errors of the chapter on names say what was given and what is expected."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from course import entities
from course.encoder import BertEncoder
from tests.course.bad_input import Row, parameters, public_names

TWO_WORDS = [(0, 3), (4, 8)]
TAG_IDS = {"O": 0, "B-x": 1, "I-x": 2}


@cache
def encoder() -> BertEncoder:
    return BertEncoder(11, 1, 2, 8, 12, max_length=6)


def loss(*shape: int, of: Any = 1, logits: tuple[int, ...] = (2, 3, 4)) -> Any:
    return entities.token_loss(np.full(shape or (2, 3), of), np.zeros(logits, "float32"))


def path(scores: Any, transitions: Any = ((0, 0), (0, 0)), start: Any = (0, 0)) -> Any:
    return entities.viterbi(np.array(scores, float), np.array(transitions, float), np.array(start, float))


BAD: list[Row] = [
    ("tag_parts", lambda: entities.tag_parts("E-person"), "Received: 'E-person'"),
    ("tag_parts", lambda: entities.tag_parts("B-"), "Received: 'B-'"),
    ("tag_parts", lambda: entities.tag_parts("PER"), "Received: 'PER'"),
    ("tag_parts", lambda: entities.tag_parts("B_person"), "Received: 'B_person'"),
    ("tag_parts", lambda: entities.tag_parts("O-x"), "Received: 'O-x'"),
    ("tag_parts", lambda: entities.tag_parts(None), "Received: None"),
    ("bio_tags", lambda: entities.bio_tags(TWO_WORDS, [(0, 5, "x"), (4, 8, "y")]), r"overlap.*\(0, 5, 'x'\)"),
    ("bio_tags", lambda: entities.bio_tags(TWO_WORDS, [(4, 8, "x"), (0, 8, "x")]), "overlap"),
    ("bio_tags", lambda: entities.bio_tags(TWO_WORDS, [(0, 3, "x"), (0, 3, "x")]), "overlap"),
    ("bio_tags", lambda: entities.bio_tags(TWO_WORDS, [(4, 9, "x")]), r"end at 8.*\(4, 9, 'x'\)"),
    ("bio_tags", lambda: entities.bio_tags(TWO_WORDS, [(-1, 3, "x")]), r"\(-1, 3, 'x'\)"),
    ("bio_tags", lambda: entities.bio_tags(TWO_WORDS, [(3, 3, "x")]), r"have a character.*\(3, 3, 'x'\)"),
    ("bio_tags", lambda: entities.bio_tags([], [(0, 1, "x")]), "end at 0"),
    ("bio_tags", lambda: entities.bio_tags([(4, 8), (0, 3)], []), "order of the text"),
    ("bio_tags", lambda: entities.bio_tags([(0, 3, 4)], []), r"offsets must be \(words, 2\)"),
    ("bio_tags", lambda: entities.bio_tags([0, 3], []), r"offsets.shape=\(2,\)"),
    ("bio_tags", lambda: entities.bio_tags([(0.0, 3.0)], []), "float64"),
    ("align_labels", lambda: entities.align_labels(["O"], np.array([0, 1]), TAG_IDS), "1 words.*0 to 1"),
    ("align_labels", lambda: entities.align_labels(["O"], np.array([-100, 0]), TAG_IDS), "from -1"),
    ("align_labels", lambda: entities.align_labels(["B-PER"], np.array([0]), TAG_IDS), "'B-PER' of word 0"),
    ("align_labels", lambda: entities.align_labels(["O"], np.array([0.0]), TAG_IDS), "float64"),
    ("align_labels", lambda: entities.align_labels(["O"], np.array([[0]]), TAG_IDS), r"word_ids.shape=\(1, 1\)"),
    ("TokenClassifier", lambda: entities.TokenClassifier(encoder(), 1), "num_tags=1"),
    ("TokenClassifier", lambda: entities.TokenClassifier(encoder(), 2.5), "num_tags=2.5"),
    ("TokenClassifier", lambda: entities.TokenClassifier(encoder(), 3)({"ids": np.ones((2, 3), int)}), "token_ids"),
    ("token_loss", lambda: loss(2, 4), r"labels.shape=\(2, 4\)"),
    ("token_loss", lambda: loss(2), r"labels.shape=\(2,\)"),
    ("token_loss", lambda: loss(of=1.0), "labels.dtype=float"),
    ("token_loss", lambda: loss(of=4), "from 0 to 3, or ignore=-100.*4 to 4"),
    ("token_loss", lambda: loss(of=-1), "-1 to -1"),
    ("token_loss", lambda: loss(logits=(2, 3)), r"logits.shape=\(2, 3\)"),
    ("entities_of", lambda: entities.entities_of(["B-x", "E-x"]), "Received: 'E-x'"),
    ("entities_of", lambda: entities.entities_of(["B-x", 2]), "Received: 2"),
    ("entity_scores", lambda: entities.entity_scores([], []), "0 true ones"),
    ("entity_scores", lambda: entities.entity_scores([["O"]], [["O"], ["O"]]), "1 true ones and 2 predicted"),
    ("entity_scores", lambda: entities.entity_scores([["O"], ["O"]], [["O"], []]), "0 predicted ones in sentence 1"),
    ("entity_scores", lambda: entities.entity_scores(["O"], ["O"]), "'O' in sentence 0"),
    ("entity_scores", lambda: entities.entity_scores([["PER"]], [["O"]]), "Received: 'PER'"),
    ("bio_transitions", lambda: entities.bio_transitions([]), "Received: none"),
    ("bio_transitions", lambda: entities.bio_transitions(["O", "S-x"]), "'S-x'"),
    ("viterbi", lambda: path(np.zeros((0, 2))), r"\(0, 2\)"),
    ("viterbi", lambda: path([[1.0, 2.0, 3.0]]), r"\(1, 3\)"),
    ("viterbi", lambda: path([1.0, 2.0]), r"scores.shape=\(2,\)"),
    ("viterbi", lambda: path([[1.0, 2.0]], start=(0, 0, 0)), r"\(3,\)"),
    ("viterbi", lambda: path([[1.0, np.nan]]), "scores must be numbers"),
    ("viterbi", lambda: path([[1.0, 2.0]], transitions=((0, np.inf), (0, 0))), "transitions must be numbers"),
    ("viterbi", lambda: path([[1.0, 2.0]], start=(-np.inf, -np.inf)), "forbid them all"),
]


@pytest.mark.parametrize(("call", "message"), parameters(BAD))
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"(?s){message}"):
        call()


def test_a_string_as_encoder_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="encoder must be a Model"):
        entities.TokenClassifier("bert", 3)


def test_every_public_function_has_a_row() -> None:
    assert public_names([entities]) == {row[0] for row in BAD}
