"""The recipe for question pairs: its training and test parts, and its stored results."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from recipes import quora_pairs


def some_pairs(count: int = 400) -> pd.DataFrame:
    """Pairs in which many questions occur several times, some linked in long chains."""
    random = np.random.default_rng(5)
    first, second = random.integers(0, 330, (2, count))
    return pd.DataFrame(
        {
            "question1": [f"what is {number}?" for number in first],
            "question2": [f"what is {number}?" for number in np.where(first % 7 == 0, first + 1, second)],
            "is_duplicate": random.random(count) < 0.4,
        }
    )[lambda pairs: pairs.index % 4 > 0]


def test_no_question_is_in_two_parts_and_no_pair_is_lost() -> None:
    pairs = some_pairs()
    parts = quora_pairs.split(pairs)
    questions = {name: set(part["question1"]) | set(part["question2"]) for name, part in parts.items()}
    assert not questions["train"] & questions["dev"]
    assert not questions["train"] & questions["test"]
    assert not questions["dev"] & questions["test"]
    together = pd.concat(parts.values()).sort_values(list(pairs.columns), ignore_index=True)
    pd.testing.assert_frame_equal(together, pairs.sort_values(list(pairs.columns), ignore_index=True))
    assert all(len(part) for part in parts.values())


def test_threshold_and_calibration_are_chosen_on_dev() -> None:
    random = np.random.default_rng(5)
    labels = {"dev": random.random(300) < 0.4, "test": random.random(200) < 0.4}
    parts = {name: pd.DataFrame({"is_duplicate": of_part}) for name, of_part in labels.items()}
    scores = {name: random.normal(size=len(of_part)) + of_part for name, of_part in labels.items()}
    result = quora_pairs.measured(scores["dev"], scores["test"], parts)
    other = quora_pairs.measured(scores["dev"], -scores["test"], parts)
    assert (result["threshold"], result["platt"]) == (other["threshold"], other["platt"])
    predicted = scores["test"] >= result["threshold"]
    expected = 2 * np.sum(predicted & labels["test"]) / (predicted.sum() + labels["test"].sum())
    assert result["f1"]["value"] == pytest.approx(expected)
    assert result["calibration error"]["by Platt"] < result["calibration error"]["as it is"]


def test_stored_results_cover_all_seeds() -> None:
    stored = json.loads(quora_pairs.RESULTS.read_text())
    for name in ("read apart", "read together", "read together, fresh"):
        assert len(stored[name]) == len(quora_pairs.SEEDS)
    assert all(0 < run["f1"]["low"] < run["f1"]["value"] < run["f1"]["high"] for run in stored["read apart"])
