"""A class of 1,000 and of 10,000: what the grader itself needs, beside the sandbox.

The sample class of chapter 3 is graded once. Then a large class submits its notebooks under other names. A stand-in
repeats what the sandbox answered the first time; the grader does everything else, for each size in a process of its
own. MB is the peak memory of that process. Before the class came, it needed as much as for the smallest class, most of
it for TensorFlow.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.full_marks import FullMarks
from grading.classroom import run
from grading.classroom.reading import read_submission
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.classroom.submission_record import SubmissionRecord
from grading.commands.publishing import publish
from grading.exercises.registry import chapter
from grading.extraction import extract
from grading.gradebook import canvas_csv, gradescope, marks, write_results
from grading.sample_class.make import submissions
from grading.storage.project import PROJECT
from grading.submission import SubmissionFile
from grading.submission.cell_ids import exercise_cell_id

SUBMISSIONS = submissions(3)
SIZES = (20, 1_000, 10_000)


def measure() -> list[dict[str, Any]]:
    """A row for each size: seconds of each step, milliseconds per student in all, and memory."""
    with tempfile.TemporaryDirectory() as name:
        sample = Path(name) / "sample"
        for _ in grade_class(SUBMISSIONS, Results(sample, 3)):
            pass
        return [_in_its_own_process(size, sample, Path(name) / str(size)) for size in SIZES]


def _in_its_own_process(size: int, sample: Path, folder: Path) -> dict[str, Any]:
    notebooks = sorted(SUBMISSIONS.glob("*.ipynb"))
    (folder / "submissions").mkdir(parents=True)
    for number in range(size):
        shutil.copy(notebooks[number % len(notebooks)], folder / "submissions" / f"student{number:05d}.ipynb")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.classes", str(sample), str(folder)],
        cwd=PROJECT,
        env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        check=True,
    )
    shutil.rmtree(folder)
    return json.loads(done.stdout.splitlines()[-1])


class _SaidBefore(FullMarks):
    """A stand-in for the grader: reads and extracts submissions, and repeats the sandbox's earlier answers.

    Args:
        records: the records of the sample class, by the notebook's sha256.
    """

    def __init__(self, records: dict[str, SubmissionRecord]) -> None:
        self._records = records

    def __call__(self, secret: bytes, without_isolation: bool) -> _SaidBefore:
        return self

    def grade(self, file: SubmissionFile, number: int) -> SubmissionRecord:
        read = read_submission(file, number)
        assert read.notebook is not None
        extract(read.notebook, {name: exercise_cell_id(name) for name in chapter(number).exercises})
        known = self._records[read.notebook.sha256]
        return {**known, "student": file.student, "submission_sha256": read.sha256}


def _work(sample: Path, folder: Path) -> dict[str, Any]:
    submissions, results, of = folder / "submissions", Results(folder / "results", 3), chapter(3)
    said_before = _SaidBefore({record["sha256"]: record for record in Results(sample, 3).all()})
    seconds: dict[str, float] = {}

    def timed(step: str, work: Callable[[], Any]) -> None:
        start = time.perf_counter()
        work()
        seconds[step] = time.perf_counter() - start

    with mock.patch.object(run, "Grader", said_before):
        timed("read, take apart, write", lambda: grade_class(submissions, results))
    timed("find all done", lambda: grade_class(submissions, results))
    timed("pages, statistics, likeness", lambda: publish(results, results.all()))
    timed("Canvas", lambda: canvas_csv(of, marks(of, results.all())))
    timed("Gradescope", lambda: write_results(folder / "gradescope", marks(of, results.all()), gradescope))
    students = len(results.all())
    return {
        "students": students,
        **seconds,
        "ms each": 1000 * sum(seconds.values()) / students,
        "MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


if __name__ == "__main__":
    print("\n" + json.dumps(_work(*map(Path, sys.argv[1:]))), flush=True)
