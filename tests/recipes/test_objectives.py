"""The recipe for three objectives: its stored results, and how it counts time."""

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


def test_runs_are_stored_with_their_mean_and_the_last_state_of_the_discriminator(tmp_path, monkeypatch):
    monkeypatch.setattr(objectives, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(objectives, "OBJECTIVES_FILE", tmp_path / "rows.json.gz")
    monkeypatch.setattr(recorded_results, "OBJECTIVES_FILE", tmp_path / "rows.json.gz")
    objectives.keep(RUNS, LOOKS)
    assert recorded_results.load_objective_runs().to_dict("records") == RUNS
    assert recorded_results.load_discriminator_history().to_dict("records") == LOOKS
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["f1"][1] == {"objective": "span", "steps": 7.0, "mean": 0.75, "min": 0.7, "max": 0.8}
    assert results["discriminator"] == [LOOKS[1]]


@pytest.mark.parametrize("objective", [SPANS, ELECTRA])
def test_pretraining_continues_for_the_given_seconds(objective, monkeypatch):
    monkeypatch.setattr(objectives, "SECONDS", 0.0)
    monkeypatch.setattr(objectives, "LENGTH", 23)
    monkeypatch.setattr(objectives, "BATCH", 5)
    monkeypatch.setattr(objectives, "WATCHED", 10)
    monkeypatch.setattr(objectives, "EVERY", 1)
    source = from_folder(SAMPLE_ENCODER)
    rows = objectives.packed(load_sample()[:9], source.vocabulary)
    watched = {name: array[:10] for name, array in rows.items()}
    learned, steps, history = objectives.go_on(source, objective, rows, watched, seed=1)
    assert steps == 2  # the first one, which does not count, and one that exceeds the time
    assert any(not np.array_equal(old, new) for old, new in zip(source.weights, learned.weights, strict=True))
    assert [record["step"] for record in history] == ([0, 1, 2] if objective == ELECTRA else [])
    assert all(0 < record["fakes"] < 1 for record in history)


def test_both_result_files_agree() -> None:
    means = recorded_results.load_objective_runs().groupby("objective")["f1"].mean()
    results = json.loads(objectives.RESULTS.read_text())
    for record in results["f1"]:
        assert means[record["objective"]] == pytest.approx(record["mean"])
    assert set(means.index) == {objectives.NONE, *objectives.LEARNED}
    last = recorded_results.load_discriminator_history().groupby("seed").last()
    for record in results["discriminator"]:
        assert last.loc[record["seed"], "fakes_found"] == pytest.approx(record["fakes_found"])
