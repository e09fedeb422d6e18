"""The recipe with each objective: its measurements, its stored results, and its section of the page."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import typer

from course.cli import app
from course.data.corpus.token_arrays import Shard
from course.presets import PRESETS
from course.storage.outputs import write_json
from course.training.pretraining_settings import Settings
from recipes import ag_news_objectives as recipe
from recipes.ag_news import PRETRAINING, stages
from recipes.ag_news_objectives_page import section_of
from recipes.paths import Paths
from tests.course.data.corpus.small_corpus import random_shard, small_corpus
from tests.course.training.micro_runs import MICRO, Killed, Watcher


def clock_at(path: Path, seconds: list[float], monkeypatch: pytest.MonkeyPatch) -> recipe.Clock:
    """A clock that reads these processor times, one after the other."""
    monkeypatch.setattr(recipe.time, "process_time", iter(seconds).__next__)
    return recipe.Clock(path, Watcher())


class TestClock:
    def test_the_first_step_is_not_counted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = clock_at(tmp_path / "clock.json", [50.0, 52.0, 57.0], monkeypatch)
        clock.begin(total=4, done=0)
        for tokens in (1000, 70):
            clock.step(tokens)
        clock.row({"step": 2})
        for tokens in (80, 90):
            clock.step(tokens)
        clock.row({"step": 4})
        assert clock.rows == [
            {"step": 2, "tokens": 70, "seconds": 2.0},
            {"step": 4, "tokens": 170, "seconds": 5.0},
        ]
        assert json.loads((tmp_path / "clock.json").read_text()) == clock.rows
        history = [{"masked_lm_loss": float(loss)} for loss in (90, *range(10))]
        result = recipe.read_in(clock.rows, history)
        assert result == {"steps": 4, "minutes": 7 / 60, "tokens_per_second": 240 / 7, "loss": 4.5}

    def test_rows_after_the_checkpoint_are_dropped(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        kept = [{"step": step, "tokens": 10 * step, "seconds": 1.0} for step in (3, 6, 9)]
        (tmp_path / "clock.json").write_text(json.dumps(kept))
        clock = clock_at(tmp_path / "clock.json", [20.0, 24.0], monkeypatch)
        clock.begin(total=9, done=6)
        for tokens in (1000, 11, 13):
            clock.step(tokens)
        clock.row({"step": 9})
        assert clock.rows == [*kept[:2], {"step": 9, "tokens": 24, "seconds": 4.0}]


class TestPretrainings:
    def test_settings_equal_those_of_the_recipe(self) -> None:
        arguments = stages(Paths(Path("to")))["pretrain"]
        command: Any = typer.main.get_command(app)
        result = command.commands["pretrain"].make_context("pretrain", arguments[1:]).params
        result["num_buckets"] = result.pop("buckets")
        assert {name: result[name] for name in PRETRAINING} == PRETRAINING
        for settings in recipe.WAYS.values():
            assert {name: getattr(settings, name) for name in PRETRAINING} == PRETRAINING

    def test_the_number_of_steps_follows_from_the_measured_pace(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(PRESETS, "micro", MICRO)
        monkeypatch.setattr(recipe, "_STEPS_OF_PACE", 4)
        corpus = small_corpus(tmp_path / "corpus", [random_shard(np.random.default_rng(5), 40)])
        settings = Settings("micro", max_length=16, batch_tokens=64, num_buckets=1, log_every=2, objective="mlm")
        times = iter(np.arange(100) / 8)  # an eighth of a second passes between two readings of the clock
        monkeypatch.setattr(recipe.time, "process_time", lambda: float(next(times)))
        # The clock is read after the first step, and at the rows of steps 2 and 4: two eighths for three steps.
        assert recipe.steps_in(2.0, corpus, tmp_path / "run", settings) == 24
        monkeypatch.setattr(recipe, "timed_pretraining", None)  # not again
        assert recipe.steps_in(1.0, corpus, tmp_path / "run", settings) == 12

    def test_a_killed_pretraining_resumes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(PRESETS, "micro", MICRO)
        corpus = small_corpus(tmp_path / "corpus", [random_shard(np.random.default_rng(5), 40)])
        settings = Settings("micro", max_length=16, batch_tokens=64, num_buckets=1, log_every=2, objective="mlm")
        monkeypatch.setattr(recipe, "ProgressBar", lambda progress: Watcher(killed_at=205))
        with pytest.raises(Killed):
            recipe.timed_pretraining(corpus, tmp_path / "run", settings, 206)
        monkeypatch.setattr(recipe, "ProgressBar", lambda progress: Watcher())
        rows = recipe.timed_pretraining(corpus, tmp_path / "run", settings, 206)
        assert [row["step"] for row in rows] == list(range(2, 207, 2))

    def test_loss_by_frequency_is_the_entropy(self, tmp_path: Path) -> None:
        pieces = np.repeat([5, 6, 7], [2, 1, 1]).astype("uint16")
        corpus = small_corpus(tmp_path / "corpus", [Shard.of_lengths(pieces, np.array([4]), np.array([1]))])
        assert recipe.loss_by_frequency(corpus) == pytest.approx(1.5 * np.log(2))


class TestFineTuning:
    def test_more_seeds_give_new_stages(self) -> None:
        one, two = (recipe.fine_tuning(Path("to"), rows=50, seeds=seeds) for seeds in (1, 2))
        assert not one.keys() & two.keys()
        assert len(one) == len(two) == 1 + len(recipe.WAYS)

    def test_each_stage_starts_from_its_own_encoder_and_the_twin_from_none(self) -> None:
        result = recipe.fine_tuning(Path("to"), rows=50, seeds=1)
        command: Any = typer.main.get_command(app)
        for way in (recipe.NONE, *recipe.WAYS):
            folder = recipe.folder_of(Path("to"), "mlm+nsp" if way == recipe.NONE else way)
            arguments = result[f"fine-tune {way}, 1 x 50"]
            params = command.commands["finetune"].make_context("finetune", arguments[1:]).params
            assert (params["source"], params["rows"], params["seeds"]) == (folder / "encoder", 50, 1)
            assert params["fresh"] == (way == recipe.NONE)
            assert params["to"] == folder / ("fresh" if way == recipe.NONE else "pretrained")


def test_summary_compares_each_objective_with_the_recipe_by_article() -> None:
    right = {
        recipe.NONE: np.array([[0, 1, 0, 1, 1], [1, 0, 0, 0, 1]], bool),
        "mlm+nsp": np.array([[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]], bool),
        "mlm packed": np.array([[1, 1, 1, 1, 1], [0, 0, 1, 1, 0]], bool),
    }
    result = recipe.summary({"minutes": 0.5}, {"mlm+nsp": {"steps": 8}, "mlm packed": {"steps": 9}}, right)
    assert result["settings"] == {"minutes": 0.5, "test_articles": 5}
    none, pairs, packed = (result["objectives"][way] for way in right)
    assert none["pretraining"] is None
    assert packed["pretraining"] == {"steps": 9}
    assert pairs["accuracies"] == [1.0, 0.8]
    assert pairs["gain"] is None
    assert none["mean"] == pytest.approx(0.5)
    assert pairs["deviation"] == pytest.approx(0.2 / 2**0.5)
    # Of the seeds are right 1/2, 1/2, 1, 1, 1/2 and 1, 1, 1, 1, 1/2: the gaps are -1/2, -1/2, 0, 0, 0.
    gain, low, high = packed["gain"]
    assert gain == pytest.approx(-0.2)
    # With ½ more text in each of the four cells, the sum of the gaps is the same, and that of their squares 1 more.
    assert (low + high) / 2 == pytest.approx(-1 / 7)
    assert (high - low) / 2 == pytest.approx(1.959964 * ((0.5 + 1) / 7 - 1 / 7**2) ** 0.5 / 7**0.5)


def test_each_classifier_predicts_every_article(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file name stands for the logits of its model."""
    logits = {"one": [[2.0, 1.0, 0.0], [0.0, 0.0, 9.0]], "two": [[0.0, 3.0, 1.0], [0.0, 1.0, 9.0]]}
    reader = SimpleNamespace(read_frame=lambda test: test["text"].tolist())
    monkeypatch.setattr(recipe, "load_classifier", lambda file: (logits[file.name], reader))
    monkeypatch.setattr(recipe, "predict_logits", lambda model, texts: np.array(model)[[int(text) for text in texts]])
    test = pd.DataFrame({"text": ["1", "0", "1"], "label": [2, 0, 1]})
    result = recipe.right_of([Path("one"), Path("two")], test)
    assert result.tolist() == [[True, True, False], [True, False, False]]


def test_the_page_shows_the_stored_results(tmp_path: Path) -> None:
    right = {recipe.NONE: np.array([[0, 1, 0]], bool), "mlm+nsp": np.array([[1, 1, 0]], bool)}
    read = {"steps": 1800, "minutes": 0.5, "tokens_per_second": 4321.0, "loss": 6.25}
    settings = {"minutes": 0.5, "batch_tokens": 256, "rows": 60, "articles": 1234, "loss_by_frequency": 7.125}
    kept = tmp_path / "kept.json"
    write_json(kept, recipe.summary(settings, {"mlm+nsp": read}, right))
    section = section_of(kept)
    assert section.startswith("## AG News with each objective")
    assert "--minutes 0.5 --batch-tokens 256 --rows 60 --seeds 1" in section
    assert "a loss of 7.12." in section and "1,234 articles" in section and "3 test articles" in section
    lines = section.splitlines()
    assert "| mlm+nsp | 1,800 | 0.5 | 4,321 | 6.25 | 66.67% | 66.67% |  |" in lines
    (twin,) = [line for line in lines if line.startswith("| none |")]
    assert twin.startswith("| none | | | | | 33.33% | 33.33% | -33.33 (")
