"""The most memory that the commands take: `prepare` for corpora of several sizes, and `pretrain` for BERT-mini.

The corpora are the course's sample, written out once, four times and sixteen times. The numbers include what TensorFlow
takes by itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from course.data.datasets import load_sample
from grading.storage.project import PROJECT

COPIES = (1, 4, 16)
STEPS_OF_MINI = 40
GOAL_OF_MINI = 2500  # MB


def measure() -> list[dict[str, Any]]:
    """A row for each command."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [_prepare(folder, copies) for copies in COPIES]
        rows.append(_pretrain(folder))
    return rows


def _prepare(folder: Path, copies: int) -> dict[str, Any]:
    """Prepares a corpus and learns the vocabulary from it. Returns a row with the peak memory."""
    articles = load_sample()["sentences"].tolist()
    texts = folder / f"texts-{copies}"
    texts.mkdir()
    lines = "\n\n".join("\n".join(sentences) for sentences in articles)
    for copy in range(copies):
        (texts / f"part-{copy:02}.txt").write_text(lines + "\n", encoding="utf-8")
    megabytes = _peak("prepare", str(texts), "--to", str(folder / f"corpus-{copies}"))
    size = sum(path.stat().st_size for path in texts.iterdir()) / 1e6
    return {"command": f"prepare, {size:.0f} MB of text", "peak MB": megabytes, "goal": "the same for all"}


def _pretrain(folder: Path) -> dict[str, Any]:
    epochs = STEPS_OF_MINI / 65  # the sample has about as many batches of 4,096 tokens
    corpus, to = str(folder / "corpus-1"), str(folder / "mini")
    megabytes = _peak("pretrain", corpus, "--preset", "mini", "--epochs", str(epochs), "--to", to)
    return {"command": "pretrain --preset mini", "peak MB": megabytes, "goal": f"under {GOAL_OF_MINI:,}"}


def _peak(*arguments: str) -> int:
    """Runs a command. Returns its peak memory in megabytes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "course", *arguments],
        cwd=PROJECT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{' '.join(arguments)} failed")
    return round(usage.ru_maxrss / 1024)
