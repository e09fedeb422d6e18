"""Grading chapter 3: this grader beside nbgrader's `autograde` and Otter's `otter run`, on the same notebooks.

Those two execute each notebook whole, in a kernel of its own; a few are enough to know their time for one. Ours gets
200: the sample class again and again, less the one that never ends, whose time is its time-out and nothing else.
"""

from __future__ import annotations

import itertools
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import nbgrader, otter
from grading.classroom.grader import SubmissionRecord
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter
from grading.storage.project import PROJECT

SUBMISSIONS = PROJECT / "grading" / "sample_class" / "submissions" / "03_attention"
NEVER_ENDS = "rosa"
CLASS_SIZE = 200
RIGHT = ("ada", "boris", "chiara", "dmitri")


def measure() -> list[dict[str, Any]]:
    """A row for each contender: how many submissions, seconds in all, seconds for one, and how many times nbgrader."""
    with tempfile.TemporaryDirectory() as folder:
        nbgrader = _nbgrader(Path(folder) / "nbgrader")
        rows = [_this_grader(Path(folder) / "ours"), nbgrader]
        try:
            otter.install()
            rows.append(_otter(Path(folder) / "otter"))
        except otter.OtterMissing as error:
            print(f"Otter is left out: {error}", file=sys.stderr)
    for row in rows:
        row["times nbgrader"] = nbgrader["seconds each"] / row["seconds each"]
    return rows


def _this_grader(folder: Path) -> dict[str, Any]:
    submissions = folder / "submissions"
    submissions.mkdir(parents=True)
    notebooks = [path for path in sorted(SUBMISSIONS.glob("*.ipynb")) if path.stem != NEVER_ENDS]
    for number, path in enumerate(itertools.islice(itertools.cycle(notebooks), CLASS_SIZE)):
        shutil.copy(path, submissions / f"{path.stem}-{number}.ipynb")
    moments: list[float] = []

    def note(record: SubmissionRecord, done: int, total: int) -> None:
        moments.append(time.perf_counter())

    start = time.perf_counter()
    records = grade_class(submissions, Results(folder / "results", 3), progress=note)
    return _row("this grader", len(records), time.perf_counter() - start, moments)


def _nbgrader(folder: Path) -> dict[str, Any]:
    nbgrader.make_course(folder)
    for student in RIGHT:
        nbgrader.hand_in(folder, student, (SUBMISSIONS / f"{student}.ipynb").read_text())
    moments = []
    start = time.perf_counter()
    for student in RIGHT:
        nbgrader.autograde(folder, student).check_returncode()
        moments.append(time.perf_counter())
    return _row("nbgrader autograde", len(RIGHT), time.perf_counter() - start, moments)


def _otter(folder: Path) -> dict[str, Any]:
    folder.mkdir()
    otter.write_autograder(folder / "autograder.zip", chapter(3))
    for student in RIGHT:
        otter.write_submission((SUBMISSIONS / f"{student}.ipynb").read_text(), folder / f"{student}.ipynb", chapter(3))
    moments = []
    start = time.perf_counter()
    for student in RIGHT:
        otter.run(folder / f"{student}.ipynb", folder / "autograder.zip", folder)
        moments.append(time.perf_counter())
    return _row("otter run", len(RIGHT), time.perf_counter() - start, moments)


def _row(contender: str, count: int, seconds: float, moments: list[float]) -> dict[str, Any]:
    gaps = [later - earlier for earlier, later in itertools.pairwise(moments)]
    return {
        "contender": contender,
        "submissions": count,
        "seconds": seconds,
        "seconds each": seconds / count,
        "seconds to the first": seconds - (moments[-1] - moments[0]),
        "spread of the others": statistics.stdev(gaps),
    }
