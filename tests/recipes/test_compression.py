"""The stored results of the recipe for small models."""

from __future__ import annotations

import gzip
import json
from itertools import product

import pytest

from course.applications.distillation import recorded_results
from recipes import compression


def test_results_are_stored_in_the_form_that_the_lesson_reads(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(compression, "COMPRESSION_FILE", tmp_path / "runs.json.gz")
    monkeypatch.setattr(recorded_results, "COMPRESSION_FILE", tmp_path / "runs.json.gz")
    row = {"model": "teacher", "int8": True, "seed": 2, "accuracy": 0.75, "megabytes": 1.5}
    compression.keep({"runs": [row], "speed": {"vnni": False}})
    runs, speed = recorded_results.load_compression_runs()
    assert runs.to_dict("records") == [row]
    assert speed == {"vnni": False}


def test_both_result_files_agree() -> None:
    results = json.loads(compression.RESULTS.read_text(encoding="utf-8"))
    assert json.loads(gzip.decompress(recorded_results.COMPRESSION_FILE.read_bytes())) == results
    runs, speed = recorded_results.load_compression_runs()
    # Each model from each seed, in floats and in 8 bits, exactly once.
    expected = [*product(compression.MODELS, (False, True), compression.SEEDS)]
    assert sorted(runs[["model", "int8", "seed"]].itertuples(index=False, name=None)) == sorted(expected)
    for times in speed["milliseconds"].values():
        assert times["times as fast"] == pytest.approx(times["float32"] / times["int8"])
