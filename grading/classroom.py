"""Grades a folder of submissions, a few at a time; a killed run goes on where it stopped."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from grading.choosing import chapter_of
from grading.errors import GradingError
from grading.grader import Grader, SubmissionRecord
from grading.results import Results
from grading.submission import DamagedSubmission, SubmissionFile, find_submissions, read_notebooks

# Told of each submission's record, and how many of how many are done.
Progress = Callable[[SubmissionRecord, int, int], None]


def grade_class(
    submissions: Path,
    results: Results,
    *,
    without_isolation: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda record, done, total: None,
) -> list[SubmissionRecord]:
    """Grades what a class handed in for a chapter.

    Args:
        submissions: a folder with one notebook or archive a student.
        results: where the records go. What is there and still holds is not graded again.
        without_isolation: see `Grader`.
        jobs: how many submissions are graded at once; by default, one for each processor.
        progress: told of each record as it comes.

    Returns:
        A record for each student, in the order of their names.

    Raises:
        GradingError: there is nothing to grade, or the results cannot be written.
        SandboxUnavailable: this host cannot isolate submissions.
    """
    files = find_submissions(submissions)
    records = {file.student: results.known(file) for file in files}
    waiting = [file for file in files if records[file.student] is None]
    done = 0
    for known in [record for record in records.values() if record]:
        done += 1
        progress(known, done, len(files))
    if waiting:
        with Grader(results.secret, without_isolation) as grader:
            grader.prepare(results.chapter)
            jobs = jobs or os.cpu_count() or 1
            with ThreadPoolExecutor(jobs) as executor:
                for file, record in _spread(executor, 2 * jobs, partial(grader.grade, number=results.chapter), waiting):
                    results.write(file, record)
                    records[file.student] = record
                    done += 1
                    progress(record, done, len(files))
    return [record for record in records.values() if record]


def likeliest_chapter(submissions: Path) -> int:
    """The chapter of most of the notebooks that were handed in.

    Raises:
        GradingError: there is nothing to grade, or no notebook says what it is.
    """
    counts: Counter[int] = Counter()
    for file in find_submissions(submissions):
        with contextlib.suppress(DamagedSubmission):
            counts.update({found for notebook in read_notebooks(file) if (found := chapter_of(notebook))})
    if not counts:
        raise GradingError(f"no notebook in {submissions} defines an exercise that is known here; say --chapter")
    return counts.most_common(1)[0][0]


def _spread(
    executor: Executor,
    at_once: int,
    grade: Callable[[SubmissionFile], SubmissionRecord],
    files: list[SubmissionFile],
) -> Iterator[tuple[SubmissionFile, SubmissionRecord]]:
    """Grades on any executor, and gives each record as soon as it is there.

    Only a few submissions wait at a time: memory does not grow with the class, and an interrupted run ends soon.
    """
    remaining = iter(files)
    running: dict[Future[SubmissionRecord], SubmissionFile] = {}
    try:
        while True:
            while len(running) < at_once and (file := next(remaining, None)):
                running[executor.submit(grade, file)] = file
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
