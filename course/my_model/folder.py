"""The folder `my_model/`, and how far the run in it has come."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from course.errors import CourseError
from course.storage.atomic import patiently
from course.storage.outputs import write_json

if TYPE_CHECKING:
    from course.data.text.vocabulary import Vocabulary

# Names the folder; if it is empty, no model is trained and none is loaded.
VARIABLE, NAME = "MY_MODEL", "my_model"
VERSION = 1

BEGINS, TRAINS, FINISHED, STOPPED, FAILED = "begins", "trains", "finished", "stopped", "failed"
STOP = "stop"  # a file in the run's folder that asks the run to stop


def my_model() -> Path | None:
    """Return the folder of the model, by default `my_model` beside the notebook; None if there is to be none."""
    if "NBGRADER_EXECUTION" in os.environ:
        return None
    named = os.environ.get(VARIABLE, NAME)
    return Path(named) if named else None


def run_of(folder: Path) -> Path:
    """Return the folder of the run: its checkpoint, its corpus, and the definitions that it trains."""
    return folder / "run"


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    Attributes:
        state: "begins", "trains", "finished", "stopped" or "failed".
        step, total: the steps made and those of the whole run.
        epochs: how often the whole run reads its text.
        pieces: how many pieces that text has.
        seconds: how long the run has trained, over all its starts; None if nobody knows.
        message: what went wrong; "" if nothing did.
        own: the learner's definitions that it trains; all others are the course's.
        left_out: why definitions of the learner are not among them.
        vocabulary: `digest_of` the model's vocabulary.
        version: of this file.
    """

    state: str
    step: int = 0
    total: int = 0
    epochs: float = 0.0
    pieces: int = 0
    seconds: float | None = 0.0
    message: str = ""
    own: tuple[str, ...] = ()
    left_out: str = ""
    vocabulary: str = ""
    version: int = VERSION

    @property
    def duration(self) -> str:
        """How long the run has trained, in words."""
        return "an unknown time" if self.seconds is None else f"{self.seconds / 60:.0f} minutes"

    def write(self, folder: Path) -> None:
        """Write progress.json.

        Raises:
            CourseError: the file cannot be written.
        """
        write_json(folder / "progress.json", asdict(self))


def read_progress(folder: Path) -> Progress | None:
    """Return what progress.json says; None if there is no such file.

    Raises:
        CourseError: the file is damaged, or another version of the course wrote it.
    """
    path = folder / "progress.json"
    try:
        values = json.loads(patiently(lambda: path.read_text(encoding="utf-8")))
        if values["version"] != VERSION:
            raise CourseError(
                f"{path} has version {values['version']}, and this course reads version {VERSION}: another version of "
                f"the course made {folder}. Rename that folder, and train a new model with my_model.start()."
            )
        values["own"] = tuple(values["own"])
        return Progress(**values)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CourseError(
            f"{path} cannot be read ({error}). Delete that file; my_model.start() then resumes from the checkpoint."
        ) from error


def digest_of(vocabulary: Vocabulary) -> str:
    """Return a hash of the pieces, by which vocabularies can be distinguished."""
    return hashlib.sha256("\n".join(vocabulary).encode()).hexdigest()[:16]
