"""python -m course.my_model.training FOLDER [MY_BERT]: the process that trains the learner's own model.

It trains what `recipes/sample_encoder.py` trains, with the same settings, on the same text, in `course.training`.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.environment import prepare_tensorflow
from course.errors import CourseError, Stopped
from course.my_model.card import write_card
from course.my_model.definitions import settle, settled, use
from course.my_model.folder import (
    BEGINS,
    FAILED,
    FINISHED,
    STOP,
    STOPPED,
    TRAINS,
    Progress,
    digest_of,
    read_progress,
    run_of,
)
from course.storage.alone import alone

if TYPE_CHECKING:  # these import the definitions that the learner's replace
    import keras

    from course.data.text.vocabulary import Vocabulary
    from course.training.pretraining_settings import Settings

_VOCABULARY_SIZE = 4000
_LOWER_PRIORITY = 5


def settings_of_the_run(**others: Any) -> Settings:
    """Return the settings of the encoder that comes with the course, with some others for a shorter run."""
    from course.training.pretraining_settings import Settings

    settings: dict[str, Any] = {"preset": "tiny", "layers": 4, "epochs": 16, "learning_rate": 6e-4, "warmup": 0.1}
    settings |= {"batch_tokens": 2048, "num_buckets": 16, "dropout": 0.0, "attention_dropout": 0.0}
    return Settings(**settings | others)


def train(folder: Path, my_bert: Path | None, save_every: int = 200, **others: Any) -> None:
    """Train the model in a folder, or resume its training. After each checkpoint, the folder holds the model.

    Args:
        folder: `my_model`.
        my_bert: the learner's definitions. They are read when the run begins, and not when it resumes.
        save_every: steps from one checkpoint to the next.
        others: settings of a shorter run.

    Raises:
        CourseError, ValueError: as for `course.training.pretraining.pretrain`; or definitions were left out for which
            the course has none.
        Stopped: the file `STOP` asked for it.
        NotImplementedError: in a bundle of chapter 7, an exercise has not passed.
    """
    from course.data.corpus.preparation import prepare, threads
    from course.data.corpus.sources import SAMPLE, open_corpus

    run = run_of(folder)
    progress = read_progress(folder)
    if progress is None:  # of a checkpoint without progress.json, nobody knows how long it took
        progress = Progress(BEGINS, seconds=None if (run / "checkpoint.safetensors").exists() else 0.0)
    progress = replace(progress, state=BEGINS, message="")
    progress.write(folder)
    with threads() as executor:
        corpus = prepare(open_corpus(SAMPLE), run / "corpus", executor, vocabulary_size=_VOCABULARY_SIZE)
    has_begun = (run / "checkpoint.safetensors").exists() and (run / "definitions.json").exists()
    definitions = settled(run) if has_begun else settle(run, my_bert)
    own = use(run, definitions.modules)
    if definitions.called is not None:
        own = tuple(name for name in own if name in definitions.called)
    from course.training.pretraining import pretrain  # not earlier: its classes derive from those in use now

    settings = settings_of_the_run(**others)
    progress = replace(
        progress,
        epochs=settings.epochs,
        pieces=int(corpus.description["pieces"]),
        own=own,
        left_out=definitions.left_out,
        vocabulary=digest_of(corpus.vocabulary),
    )
    progress.write(folder)
    watcher = _Watcher(folder, progress)

    def saved(model: keras.Model) -> None:
        try:
            export(model, folder, corpus.vocabulary)
            write_card(folder)
        except (OSError, CourseError):  # on Windows, while somebody reads it; the next checkpoint is exported again
            if watcher.progress.step == watcher.progress.total:
                raise

    try:
        pretrain(corpus, run, settings, watcher, save_every, stop=(run / STOP).exists, saved=saved)
    except NotImplementedError as error:
        why = definitions.left_out.rstrip(".")
        if not why:
            raise
        raise CourseError(
            f"your definitions were left out, because a step with them failed: {why}. The course has "
            "none to stand in for those of this chapter."
        ) from error
    replace(watcher.progress, state=FINISHED).write(folder)
    write_card(folder)


def export(model: Any, folder: Path, vocabulary: Vocabulary) -> None:
    """Write the encoder with its head for masked words, in half precision, as the one that comes with the course."""
    from course.weights import save_hugging_face

    save_hugging_face(model.encoder, folder, vocabulary, model.masked_lm_head, dtype="float16")


class _Watcher:
    """Writes progress.json at each row of the history."""

    def __init__(self, folder: Path, progress: Progress) -> None:
        self.folder, self.progress = folder, progress
        self.before, self.began = progress.seconds, time.monotonic()

    def begin(self, total: int, done: int) -> None:
        self.progress = replace(self.progress, state=TRAINS, step=done, total=total)
        self.progress.write(self.folder)

    def step(self, tokens: int) -> None: ...

    def row(self, row: dict[str, float]) -> None:
        seconds = None if self.before is None else round(self.before + time.monotonic() - self.began, 1)
        self.progress = replace(self.progress, step=int(row["step"]), seconds=seconds)
        self.progress.write(self.folder)


def run_alone(folder: Path, my_bert: Path | None, **others: Any) -> None:
    """Train as the only process in a folder, and record how it ends. If another one trains there, do nothing."""
    with alone(folder, seconds=2.0) as is_alone:  # `is_running` holds the lock for an instant
        if not is_alone:
            return
        try:
            train(folder, my_bert, **others)
        except Stopped:
            _end(folder, STOPPED)
        except CourseError as error:
            print(error, file=sys.stderr)
            again = f"To begin again from the first step, rename {folder.name}/ and call my_model.start()."
            _end(folder, FAILED, f"{error.problem} {again}")
        except Exception as error:
            traceback.print_exc()
            _end(folder, FAILED, f"{type(error).__name__}: {error}")


def _end(folder: Path, state: str, message: str = "") -> None:
    """Record how a run ends, with its last numbers."""
    with suppress(CourseError):  # the log has the error, too
        replace(read_progress(folder) or Progress(BEGINS), state=state, message=message).write(folder)


def main(folder: str, my_bert: str = "") -> None:
    """Train at a lower priority than the notebook, which answers its reader first."""
    prepare_tensorflow()
    if hasattr(os, "nice"):  # on Windows, `start` sets the priority
        os.nice(_LOWER_PRIORITY)
    run_alone(Path(folder), Path(my_bert) if my_bert else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
