"""Grading chapter 3: this grader beside nbgrader's `autograde` and Otter's `otter run`, on the same notebooks.

nbgrader and Otter execute each notebook as a whole, in a kernel of its own; a few notebooks are enough to know their
time for one. Ours grades 200: the sample class repeated, except the submission that never ends, whose time is only its
time-out.
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
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.classroom.submission_record import SubmissionRecord
from grading.exercises.registry import chapter
from grading.judging.exercise import Chapter
from grading.sample_class.make import submissions

NEVER_ENDS = "rosa"
CLASS_SIZE = 200
RIGHT = ("ada", "boris", "chiara", "dmitri")


def measure() -> list[dict[str, Any]]:
    """A row for each contender: submissions, seconds in all and for each, and the speed relative to nbgrader."""
    with tempfile.TemporaryDirectory() as folder:
        nbgrader = _nbgrader(Path(folder) / "nbgrader")
        rows = [{"contender": "this grader", **this_grader(chapter(3), CLASS_SIZE, Path(folder) / "ours")}, nbgrader]
        try:
            otter.install()
            rows.append(_otter(Path(folder) / "otter"))
        except otter.OtterMissing as error:
            print(f"Otter is left out: {error}", file=sys.stderr)
    for row in rows:
        row["times nbgrader"] = nbgrader["seconds each"] / row["seconds each"]
    return rows


def this_grader(of: Chapter, size: int, folder: Path) -> dict[str, Any]:
    """Grades a class made of a chapter's sample submissions, repeated. Returns the row without the contender."""
    handed_in = folder / "submissions"
    handed_in.mkdir(parents=True)
    sample = sorted(submissions(of.number).glob("*.ipynb"))
    notebooks = [path for path in sample if path.stem != NEVER_ENDS]
    for number, path in enumerate(itertools.islice(itertools.cycle(notebooks), size)):
        shutil.copy(path, handed_in / f"{path.stem}-{number}.ipynb")
    moments: list[float] = []

    def note(record: SubmissionRecord, done: int, total: int) -> None:
        moments.append(time.perf_counter())

    start = time.perf_counter()
    records = grade_class(handed_in, Results(folder / "results", of.number), progress=note)
    return _row(len(records), time.perf_counter() - start, moments)


def _nbgrader(folder: Path) -> dict[str, Any]:
    nbgrader.make_course(folder)
    for student in RIGHT:
        nbgrader.hand_in(folder, student, _notebook(student))
    moments = []
    start = time.perf_counter()
    for student in RIGHT:
        nbgrader.autograde(folder, student).check_returncode()
        moments.append(time.perf_counter())
    return {"contender": "nbgrader autograde", **_row(len(RIGHT), time.perf_counter() - start, moments)}


def _otter(folder: Path) -> dict[str, Any]:
    folder.mkdir()
    otter.write_autograder(folder / "autograder.zip", chapter(3))
    for student in RIGHT:
        otter.write_submission(_notebook(student), folder / f"{student}.ipynb", chapter(3))
    moments = []
    start = time.perf_counter()
    for student in RIGHT:
        otter.run(folder / f"{student}.ipynb", folder / "autograder.zip", folder)
        moments.append(time.perf_counter())
    return {"contender": "otter run", **_row(len(RIGHT), time.perf_counter() - start, moments)}


def _notebook(student: str) -> str:
    return (submissions(3) / f"{student}.ipynb").read_text()


def _row(count: int, seconds: float, moments: list[float]) -> dict[str, Any]:
    gaps = [later - earlier for earlier, later in itertools.pairwise(moments)]
    return {
        "submissions": count,
        "seconds": seconds,
        "seconds each": seconds / count,
        "seconds to the first": seconds - (moments[-1] - moments[0]),
        "spread of the others": statistics.stdev(gaps),
    }
