"""The recipe for two languages: its stored results and its measures."""

from __future__ import annotations

import json

import numpy as np
import pytest

from course.applications.translation.toy_language import VERBS, sentences
from course.given import recorded_results
from recipes import languages

RUNS = [
    {"alpha": 1.0, "seed": 1, "verbs_last": 0.0, "large": 2.5, "small": 4.0},
    {"alpha": 1.0, "seed": 2, "verbs_last": 0.5, "large": 1.5, "small": 4.5},
    {"alpha": 0.3, "seed": 1, "verbs_last": 1.0, "large": 2.75, "small": 3.0},
]


def test_runs_are_stored_with_their_summary(tmp_path, monkeypatch):
    for module in (languages, recorded_results):
        monkeypatch.setattr(module, "LANGUAGES_FILE", tmp_path / "rows.json.gz")
    monkeypatch.setattr(languages, "RESULTS", tmp_path / "results.json")
    languages.keep(RUNS)
    assert recorded_results.load_language_runs().to_dict("records") == [
        {key: run[key] for key in RUNS[0]} for run in RUNS
    ]
    by_alpha = {record["alpha"]: record for record in json.loads((tmp_path / "results.json").read_text())["runs"]}
    assert (by_alpha[1.0]["large mean"], by_alpha[1.0]["small max"], by_alpha[1.0]["verbs_last mean"]) == (
        2.0,
        4.5,
        0.25,
    )


def test_both_result_files_agree() -> None:
    means = recorded_results.load_language_runs().groupby("alpha")[["large", "small"]].mean()
    for record in json.loads(languages.RESULTS.read_text())["runs"]:
        assert record["large mean"] == pytest.approx(means.loc[record["alpha"], "large"])
        assert record["small mean"] == pytest.approx(means.loc[record["alpha"], "small"])


def test_a_sentence_is_between_cls_and_sep() -> None:
    rows = languages.rows_of([["the", "dog", "sees", "a", "tree"]])
    vocabulary = languages.VOCABULARY
    assert vocabulary.pieces_of(rows[0, :7].tolist()) == ["[CLS]", "the", "dog", "sees", "a", "tree", "[SEP]"]
    assert rows.shape == (1, languages.LENGTH) and (rows[0, 7:] == vocabulary.padding_id).all()


def test_an_encoder_of_the_small_language_guesses_a_verb_last(monkeypatch):
    """With much text of the small language, the encoder learns this soon; without any, it cannot."""
    monkeypatch.setattr(languages, "STEPS", 300)
    monkeypatch.setattr(languages, "COUNTS", (1, 1))
    tests = sentences(31, seed=0, longest=languages.LONGEST)
    drawn = sentences(2000, seed=1, longest=languages.LONGEST)
    rows = [languages.rows_of([s.source for s in drawn]), languages.rows_of([s.target for s in drawn])]
    knows = languages.learn(rows, 1.0, seed=1)
    assert languages.verbs_last(knows, tests) > 0.8
    monkeypatch.setattr(languages, "COUNTS", (1, 0))
    knows_not = languages.learn(rows, 1.0, seed=1)
    assert languages.verbs_last(knows_not, tests) < 0.1
    small = languages.rows_of([s.target for s in tests])
    assert languages.loss(knows, small) < languages.loss(knows_not, small) - 1
    assert languages.loss(knows, small) == languages.loss(knows, small)
    assert all(sentence.target[-1] in VERBS.values() for sentence in tests) and np.isfinite(
        languages.loss(knows, small)
    )
