"""What the recipe of three objectives keeps, that its time is counted, and that both of its files tell the same."""

from __future__ import annotations

import json

import numpy as np
import pytest

from course.data.datasets import load_sample
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.given import recorded_results
from course.training.encoder_source import from_folder
from course.training.pretrainers import ELECTRA, SPANS
from recipes import objectives

RUNS = [
    {"objective": "none", "seed": 1, "steps": 0, "f1": 0.5, "low": 0.4, "high": 0.6},
    {"objective": "span", "seed": 1, "steps": 9, "f1": 0.7, "low": 0.6, "high": 0.9},
    {"objective": "span", "seed": 2, "steps": 5, "f1": 0.8, "low": 0.6, "high": 0.9},
]
LOOKS = [
    {"seed": 1, "step": 0, "fakes": 0.1, "fakes_found": 0.0, "false_alarms": 0.3},
    {"seed": 1, "step": 20, "fakes": 0.1, "fakes_found": 0.4, "false_alarms": 0.2},
]


def test_runs_are_kept_with_their_mean_and_the_detective_as_it_was_at_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(objectives, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(objectives, "OBJECTIVES_FILE", tmp_path / "rows.json.gz")
    monkeypatch.setattr(recorded_results, "OBJECTIVES_FILE", tmp_path / "rows.json.gz")
    objectives.keep(RUNS, LOOKS)
    assert recorded_results.load_objective_runs().to_dict("records") == RUNS
    assert recorded_results.load_detective_history().to_dict("records") == LOOKS
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["f1"][1] == {"objective": "span", "steps": 7.0, "mean": 0.75, "min": 0.7, "max": 0.8}
    assert results["detective"] == [LOOKS[1]]


@pytest.mark.parametrize("objective", [SPANS, ELECTRA])
def test_an_encoder_goes_on_for_as_long_as_it_is_told(objective, monkeypatch):
    monkeypatch.setattr(objectives, "SECONDS", 0.0)
    monkeypatch.setattr(objectives, "LENGTH", 23)
    monkeypatch.setattr(objectives, "BATCH", 5)
    monkeypatch.setattr(objectives, "WATCHED", 10)
    monkeypatch.setattr(objectives, "EVERY", 1)
    source = from_folder(SAMPLE_ENCODER)
    rows = objectives.packed(load_sample()[:9], source.vocabulary)
    watched = {name: array[:10] for name, array in rows.items()}
    learned, steps, history = objectives.go_on(source, objective, rows, watched, seed=1)
    assert steps == 2  # the first one, of which no second counts, and one that is too much
    assert any(not np.array_equal(old, new) for old, new in zip(source.weights, learned.weights, strict=True))
    assert [one["step"] for one in history] == ([0, 1, 2] if objective == ELECTRA else [])
    assert all(0 < one["fakes"] < 1 for one in history)


def test_both_files_tell_the_same() -> None:
    means = recorded_results.load_objective_runs().groupby("objective")["f1"].mean()
    results = json.loads(objectives.RESULTS.read_text())
    for one in results["f1"]:
        assert means[one["objective"]] == pytest.approx(one["mean"])
    assert set(means.index) == {objectives.NONE, *objectives.LEARNED}
    last = recorded_results.load_detective_history().groupby("seed").last()
    for one in results["detective"]:
        assert last.loc[one["seed"], "fakes_found"] == pytest.approx(one["fakes_found"])
