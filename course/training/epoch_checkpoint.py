"""Save a checkpoint after each epoch, so that a fine-tuning can resume within a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import keras
import numpy as np

from course.errors import CourseError, Stopped
from course.training.checkpoint import load_arrays, load_checkpoint, read_note, save_checkpoint

# The measurements of an epoch: "epoch", "loss", "held_out_loss" and "held_out_accuracy".
Row = dict[str, float]

_BEST = "best-"  # how the names of the best weights begin


@dataclass
class EpochState:
    """The state of a training between two epochs.

    Attributes:
        rows: the measurements of each epoch that was run.
        best: accuracy and negative loss of the best epoch.
        best_weights: the model's weights after the best epoch.
        waited: how many epochs have passed since the best one.
    """

    best_weights: list[np.ndarray]
    rows: list[Row] = field(default_factory=list)
    best: tuple[float, float] = (float("-inf"), float("-inf"))
    waited: int = 0

    def measured(self, row: Row, model: keras.Model) -> None:
        """Record an epoch."""
        self.rows.append(row)
        self.waited += 1
        reached = (row["held_out_accuracy"], -row["held_out_loss"])
        if reached > self.best:
            self.best, self.best_weights, self.waited = reached, model.get_weights(), 0


class EpochKeeper:
    """Saves a fine-tuning after each epoch, and resumes an interrupted one.

    Args:
        path: the file of the checkpoint.
        settings: plain values that must be the same for a training to resume.
        stop: called after each epoch; returns whether to stop there.
    """

    def __init__(self, path: Path, settings: dict[str, Any], stop: Callable[[], bool] = lambda: False) -> None:
        self.path, self.settings, self.stop = path, settings, stop

    def resume(self, model: keras.Model, random: np.random.Generator) -> EpochState:
        """Load the checkpoint into a model and a generator made like the saved ones. Without one, change nothing.

        Raises:
            CourseError: the checkpoint is damaged, or belongs to a training with other settings.
        """
        note = read_note(self.path)
        if note is None:
            return EpochState(model.get_weights())
        different = [name for name in self.settings if note["settings"].get(name) != self.settings[name]]
        if different:
            raise CourseError(
                f"{self.path} belongs to a fine-tuning with other settings: {', '.join(different)}. Name another "
                "folder, or delete this one."
            )
        load_checkpoint(self.path, model)
        random.bit_generator.state = note["random"]
        best = load_arrays(self.path, _BEST)
        return EpochState([best[name] for name in sorted(best)], note["rows"], tuple(note["best"]), note["waited"])

    def save(self, model: keras.Model, random: np.random.Generator, state: EpochState) -> None:
        """Write the checkpoint.

        Raises:
            Stopped: the checkpoint is written, and the training must stop here.
            CourseError: the checkpoint cannot be written.
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
                f"stopped after epoch {len(state.rows)} of {self.path.parent.name}. The same command resumes there."
            )

    def clear(self) -> None:
        """Remove the checkpoint of a finished training."""
        self.path.unlink(missing_ok=True)
