"""`python -m grading grade`, killed (SIGKILL) at random moments and started again, until it ends by itself.

Its results are then compared, byte for byte, with those of an undisturbed run. A result is lost if it existed before a
kill and is not the same after it; it is doubled if a student has two.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from grading.sample_class.make import submissions
from grading.storage.project import PROJECT

SUBMISSIONS = submissions(3)
# A mistake, an error, a crash, a hostile submission, and some right ones. None that times out, because how far it gets
# varies.
STUDENTS = ("ada", "boris", "chiara", "dmitri", "mateo", "quentin", "sven", "trudy")
KILLS = 50


def measure(kills: int = KILLS) -> list[dict[str, Any]]:
    """One row: the number of kills, the number of runs that they were spread over, and what was lost."""
    moments = random.Random(5)
    row = {"kills": 0, "runs that ended": 0, "results lost": 0, "results doubled": 0, "files that differ": 0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "submissions").mkdir()
        for student in STUDENTS:
            shutil.copy(SUBMISSIONS / f"{student}.ipynb", folder / "submissions")
        whole = folder / "whole"
        start = time.monotonic()
        subprocess.CompletedProcess([], _start(folder, whole).wait()).check_returncode()
        seconds = time.monotonic() - start
        while row["kills"] < kills:
            results = folder / f"killed-{row['runs that ended']}"
            results.mkdir()
            shutil.copy(whole / "secret", results)  # so that the inputs of the checks are the same
            row["kills"] += _kill_until_it_ends(folder, results, seconds, kills - row["kills"], moments, row)
            row["runs that ended"] += 1
            expected, got = _contents(whole), _contents(results)
            row["files that differ"] += sum(
                expected.get(path) != got.get(path) for path in expected.keys() | got.keys()
            )
    return [row]


def _kill_until_it_ends(
    folder: Path, results: Path, seconds: float, most: int, moments: random.Random, row: dict[str, int]
) -> int:
    kills = 0
    while True:
        before = _records(results)
        process = _start(folder, results)
        try:
            process.wait(moments.uniform(0.0, seconds) if kills < most else None)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            kills += 1
        code = process.wait()
        if code not in (0, -signal.SIGKILL):
            raise RuntimeError(f"the grader ended with code {code}, although nobody killed it")
        after = _records(results)
        row["results lost"] += sum(after.get(path) != text for path, text in before.items())
        students = [json.loads(text)["record"]["student"] for text in after.values()]
        row["results doubled"] += len(students) - len(set(students))
        if code == 0:
            return kills


def _start(folder: Path, results: Path) -> subprocess.Popen:
    command = [sys.executable, "-m", "grading", "grade", str(folder / "submissions"), "--to", str(results)]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.Popen(
        [*command, "--chapter", "3"],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _records(results: Path) -> dict[str, str]:
    return {str(path): path.read_text() for path in results.glob("records/*/[!.]*.json")}


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
