"""The baseline without a network: what it learns, what it is chosen by, and when it is left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from course.data.datasets import load_sample
from course.evaluation import baseline as module
from course.evaluation.baseline import (
    BOTH,
    NAIVE_BAYES,
    PIECES,
    WORDS,
    Chosen,
    choose_baseline,
    expected_seconds,
    verdict,
    why_left_out,
)

# Only the order of the words differs; pairs of words show it.
PAIRS = (["not good", "good not"] * 6, [0, 1] * 6)
# Only the ends of the words differ, and every word is new; pieces of words show it.
ENDS = ([f"{stem}{end}" for stem in ("karl", "mend", "polt", "sirv") for end in ("ing", "ed")], [0, 1] * 4)
NEW_ENDS = ["durting", "durted", "fenging", "fenged"]


def chosen(kind: str, weight: float = 1.0) -> Chosen:
    return Chosen(kind, weight, 0.5, {kind: 1.0}, np.array([0]), 0.0)


def predicted(baseline: Chosen, *texts_and_labels: Any, num_classes: int = 2) -> list[int]:
    return baseline.probabilities(*texts_and_labels, num_classes).argmax(axis=1).tolist()


@pytest.mark.parametrize("kind", [WORDS, NAIVE_BAYES, PIECES, BOTH])
def test_every_kind_learns_topics(kind: str) -> None:
    articles = load_sample()
    texts, labels = articles["title"].tolist(), articles["label"].to_numpy()
    answers = predicted(chosen(kind, 0.1), texts[:300], labels[:300].tolist(), texts[300:500], num_classes=4)
    assert np.mean(answers == labels[300:500]) > 0.5


@pytest.mark.parametrize("kind", [WORDS, NAIVE_BAYES, BOTH])
def test_pairs_show_the_order_of_words(kind: str) -> None:
    assert predicted(chosen(kind), *PAIRS, ["not good", "good not"]) == [0, 1]


@pytest.mark.parametrize("kind", [PIECES, BOTH])
def test_pieces_show_the_ends_of_new_words(kind: str) -> None:
    assert predicted(chosen(kind), *ENDS, NEW_ENDS) == [0, 1, 0, 1]


@pytest.mark.parametrize("kind", [WORDS, NAIVE_BAYES])
@pytest.mark.parametrize("labels", [[1, 3, 4], [1, 4, 1]])
def test_a_class_without_texts_has_no_share(kind: str, labels: list[int]) -> None:
    shares = chosen(kind).probabilities(["a b", "c d", "e f"] * 3, labels * 3, ["c d", "z"], 5)
    assert np.allclose(shares.sum(axis=1), 1)
    assert {place for place in range(5) if shares[:, place].any()} == set(labels)
    assert shares[0].argmax() == labels[1]
    with pytest.raises(ValueError, match="training_labels must be 0 to 3"):
        chosen(kind).probabilities(["a b", "c d", "e f"] * 3, labels * 3, ["c d"], 4)


def test_the_temperature_calibrates_the_scores() -> None:
    # One text of four has the other class, in training and in the held-out texts alike: a sure word is right in 75%.
    texts, labels = ["good", "bad"] * 200, [1, 0] * 150 + [0, 1] * 50
    best = choose_baseline(texts, labels, texts, labels)
    assert best.probabilities(texts, labels, ["good", "bad"], 2) == pytest.approx(
        np.array([[0.25, 0.75], [0.75, 0.25]]), abs=0.01
    )


class TestChoice:
    def test_takes_the_best_kind_of_the_held_out_texts(self) -> None:
        best = choose_baseline(*ENDS, NEW_ENDS, [0, 1, 0, 1])
        assert best.kind == PIECES  # BOTH is as good; of equal ones, the first is taken
        assert best.held_out_accuracy == 1.0 > best.held_out_accuracies[WORDS]
        assert best.held_out.tolist() == [0, 1, 0, 1]
        assert best.held_out_accuracies.keys() == {WORDS, NAIVE_BAYES, PIECES, BOTH}

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((["a", "b"], [0], ["c"], [0]), "2 training_texts and 1 training_labels"),
            ((["a", "b"], [0, 0], ["c"], [0]), "of 1 classes"),
            ((["?", "!"], [0, 1], ["c"], [0]), "must have words"),
            ((["a", "b"], [0, 1], [], []), "0 texts and 0 labels"),
            ((["a", "b"], [0, 1], ["c"], [0, 1]), "1 texts and 2 labels"),
        ],
    )
    def test_texts_without_labels_are_refused(self, arguments: tuple, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            choose_baseline(*arguments)


class TestLeftOut:
    def test_quick_ones_are_not(self) -> None:
        assert why_left_out(["a", "b"], [0, 1]) is None

    def test_reasons(self) -> None:
        assert why_left_out(["a", "b"], [1, 1]) == "the training texts have one class"
        assert why_left_out(["?", ""], [0, 1]) == "the training texts have no word"

    def test_many_characters_and_classes_take_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert expected_seconds(10**6, 2) < expected_seconds(10**6, 3) < expected_seconds(2 * 10**6, 3)
        monkeypatch.setattr(module, "MOST_SECONDS", expected_seconds(99, 3))
        assert why_left_out(["a" * 50, "b" * 49], [0, 1]) is None
        assert "it would take about" in str(why_left_out(["a" * 500, "b" * 500], [0, 1]))


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        ((0.02, 0.01, 0.03), "The classifier is better than the baseline: +2.00 points (+1.00 to +3.00)."),
        ((-0.02, -0.03, -0.01), "The baseline is better than the classifier, which gains -2.00 points"),
        ((0.01, -0.01, 0.03), "The classifier is no better than the baseline, as far as these texts show: +1.00"),
    ],
)
def test_the_verdict_says_which_wins(gap: tuple[float, float, float], said: str) -> None:
    assert said in verdict(*gap)
