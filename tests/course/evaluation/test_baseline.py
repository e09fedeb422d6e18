"""The baseline without a network: what it learns, what it is chosen by, and when it is left out."""

from __future__ import annotations

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
    return Chosen(kind, weight, {kind: 1.0}, np.array([0]), 0.0)


@pytest.mark.parametrize("kind", [WORDS, NAIVE_BAYES, PIECES, BOTH])
def test_every_kind_learns_topics(kind: str) -> None:
    articles = load_sample()
    texts, labels = articles["title"].tolist(), articles["label"].to_numpy()
    predicted = chosen(kind, 0.1).predict(texts[:300], labels[:300].tolist(), texts[300:500])
    assert np.mean(predicted == labels[300:500]) > 0.5


@pytest.mark.parametrize("kind", [WORDS, NAIVE_BAYES, BOTH])
def test_pairs_show_the_order_of_words(kind: str) -> None:
    assert chosen(kind).predict(*PAIRS, ["not good", "good not"]).tolist() == [0, 1]


@pytest.mark.parametrize("kind", [PIECES, BOTH])
def test_pieces_show_the_ends_of_new_words(kind: str) -> None:
    assert chosen(kind).predict(*ENDS, NEW_ENDS).tolist() == [0, 1, 0, 1]


def test_names_of_classes_need_not_be_numbers() -> None:
    predicted = chosen(NAIVE_BAYES).predict(["a b", "c d", "e f"] * 3, ["x", "y", "z"] * 3, ["c d", "a b", "e f"])
    assert predicted.tolist() == ["y", "x", "z"]


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
