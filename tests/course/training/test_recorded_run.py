"""The recorded full trainings that come with the course."""

from pathlib import Path

import pytest

from course.training import recorded_run as full_run
from course.training.recorded_run import load_full_fine_tuning, load_full_pretraining


class TestLoadFullPretraining:
    def test_is_a_training_that_learned(self) -> None:
        full = load_full_pretraining()
        assert full.history["step"].is_monotonic_increasing
        assert full.history["masked_lm_loss"].iloc[-1] < full.history["masked_lm_loss"].iloc[0] - 3
        assert full.history["next_sentence_accuracy"].iloc[0] < 0.6 < full.history["next_sentence_accuracy"].iloc[-1]
        assert "tuesday" in full.neighbours["monday"]

    def test_missing_file_says_how_to_get_it(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(full_run, "PRETRAINING_FILE", tmp_path / "not_here.json.gz")
        with pytest.raises(FileNotFoundError, match=r"not_here\.json\.gz.*git checkout datasets"):
            load_full_pretraining()


class TestLoadFullFineTuning:
    def test_has_the_same_seeds_of_each_kind(self) -> None:
        full = load_full_fine_tuning()
        assert full.test.groupby("start")["seed"].apply(list).to_dict() == {
            "pretrained": [1, 2, 3],
            "fresh": [1, 2, 3],
            "baseline": [0],
        }
        assert full.test["accuracy"].between(0.8, 1).all()
        starts = full.history.groupby(["start", "seed"])["epoch"].apply(list)
        assert len(starts) == 6
        assert all(epochs == sorted(epochs) for epochs in starts)

    def test_missing_file_says_how_to_get_it(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(full_run, "FINE_TUNING_FILE", tmp_path / "not_here.json.gz")
        with pytest.raises(FileNotFoundError, match=r"not_here\.json\.gz.*git checkout datasets"):
            load_full_fine_tuning()
