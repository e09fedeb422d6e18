"""The stored results of the recipe for translators."""

from __future__ import annotations

import json

import numpy as np
import pytest

from course.applications.translation import recorded_results
from recipes import translation


def test_unseen_sentences_are_counted_by_length_and_seed(tmp_path, monkeypatch):
    monkeypatch.setattr(translation, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(translation, "TRANSLATION_FILE", tmp_path / "rows.json.gz")
    monkeypatch.setattr(recorded_results, "TRANSLATION_FILE", tmp_path / "rows.json.gz")
    words = np.array([5, 5, 14, 15, 15])
    results = [
        {"model": name, "seed": seed, "seconds": 2.0, "right": right, "unseen": [False, True, True, True, True]}
        for name in translation.NAMES
        for seed, right in ((1, [True, True, False, True, False]), (2, [True, False, False, True, True]))
    ]
    translation.keep(results, words)
    rows = recorded_results.load_translations()
    one = rows[(rows["model"] == "RNN") & (rows["seed"] == 1) & (rows["sentences"] > 0)].set_index("words")
    assert one[["sentences", "right"]].T.to_dict("list") == {5: [1, 1], 14: [1, 0], 15: [2, 1]}
    of_rnn = json.loads((tmp_path / "results.json").read_text())["RNN"]["exact"]
    assert of_rnn["up to 14 words"]["seeds"] == [0.5, 0.0]
    assert of_rnn["longer"]["interval"]["value"] == 0.75


@pytest.mark.parametrize("name", translation.NAMES)
def test_both_result_files_agree(name):
    exact = json.loads(translation.RESULTS.read_text())[name]["exact"]
    rows = recorded_results.load_translations()
    longer = rows[(rows["model"] == name) & (rows["words"] > 14)].groupby("seed")[["right", "sentences"]].sum()
    assert (longer["right"] / longer["sentences"]).tolist() == pytest.approx(exact["longer"]["seeds"])
    assert (
        exact["longer"]["interval"]["low"] <= np.mean(exact["longer"]["seeds"]) <= exact["longer"]["interval"]["high"]
    )
