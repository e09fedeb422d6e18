"""The results of the recipe for W-NUT 2017."""

from __future__ import annotations

import pytest

from course.applications.tagging.texts import text_of_words
from recipes import wnut17


def test_new_names_ignore_case() -> None:
    parts = {
        "train": [text_of_words(["Ada", "Holm", "met", "Varga"], ["B-person", "I-person", "O", "B-location"])],
        "test": [text_of_words(["ada", "holm", "VARGA", "Ada"], ["B-person", "I-person", "B-group", "B-person"])],
    }
    assert wnut17.new_names(parts) == pytest.approx(1 / 3)


def test_scores_of_all_seeds_are_summarized() -> None:
    true = [["B-person", "O"], ["B-group", "O"]]
    runs = [
        {"test": true, "dev": 0.5, "epoch": 2, "seconds": 1.0},
        {"test": [["B-person", "O"], ["O", "O"]], "dev": 0.4, "epoch": 3, "seconds": 1.0},
    ]
    scores = wnut17.summary(true, runs)
    assert scores["f1"] == [1.0, pytest.approx(2 / 3)]
    assert scores["kinds"]["group"] == [1.0, 0.0]
    assert scores["interval"]["value"] == pytest.approx(2 * 3 / (4 + 3))  # 3 right; 4 true, 3 predicted
