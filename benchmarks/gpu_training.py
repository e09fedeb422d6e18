"""A pretraining for some minutes, and a fine-tuning of its encoder, with the project's own commands."""

from __future__ import annotations

import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.articles import source
from grading.storage.project import PROJECT

_FIRST_LOOK = 0.2  # epochs to measure the speed; they include compiling, so the true speed is a little higher


def pretrain_and_finetune(
    folder: Path, preset: str, seconds: float, articles: int | None, dtype: str, environment: dict[str, str]
) -> list[tuple[str, str, float | None]]:
    """Pretrains for about this many seconds, and fine-tunes.

    Args:
        folder: the folder for all outputs.
        preset: the size of the model.
        seconds: the time of the pretraining.
        articles: how many articles the fine-tuning reads; None for all.
        dtype: the dtype of the computation.
        environment: environment variables for the commands, such as the backend.

    Returns:
        For each training a description, its result, and its tokens per second if they are known.
    """
    _course(environment, "prepare", source(), "--to", folder / "corpus")
    first = _pretrain(folder, "first", preset, dtype, _FIRST_LOOK, environment)
    pieces = json.loads((folder / "corpus" / "corpus.json").read_text(encoding="utf-8"))["pieces"]
    fastest = max(row["tokens_per_second"] for row in first)
    epochs = max(_FIRST_LOOK, round(seconds * fastest / pieces, 2))
    rows = _pretrain(folder, "run", preset, dtype, epochs, environment)

    small = ("--max-length", 128, "--epochs", 2, "--dtype", dtype, *(("--rows", articles) if articles else ()))
    _course(environment, "finetune", source(), "--from", folder / "run", "--to", folder / "classifier", *small)
    reached = json.loads((folder / "classifier" / "results.json").read_text(encoding="utf-8"))["held_out_accuracy"]
    words = f"loss of masked words {rows[0]['masked_lm_loss']:.2f} -> {rows[-1]['masked_lm_loss']:.2f}"
    held_out = [row["held_out_masked_lm_loss"] for row in rows if "held_out_masked_lm_loss" in row]
    measured = f", held out {held_out[-1]:.2f}" if held_out else ""
    speeds = [row["tokens_per_second"] for row in rows]
    harmonic = len(speeds) / math.fsum(1 / speed for speed in speeds)
    return [
        (f"pretraining of {preset}, {epochs:g} epochs of {source()}", words + measured, harmonic),
        (f"fine-tuning on {source()}, 2 epochs", f"{reached['mean']:.1%} of the held-out are right", None),
    ]


def _pretrain(
    folder: Path, name: str, preset: str, dtype: str, epochs: float, environment: dict[str, str]
) -> list[dict[str, float]]:
    sizes = ("--preset", preset, "--dtype", dtype, "--buckets", 1, "--held-out", 0.02, "--batch-tokens", 4096)
    corpus, to = folder / "corpus", folder / name
    _course(environment, "pretrain", corpus, "--to", to, *sizes, "--epochs", epochs, "--log-every", 10)
    with (to / "history.csv").open(newline="", encoding="utf-8") as file:  # `History` would need Keras in this process
        return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]


def _course(environment: dict[str, str], *arguments: object) -> None:
    """Runs a command of the project, and raises an error with its messages if it fails."""
    command = [sys.executable, "-m", "course", *map(str, arguments)]
    done = subprocess.run(
        command, cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[2:])} failed:\n{done.stderr[-2000:]}")
