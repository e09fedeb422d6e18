"""The release of each chapter by its command: the first time, once more, and how large the bundle's zip file is.

The first time, every check runs on the reference and on the known mistakes, on all cores. The second time nothing has
changed, and the command only writes the bundle.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from grading.exercises.registry import chapters
from grading.storage.cache import FOLDER
from grading.storage.project import PROJECT


def measure() -> list[dict[str, Any]]:
    """A row for each chapter, and their sums."""
    rows = []
    for number, chapter in chapters().items():
        (FOLDER / f"{chapter.slug}.gz").unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            cold, warm = (_seconds(number, Path(folder, turn, chapter.slug)) for turn in ("first", "again"))
            size = Path(folder, "first", f"{chapter.slug}.zip").stat().st_size / 1e6
        rows.append(
            {"chapter": f"{number} {chapter.title}", "first, seconds": cold, "again, seconds": warm, "megabytes": size}
        )
    columns = list(rows[0])[1:]
    return [*rows, {"chapter": "all", **{column: sum(row[column] for row in rows) for column in columns}}]


def _seconds(number: int, to: Path) -> float:
    started = time.perf_counter()
    command = [sys.executable, "-m", "grading", "release", str(number), "--to", str(to)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    return time.perf_counter() - started
