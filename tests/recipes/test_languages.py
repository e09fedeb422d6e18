"""What the recipe of two languages keeps, and that what it measures is what it says."""

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


def test_runs_are_kept_with_what_they_come_to(tmp_path, monkeypatch):
    for module in (languages, recorded_results):
        monkeypatch.setattr(module, "LANGUAGES_FILE", tmp_path / "rows.json.gz")
    monkeypatch.setattr(languages, "RESULTS", tmp_path / "results.json")
    languages.keep(RUNS)
    assert recorded_results.load_language_runs().to_dict("records") == [
        {key: run[key] for key in RUNS[0]} for run in RUNS
    ]
    found = {one["alpha"]: one for one in json.loads((tmp_path / "results.json").read_text())["runs"]}
    assert (found[1.0]["large mean"], found[1.0]["small max"], found[1.0]["verbs_last mean"]) == (2.0, 4.5, 0.25)


def test_both_files_tell_the_same() -> None:
    means = recorded_results.load_language_runs().groupby("alpha")[["large", "small"]].mean()
    for one in json.loads(languages.RESULTS.read_text())["runs"]:
        assert one["large mean"] == pytest.approx(means.loc[one["alpha"], "large"])
        assert one["small mean"] == pytest.approx(means.loc[one["alpha"], "small"])


def test_a_sentence_stands_between_its_marks() -> None:
    rows = languages.rows_of([["the", "dog", "sees", "a", "tree"]])
    vocabulary = languages.VOCABULARY
    assert vocabulary.pieces_of(rows[0, :7].tolist()) == ["[CLS]", "the", "dog", "sees", "a", "tree", "[SEP]"]
    assert rows.shape == (1, languages.LENGTH) and (rows[0, 7:] == vocabulary.padding_id).all()


def test_what_learned_the_small_language_puts_its_verb_last(monkeypatch):
    """From plenty of it, it learns that soon; from none of it, it cannot know."""
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
