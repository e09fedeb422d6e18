"""`python -m course pretrain`, killed (SIGKILL) at ten random steps and started again, until it ends by itself.

Its weights and its history, except for the speed, are then compared, bit for bit, with those of an undisturbed run.
BERT-tiny on the course's sample.
"""

from __future__ import annotations

import csv
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from course.training.encoder_source import from_folder
from grading.storage.project import PROJECT

STEPS, KILLS, LOG_EVERY, SAVE_EVERY = 240, 10, 4, 20
_PATIENCE = 600  # seconds to wait for a step


def measure() -> list[dict[str, Any]]:
    """One row: the number of kills, and how many weights and rows differ from an undisturbed run's."""
    moments = sorted(random.Random(3).sample(range(LOG_EVERY, STEPS, LOG_EVERY), KILLS))
    with tempfile.TemporaryDirectory() as name:
        corpus, whole, killed = (Path(name) / part for part in ("corpus", "whole", "killed"))
        subprocess.run(
            [sys.executable, "-m", "course", "prepare", "sample", "--to", str(corpus)],
            cwd=PROJECT,
            capture_output=True,
            check=True,
        )
        _run_to_its_end(corpus, whole)
        for step in moments:
            process = _start(corpus, killed)
            _wait_until(killed, step, process)
            process.kill()
            process.wait()
        _run_to_its_end(corpus, killed)
        weights, history = ([read(folder) for folder in (whole, killed)] for read in (_weights, _history))
    return [
        {
            "killed": len(moments),
            "at steps": ", ".join(map(str, moments)),
            "steps": STEPS,
            "weights": len(weights[0]),
            "weights that differ": sum(bool((left != right).any()) for left, right in zip(*weights, strict=True)),
            "rows of the history": len(history[0]),
            "rows that differ": sum(left != right for left, right in zip(*history, strict=True)),
        }
    ]


def _run_to_its_end(corpus: Path, folder: Path) -> None:
    if _start(corpus, folder).wait():
        raise RuntimeError("the pretraining failed, although nobody killed it")


def _start(corpus: Path, folder: Path) -> subprocess.Popen[bytes]:
    batches_an_epoch = 130  # of 2,048 tokens, about; `pretrain` rounds the steps up to a whole row of its history
    options = {
        "--preset": "tiny",
        "--epochs": STEPS / batches_an_epoch,
        "--batch-tokens": 2048,
        "--log-every": LOG_EVERY,
        "--save-every": SAVE_EVERY,
        "--to": folder,
    }
    words = [str(word) for option in options.items() for word in option]
    return subprocess.Popen(
        [sys.executable, "-m", "course", "pretrain", str(corpus), *words],
        cwd=PROJECT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _wait_until(folder: Path, step: int, process: subprocess.Popen[bytes]) -> None:
    """Waits until the history has reached this step."""
    since = time.monotonic()
    while process.poll() is None and time.monotonic() - since < _PATIENCE:
        if any(row["step"] >= step for row in _history(folder)):
            return
        time.sleep(0.05)
    raise RuntimeError(f"the run ended or hung before step {step}")


def _history(folder: Path) -> list[dict[str, float]]:
    path = folder / "history.csv"
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    return [{name: value for name, value in row.items() if name != "tokens_per_second"} for row in rows]


def _weights(folder: Path) -> list[Any]:
    return from_folder(folder).weights or []
