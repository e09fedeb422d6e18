"""What a fine-tuning needs to go on inside a seed: a checkpoint after each epoch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import keras
import numpy as np

from course.errors import CourseError, Stopped
from course.training.checkpoint import load_arrays, load_checkpoint, read_note, save_checkpoint

# What was measured in an epoch: "epoch", "loss", "held_out_loss" and "held_out_accuracy".
Row = dict[str, float]

_BEST = "best-"  # how the names of the best weights begin


@dataclass
class EpochState:
    """Where a training is between two epochs.

    Attributes:
        rows: what was measured in each epoch that was run.
        best: accuracy and loss, negative, of the best of them.
        best_weights: those that the model had then.
        waited: how many epochs have passed since.
    """

    best_weights: list[np.ndarray]
    rows: list[Row] = field(default_factory=list)
    best: tuple[float, float] = (float("-inf"), float("-inf"))
    waited: int = 0

    def measured(self, row: Row, model: keras.Model) -> None:
        """Takes note of an epoch."""
        self.rows.append(row)
        self.waited += 1
        reached = (row["held_out_accuracy"], -row["held_out_loss"])
        if reached > self.best:
            self.best, self.best_weights, self.waited = reached, model.get_weights(), 0


class EpochKeeper:
    """Saves a fine-tuning after each epoch, and goes on with one that was interrupted.

    Args:
        path: the file of the checkpoint.
        settings: what must be the same for a training to go on, as plain values.
        stop: is asked after each epoch whether to stop there.
    """

    def __init__(self, path: Path, settings: dict[str, Any], stop: Callable[[], bool] = lambda: False) -> None:
        self.path, self.settings, self.stop = path, settings, stop

    def resume(self, model: keras.Model, random: np.random.Generator) -> EpochState:
        """Puts what was saved into a model and a generator that were made as those that were; else changes nothing.

        Raises:
            CourseError: the checkpoint is damaged, or is of a training with other settings.
        """
        note = read_note(self.path)
        if note is None:
            return EpochState(model.get_weights())
        different = [name for name in self.settings if note["settings"].get(name) != self.settings[name]]
        if different:
            raise CourseError(
                f"{self.path} is of a fine-tuning with other settings: {', '.join(different)}. Name another folder, or "
                "delete this one."
            )
        load_checkpoint(self.path, model)
        random.bit_generator.state = note["random"]
        best = load_arrays(self.path, _BEST)
        return EpochState([best[name] for name in sorted(best)], note["rows"], tuple(note["best"]), note["waited"])

    def save(self, model: keras.Model, random: np.random.Generator, state: EpochState) -> None:
        """Writes the checkpoint.

        Raises:
            Stopped: it is written, and the training is to stop here.
            CourseError: it cannot be written.
        """
        note = {
            "settings": self.settings,
            "random": random.bit_generator.state,
            "rows": state.rows,
            "best": state.best,
            "waited": state.waited,
        }
        best = {f"{_BEST}{number:05}": values for number, values in enumerate(state.best_weights)}
        save_checkpoint(self.path, model, note, best)
        if self.stop():
            raise Stopped(
                f"stopped after epoch {len(state.rows)} of {self.path.parent.name}. The same command goes on there."
            )

    def clear(self) -> None:
        """Removes the checkpoint of a training that is at its end."""
        self.path.unlink(missing_ok=True)
