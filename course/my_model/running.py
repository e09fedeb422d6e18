"""Starts, watches and stops the training of the learner's own model, which is a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.errors import CourseError
from course.my_model.folder import (
    BEGINS,
    FAILED,
    FINISHED,
    STOP,
    STOPPED,
    TRAINS,
    Progress,
    my_model,
    read_progress,
    run_of,
)
from course.storage.alone import is_running
from course.storage.atomic import atomic_file, require_writable
from course.storage.outputs import write_text

if TYPE_CHECKING:
    from course.plots import Picture

_THREADS = 2
_PATIENCE = 30.0  # seconds until the process has begun
_PROJECT = Path(__file__).resolve().parents[2]
_NOWHERE = "No model is trained here, because MY_MODEL is empty."


def start() -> None:
    """Begin to train your model in `my_model/`, or resume; if it is being trained, say so.

    The training is a process of its own on two processor cores. It goes on when you close the notebook, and saves a
    checkpoint every 200 steps. It uses your definitions from `my_bert/`. Where none of chapters 2 to 6 has passed, the
    course's stand in; those of chapter 7 must have passed.
    """
    folder = my_model()
    if folder is None:
        print(_NOWHERE)
        return
    try:
        progress = read_progress(folder)
        if refusal := _refusal(folder, progress):
            print(refusal)
            return
        run = run_of(folder)
        require_writable(run)
        _require_space(run)
        (run / STOP).unlink(missing_ok=True)
        _begin(folder)
    except (CourseError, OSError) as error:
        print(f"It does not start: {error}")
        return
    begins = "begins to read"
    if (run / "checkpoint.safetensors").exists():
        begins = f"resumes near step {progress.step:,}" if progress else "resumes from its last checkpoint"
    print(f"Your model {begins}, in {folder}/.")
    print("It goes on when you close the notebook. my_model.look() shows it, my_model.stop() stops it.")


def look() -> Picture | None:
    """Print how far your model is, and return a picture of its losses; None before the first are measured."""
    folder = my_model()
    try:
        progress = read_progress(folder) if folder else None
        running = folder is not None and is_running(folder)
        if folder is None or (progress is None and not running):
            print(_NOWHERE if folder is None else _unknown(folder))
            return None
        progress = progress or Progress(BEGINS)
        print(_line(progress, running))
        if progress.left_out:
            print(f"Left out: {progress.left_out}")
        return _losses(run_of(folder), progress)
    except CourseError as error:
        print(error)
        return None


def stop() -> None:
    """Ask the training to stop; it saves a checkpoint first. `start` resumes."""
    folder = my_model()
    if folder is None or not is_running(folder):
        print(_NOWHERE if folder is None else "No model is being trained.")
        return
    try:
        write_text(run_of(folder) / STOP, "")
        print("It stops within a few steps, and saves a checkpoint. my_model.start() resumes.")
    except CourseError as error:
        print(error)


def _refusal(folder: Path, progress: Progress | None) -> str:
    """Return why no process is to be started, or ""."""
    if is_running(folder):
        return f"It is running already. {_line(progress, True)}" if progress else "It is running already."
    if progress is not None and progress.state == FINISHED:
        return f"{_line(progress, False)} To train another one, rename {folder}/ first."
    if (folder / "model.safetensors").exists() and not (run_of(folder) / "checkpoint.safetensors").exists():
        return (
            f"{folder}/ holds a model without its run, which a new run would replace. To train another one, rename "
            f"{folder}/ first; to resume its run, copy the whole folder, with run/."
        )
    return ""


def _require_space(run: Path) -> None:
    """Raise a CourseError if a megabyte cannot be written: the process could not even say so."""
    trial = run / "trial"
    with atomic_file(trial) as draft:
        draft.write_bytes(os.urandom(2**20))
    trial.unlink()


def _begin(folder: Path) -> None:
    """Start the process, and wait until it works or has ended."""
    from course.my_model import training  # not at the top: the process itself runs it as its main module

    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}  # the notebook has the GPU
    environment |= dict.fromkeys(("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS"), str(_THREADS))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_PROJECT), os.environ.get("PYTHONPATH")]))
    my_bert = Path(os.environ.get("MY_BERT") or "my_bert")
    command = [sys.executable, "-m", training.__name__, str(folder.resolve())]
    command += [str(my_bert.resolve())] if my_bert.is_dir() else []
    with (run_of(folder) / "log.txt").open("ab") as log:
        process = subprocess.Popen(
            command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **_apart()
        )
    until = time.monotonic() + _PATIENCE
    while process.poll() is None and not is_running(folder) and time.monotonic() < until:
        time.sleep(0.1)
    if process.poll():
        raise CourseError(f"its process has ended at once; the last lines of {run_of(folder) / 'log.txt'} say why.")
    process.returncode = process.returncode or 0  # it outlives this one, and Python need not wait for it


def _apart() -> dict[str, Any]:
    """Return what keeps a process alive when the notebook's kernel ends."""
    if os.name == "nt":
        # With DETACHED_PROCESS, the launcher of a virtual environment opens a window, which ends the run when closed.
        names = ("CREATE_NO_WINDOW", "CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
        return {"creationflags": sum(getattr(subprocess, name) for name in names)}
    return {"start_new_session": True}


def _unknown(folder: Path) -> str:
    """Return what there is without progress.json."""
    if folder.is_dir() and any(folder.iterdir()):
        return (
            f"{folder}/ has no progress.json, so the state of its run is not known. my_model.start() resumes it, or "
            "says why not."
        )
    return f"There is no model in {folder}/ yet. my_model.start() begins to train it."


def _line(progress: Progress, running: bool) -> str:
    """Return how far a run is, in one line."""
    at = f"step {progress.step:,} of {progress.total:,}, after {progress.duration}"
    if progress.state == FINISHED:
        return (
            f"Your model has read its text {progress.epochs:g} times: {progress.total:,} steps in {progress.duration}."
        )
    if running and progress.state == TRAINS:
        if not progress.step or progress.seconds is None:
            return f"Your model is at {at}."
        left = progress.seconds * (progress.total - progress.step) / progress.step / 60
        return f"Your model is at {at}; about {left:.0f} minutes are left."
    if running:
        return "Your model prepares: it learns a vocabulary, and tries your definitions."
    if progress.state == FAILED:
        return f"The training has failed: {progress.message.rstrip('.')}. my_model.start() tries again."
    why = "was stopped" if progress.state == STOPPED else "has ended unasked, for example with the machine"
    return f"The training {why}, at {at}. my_model.start() resumes from the last checkpoint."


def _losses(run: Path, progress: Progress) -> Picture | None:
    from course.plots import plot_curves
    from course.training.history import History

    rows = History(run, until=progress.step).rows
    if not rows:
        return None
    curves = {"masked words": "masked_lm_loss", "next sentences": "next_sentence_loss"}
    return plot_curves(
        {name: [row[column] for row in rows] for name, column in curves.items()},
        title=f"Your model: {rows[-1]['masked_lm_accuracy']:.0%} of the masked words are right",
        x_label="step",
        x=[row["step"] for row in rows],
        panels=True,
    )
