"""A fine-tuning that is interrupted within a seed resumes after its last epoch, with the same result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from course.classification import TextClassifier
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError, Stopped
from course.training.classifier_training import Recipe, train_classifier
from course.training.epoch_checkpoint import EpochKeeper
from course.training.word_dropout import WordDropout
from tests.course.training.tiny_classifier import PIECES, classifier, texts, uncompiled

RECIPE = Recipe(learning_rate=0.02, epochs=4, batch_size=5, dropout=0.2, patience=2)
WORD_DROPOUT = WordDropout(0.2, Vocabulary(PIECES))


@pytest.fixture(autouse=True)
def _uncompiled() -> Iterator[None]:
    with uncompiled():
        yield


class Watcher:
    """Counts steps and rows."""

    def __init__(self) -> None:
        self.steps = self.rows = 0

    def begin(self, seed: int, total: int) -> None:
        self.total = total

    def step(self, loss: float) -> None:
        self.steps += 1

    def row(self, row: dict[str, float]) -> None:
        self.rows += 1


def train(
    keeper: EpochKeeper | None, watcher: Watcher | None = None, recipe: Recipe = RECIPE, dtype: str = "float32"
) -> tuple[list[dict[str, float]], TextClassifier]:
    model = classifier(dropout=0.2, dtype=dtype)
    rows = train_classifier(model, texts(23, 1), texts(9, 2), recipe, 7, watcher or Watcher(), WORD_DROPOUT, keeper)
    return rows, model


@pytest.mark.parametrize(("stops", "dtype"), [((1,), "float32"), ((1, 3), "float32"), ((1,), "mixed_float16")])
def test_a_resumed_training_ends_like_an_uninterrupted_one(stops: tuple[int, ...], dtype: str, tmp_path: Path) -> None:
    path, expected = tmp_path / "seed-7" / "checkpoint.safetensors", train(None, dtype=dtype)
    for number in stops:
        watcher = Watcher()
        keeper = EpochKeeper(path, {"a": 1}, lambda watcher=watcher, number=number: watcher.rows == number)
        with pytest.raises(Stopped, match=f"stopped after epoch {number} of seed-7. The same command resumes"):
            train(keeper, watcher, dtype=dtype)
    watcher, keeper = Watcher(), EpochKeeper(path, {"a": 1})
    rows, model = train(keeper, watcher, dtype=dtype)
    assert rows == expected[0]
    assert (watcher.rows, watcher.steps) == (len(rows), watcher.total * len(rows) // 4)
    for given, value in zip(model.get_weights(), expected[1].get_weights(), strict=True):
        np.testing.assert_array_equal(given, value)
    keeper.clear()
    assert not path.exists()


def test_keeps_the_best_epoch_and_the_patience(tmp_path: Path) -> None:
    """With a learning rate of 0, the first epoch stays the best, and training stops after two more."""
    recipe = Recipe(learning_rate=0.0, epochs=4, batch_size=5, patience=2)
    path, watcher = tmp_path / "a.safetensors", Watcher()
    with pytest.raises(Stopped):
        train(EpochKeeper(path, {}, lambda: watcher.rows == 2), watcher, recipe)
    assert len(train(EpochKeeper(path, {}), None, recipe)[0]) == 3


def test_other_settings_and_damage_are_refused(tmp_path: Path) -> None:
    path, watcher = tmp_path / "a.safetensors", Watcher()
    with pytest.raises(Stopped):
        train(EpochKeeper(path, {"a": 1, "b": 2}, lambda: watcher.rows == 1), watcher)
    with pytest.raises(CourseError, match=r"belongs to a fine-tuning with other settings: b\. Name another folder"):
        train(EpochKeeper(path, {"a": 1, "b": 3}))
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(CourseError, match="is not a checkpoint of a training"):
        train(EpochKeeper(path, {"a": 1, "b": 2}))
