"""The recipe for denoising: its stored results, its measures, and that a translator learns."""

from __future__ import annotations

import json

import numpy as np
import pytest

from course.applications.translation.toy_language import TARGET_WORDS, sentences
from course.applications.translation.words import END_ID, PADDING_ID
from course.given import recorded_results
from recipes import denoising

RUNS = [
    {"kind": "mask", "seed": 1, "untouched": 0.0, "grammar": 0.75, "exact": 0.25},
    {"kind": "mask", "seed": 2, "untouched": 0.0, "grammar": 0.25, "exact": 0.125},
    {"kind": "delete", "seed": 1, "untouched": 0.5, "grammar": 0.5, "exact": 0.25},
]
TEXTS = [sentence.target for sentence in sentences(23, seed=5, longest=denoising.LONGEST)]


def test_runs_are_stored_with_their_summary(tmp_path, monkeypatch):
    for module in (denoising, recorded_results):
        monkeypatch.setattr(module, "DENOISING_FILE", tmp_path / "rows.json.gz")
    monkeypatch.setattr(denoising, "RESULTS", tmp_path / "results.json")
    denoising.keep(RUNS)
    assert recorded_results.load_denoising_runs().to_dict("records") == RUNS
    result = json.loads((tmp_path / "results.json").read_text())["runs"]
    assert [(run["kind"], run["grammar mean"], run["exact max"]) for run in result] == [
        ("mask", 0.5, 0.25),
        ("delete", 0.5, 0.25),
    ]


def test_both_result_files_agree() -> None:
    means = recorded_results.load_denoising_runs().groupby("kind")["exact"].mean()
    for run in json.loads(denoising.RESULTS.read_text())["runs"]:
        assert run["exact mean"] == pytest.approx(means[run["kind"]])


@pytest.mark.parametrize("kind", denoising.KINDS)
def test_every_noise_leaves_rows_with_an_end_token(kind: str) -> None:
    rows = denoising.spoiled(TEXTS, kind, np.random.default_rng(1))
    assert len(rows) == len(TEXTS)
    for row in rows:
        end = row.tolist().index(END_ID)
        assert (row[end + 1 :] == PADDING_ID).all() and (row[:end] != PADDING_ID).all()
    assert denoising.WORDS.texts(rows) != TEXTS


def test_every_word_has_a_kind_that_includes_its_gender() -> None:
    assert denoising.KIND_OF.keys() == set(TARGET_WORDS)
    of_a_man, of_a_cat, of_both = ["lo", "kelo"], ["la", "mira"], ["lo", "mira"]
    kinds = denoising.kinds_of([of_a_man, of_a_cat, of_both, ["lo", "tarmo"], ["[MASK]"]])
    assert kinds[0] == kinds[3] and kinds[0] != kinds[1] and kinds[2] not in kinds[:2]
    assert kinds[4] == ["[MASK]"]


def test_a_translator_learns_to_copy_sentences_without_noise(monkeypatch):
    monkeypatch.setattr(denoising, "STEPS", 200)
    monkeypatch.setattr(denoising, "SENTENCES", 3000)
    monkeypatch.setattr(denoising, "RATE", 0.0)  # no noise, so the translator only has to copy
    result = denoising.measure("delete", 1, TEXTS)
    assert result["untouched"] == 1.0
    assert 0.7 < result["exact"] <= result["grammar"]
