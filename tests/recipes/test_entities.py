"""The stored results of the recipe for few and many labelled articles."""

from __future__ import annotations

import json

import pytest

from course.applications.tagging import recorded_results
from course.applications.tagging.texts import text_of_words
from recipes import entities


def test_a_run_is_measured_in_three_ways_and_stored(tmp_path, monkeypatch):
    monkeypatch.setattr(entities, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(entities, "ENTITIES_FILE", tmp_path / "rows.json.gz")
    monkeypatch.setattr(recorded_results, "ENTITIES_FILE", tmp_path / "rows.json.gz")
    tests = [text_of_words(["Ada", "Holm", "met"], ["B-person", "I-person", "O"]), text_of_words(["so"], ["O"])]
    stray, mended = [["I-person", "I-person", "O"], ["O"]], [["B-person", "I-person", "O"], ["B-place"]]
    result = entities.row("fresh", 50, 2, tests, stray, mended)
    assert (result["f1"], result["strict_f1"]) == (1.0, 0.0)
    assert result["viterbi_f1"] == pytest.approx(2 / 3)
    assert result["low"] <= result["viterbi_f1"] <= result["high"]
    entities.keep([result, {**result, "seed": 1, "viterbi_f1": 0.5}], {})
    assert recorded_results.load_entity_runs()["viterbi_f1"].tolist() == [pytest.approx(2 / 3), 0.5]
    assert json.loads((tmp_path / "results.json").read_text())["f1"][0]["mean"] == pytest.approx((2 / 3 + 0.5) / 2)


def test_both_result_files_agree() -> None:
    runs = recorded_results.load_entity_runs()
    means = runs.groupby(["articles", "model"])["viterbi_f1"].mean()
    for record in json.loads(entities.RESULTS.read_text())["f1"]:
        assert means[record["articles"], record["model"]] == pytest.approx(record["mean"])
    assert set(runs["articles"]) == set(entities.SETTINGS)
    assert set(runs["seed"]) == {0, *entities.SEEDS}
