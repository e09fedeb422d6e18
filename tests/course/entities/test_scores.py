"""Precision, recall and F1 over names agree with seqeval in both modes, nervaluate, and results by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from course.entities import entity_scores

PEERS = json.loads(Path(__file__).with_name("peers.json").read_text())


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("number", range(len(PEERS["corpora"])))
def test_agrees_with_seqeval(number: int, strict: bool) -> None:
    corpus = PEERS["corpora"][number]
    expected = corpus["seqeval, strict" if strict else "seqeval"]
    scores = entity_scores(corpus["true"], corpus["predicted"], strict)
    for name in ("precision", "recall", "f1"):
        assert scores[name] == pytest.approx(expected[name])
    assert scores["macro_f1"] == pytest.approx(expected["macro_f1"] or 0)  # seqeval: null for the mean over no kinds
    kinds = {kind: {name: rates[name] for name in expected["kinds"][kind]} for kind, rates in scores["kinds"].items()}
    assert kinds == {kind: pytest.approx(rates) for kind, rates in expected["kinds"].items()}


def test_stored_corpora_distinguish_both_modes_of_seqeval() -> None:
    assert sum(corpus["seqeval"]["f1"] != corpus["seqeval, strict"]["f1"] for corpus in PEERS["corpora"]) > 20


@pytest.mark.parametrize("number", range(len(PEERS["corpora"])))
def test_agrees_with_nervaluate(number: int) -> None:
    """Its strict mode compares both ends and the kind, but reads tags leniently."""
    corpus = PEERS["corpora"][number]
    found = entity_scores(corpus["true"], corpus["predicted"])
    assert {name: found[name] for name in ("precision", "recall", "f1")} == pytest.approx(corpus["nervaluate, strict"])


def words(*sentences: str) -> list[list[str]]:
    return [sentence.split() for sentence in sentences]


def test_half_a_name_is_a_miss_and_a_false_alarm() -> None:
    found = entity_scores(words("B-x I-x O B-y"), words("B-x O O B-y"))
    assert (found["precision"], found["recall"], found["f1"]) == (1 / 2, 1 / 2, 1 / 2)
    assert found["kinds"]["x"] == {"precision": 0, "recall": 0, "f1": 0, "true": 1, "predicted": 1}


def test_a_name_of_another_kind_is_wrong() -> None:
    assert entity_scores(words("B-x"), words("B-y"))["f1"] == 0


def test_counts_are_pooled_over_sentences_before_dividing() -> None:
    # 1 of 1 name is right in the first sentence, 1 of 3 in the second. The mean F1 by sentence would be (1 + 1/2) / 2.
    found = entity_scores(words("B-x O", "B-x B-x B-x"), words("B-x O", "B-x O O"))
    assert found["precision"] == 1
    assert found["recall"] == 2 / 4
    assert found["f1"] == pytest.approx(2 / 3)


def test_the_same_words_in_another_sentence_are_another_name() -> None:
    found = entity_scores(words("B-x O", "B-x O"), words("B-x O", "O O"))
    assert found["kinds"]["x"]["true"] == 2
    assert found["recall"] == 1 / 2


def test_macro_f1_is_the_mean_over_true_and_predicted_kinds() -> None:
    # x has an F1 of 1; y occurs only in the true tags, z only in the predicted ones: 0 each.
    assert entity_scores(words("B-x B-y O"), words("B-x O B-z"))["macro_f1"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(("true", "predicted"), [("O O", "O O"), ("B-x O", "O O"), ("O O", "B-x O")])
def test_scores_without_names_are_zero(true: str, predicted: str) -> None:
    found: dict[str, Any] = entity_scores(words(true), words(predicted))
    assert (found["precision"], found["recall"], found["f1"], found["macro_f1"]) == (0, 0, 0, 0)
