"""The recipe for positions: its stored results, and that they support the lesson."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from course.training import longer_texts
from recipes import positions


def losses_of(reading: str, seed: int) -> dict[int, list[float]]:
    lengths = positions.LENGTHS[:1] if reading == "learned" else positions.LENGTHS
    return {length: [seed + length / 32, seed + length / 16] for length in lengths}


def test_losses_are_stored_by_reading_seed_and_length(tmp_path, monkeypatch):
    monkeypatch.setattr(positions, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(positions, "LONGER_TEXTS_FILE", tmp_path / "rows.json.gz")
    monkeypatch.setattr(longer_texts, "LONGER_TEXTS_FILE", tmp_path / "rows.json.gz")
    measured = [
        {"reading": reading, "seed": seed, "seconds": 2.0, "losses": losses_of(reading, seed)}
        for reading in positions.READINGS
        for seed in (1, 2)
    ]
    positions.keep(measured)
    rows = longer_texts.load_longer_texts()
    assert rows[rows["reading"] == "learned"]["words"].tolist() == [32, 32]
    of_none = rows[rows["reading"] == "no positions"].set_index(["seed", "words"])["loss"]
    assert of_none[1, 32] == 1 + 1.5
    assert of_none[2, 256] == 2 + 12
    of_256 = json.loads((tmp_path / "results.json").read_text())["no positions"]["loss"]["256"]
    assert of_256["seeds"] == [13, 14]
    assert of_256["interval"]["value"] == 13.5
    assert 9.5 <= of_256["interval"]["low"] <= 13.5 <= of_256["interval"]["high"] <= 17.5


@pytest.mark.parametrize("reading", positions.READINGS)
def test_both_result_files_agree(reading):
    results = json.loads(positions.RESULTS.read_text())[reading]["loss"]
    rows = longer_texts.load_longer_texts()
    rows = rows[rows["reading"] == reading]
    assert set(rows["words"].astype(str)) == set(results)
    for words, of_length in rows.groupby("words"):
        measured = results[str(words)]
        assert of_length.sort_values("seed")["loss"].tolist() == pytest.approx(measured["seeds"], abs=1e-4)
        assert measured["interval"]["low"] <= np.mean(measured["seeds"]) <= measured["interval"]["high"]


def test_a_model_is_trained_and_evaluated_at_each_length(monkeypatch):
    from course.data.datasets import load_sample
    from course.data.text.vocabulary import train_vocabulary
    from course.masked_lm import unigram_probabilities

    monkeypatch.setattr(positions, "TEST_BLOCKS", 4)
    vocabulary = train_vocabulary(load_sample()["description"][:50], size=200)
    words = np.random.default_rng(1).integers(5, len(vocabulary), positions.TEST_BLOCKS * max(positions.LENGTHS))
    probabilities = unigram_probabilities(words, len(vocabulary), vocabulary.special_ids)
    for kind, scaling in (("rope", positions.READINGS["RoPE, YaRN"][1]), ("learned", None)):
        model = positions.MaskedWords(vocabulary, probabilities, kind, max_length=positions.longest_of(kind))
        model(words[:32][None])
        measured = positions.losses(model, scaling, words)
        assert list(measured) == [32, 64, 128, 256][: 4 if kind == "rope" else 1]
        assert {len(each) for each in measured.values()} == {positions.TEST_BLOCKS}
        if kind == "rope":  # the same weights: with a factor of 1, scaling changes nothing
            assert measured[32] == pytest.approx(positions.losses(model, None, words)[32], abs=1e-4)


def test_every_seed_supports_the_statements_of_the_lesson():
    measured = longer_texts.load_longer_texts().pivot_table(index="seed", columns=["reading", "words"], values="loss")
    assert len(measured) == 3
    by_rank = [measured[reading, 256] for reading in ("RoPE, YaRN", "RoPE, NTK", "RoPE", "RoPE, linear")]
    for better, worse in itertools.pairwise(by_rank):
        assert (better < worse - 0.1).all()
    assert (measured["RoPE", 64] < measured["RoPE, YaRN", 64] - 0.1).all()
    assert (measured["RoPE", 64] < measured["RoPE", 32] + 0.2).all()
    for words in positions.LENGTHS:
        assert (abs(measured["ALiBi", words] - measured["ALiBi", 32]) < 0.1).all()
        assert (abs(measured["sinusoidal", words] - measured["no positions", words]) < 0.2).all()
    assert (abs(measured["learned", 32] - measured["no positions", 32]) < 0.2).all()
    assert (measured["no positions", 32] > measured["ALiBi", 32] + 1).all()
