"""Grades a folder of submissions, a few at a time; an interrupted run resumes where it stopped."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from grading.classroom.cluster import Cluster
from grading.classroom.enrolment import some_of
from grading.classroom.grader import Grader
from grading.classroom.reading import Readers
from grading.classroom.records import Records
from grading.classroom.results import Results
from grading.classroom.roster import read_roster
from grading.classroom.submission_record import SubmissionRecord, with_exercises
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.submission import SubmissionFile, find_submissions

# Receives each submission's record, and how many of how many are done.
Progress = Callable[[SubmissionRecord, int, int], None]


def grade_class(
    submissions: Path,
    results: Results,
    *,
    without_isolation: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    regrade: Collection[str] = (),
    system: str | None = None,
    roster: Path | None = None,
    section: str | None = None,
    progress: Progress = lambda record, done, total: None,
    tell: Callable[[str], object] = lambda sentence: None,
) -> Records:
    """Grade the submissions of a class for a chapter.

    Args:
        submissions: a folder with one notebook or archive per student, or the download from a school's system.
        results: where the records go. Records that are still valid are not made again. Those of submissions that are
            gone stay there and count no more.
        without_isolation: see `Grader`.
        jobs: how many submissions to grade at once; by default, one per processor.
        scheduler: the address of a Dask cluster that grades instead of this machine.
        regrade: exercises to grade again for all students; the others keep their points, unless the submission has
            changed. An interrupted regrade starts again. Records in a course that another download has made from other
            contents stay as they are.
        system: the system that `submissions` was downloaded from; by default, it is recognised.
        roster: a CSV file that lists the class. It is stored with the results and counts until you give another one.
        section: a section of the roster; nobody else is graded.
        progress: called with each record as it comes.
        tell: called with a sentence on each other download of a course whose submissions are in this one, too, with
            other contents.

    Returns:
        A record for each student, sorted by name and read from the results. Students on the roster without a submission
        have one, too.

    Raises:
        GradingError: there is nothing to grade, an exercise is not of this chapter, the roster cannot be read or has
            no such section, or the results cannot be written, or would lie among the submissions.
        SandboxUnavailable: this host cannot isolate submissions.
    """
    chapter(results.chapter).require(regrade)
    if results.folder.resolve().is_relative_to(submissions.resolve()):
        raise GradingError(f"{results.folder} lies in {submissions}, where it counts as a student; name another folder")
    all_files = find_submissions(submissions, system)
    new_roster = read_roster(roster) if roster else None
    with results.held():
        if new_roster:
            results.keep(new_roster)
        elsewhere = results.from_elsewhere(submissions, all_files)
        for sentence in _on_other_downloads(elsewhere, bool(regrade)):
            tell(sentence)
        present = [file for file in all_files if not (regrade and file.student in elsewhere)]
        results.keep_present(submissions, present)
        files = results.counted(present, section)
        terms = (results.secret, results.chapter, without_isolation)
        if scheduler:
            _grade_all(files, results, lambda: Cluster(scheduler, *terms), regrade, progress)
        else:
            _grade_all(files, results, lambda: LocalPool(jobs or os.cpu_count() or 1, *terms), regrade, progress)
    return results.of(all_files, section)


def _on_other_downloads(elsewhere: Mapping[str, str], is_regrade: bool) -> Iterator[str]:
    """Sentences that name the students of whom another download holds something else."""
    told = (
        "with other contents, so left as they are; without --regrade, the files here count"
        if is_regrade
        else "before; the files here count now"
    )
    for download in dict.fromkeys(elsewhere.values()):
        names = [student for student, other in elsewhere.items() if other == download]
        yield f"Graded from {download} {told} ({len(names)}): {some_of(names)}"


class GradingPool(Protocol):
    """Grades submissions behind the interface of `concurrent.futures`."""

    @property
    def at_once(self) -> int: ...

    def submit(self, file: SubmissionFile) -> Future[SubmissionRecord]: ...


class LocalPool:
    """A grader in this process, with one thread per submission graded at a time.

    Args:
        jobs: the number of threads.
        secret, number, without_isolation: see `Grader`.
    """

    def __init__(self, jobs: int, secret: bytes, number: int, without_isolation: bool) -> None:
        self.at_once = 2 * jobs
        self._jobs = jobs
        self._number = number
        self._grader = Grader(secret, without_isolation)
        self._stack = contextlib.ExitStack()

    def submit(self, file: SubmissionFile) -> Future[SubmissionRecord]:
        return self._executor.submit(self._grader.grade, file, self._number)

    def __enter__(self) -> LocalPool:
        with self._stack as until_ready:
            until_ready.enter_context(self._grader).prepare(self._number)
            self._executor = until_ready.enter_context(ThreadPoolExecutor(self._jobs))
            self._stack = until_ready.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _grade_all(
    files: list[SubmissionFile],
    results: Results,
    open_pool: Callable[[], AbstractContextManager[GradingPool]],
    regrade: Collection[str],
    progress: Progress,
) -> None:
    """Grade all submissions without a valid record. Holds no records in memory, because a class may not fit."""
    waiting, done = [], 0
    for file in files:
        known = None if regrade else results.known(file)
        if known:
            done += 1
            progress(known, done, len(files))
        else:
            waiting.append(file)
    if waiting:
        with open_pool() as pool:
            for file, graded in _spread(pool, waiting):
                earlier = results.earlier(file) if regrade else None
                record = with_exercises(earlier, graded, regrade) if earlier else graded
                results.write(file, record)
                done += 1
                progress(record, done, len(files))


def likeliest_chapter(submissions: Path, system: str | None = None) -> int:
    """The chapter of most of the submitted notebooks.

    Raises:
        GradingError: there is nothing to grade, or no notebook belongs to a known chapter.
    """
    counts: Counter[int] = Counter()
    with Readers() as readers:
        for file in find_submissions(submissions, system):
            counts.update(readers.chapters(file))
    if not counts:
        raise GradingError(f"no notebook in {submissions} defines a known exercise; choose the chapter with --chapter")
    return counts.most_common(1)[0][0]


def _spread(pool: GradingPool, files: list[SubmissionFile]) -> Iterator[tuple[SubmissionFile, SubmissionRecord]]:
    """Yield each record as soon as it is there.

    Only a few submissions wait at a time, so memory does not grow with the class, and an interrupted run ends soon.
    """
    remaining = iter(files)
    running: dict[Future[SubmissionRecord], SubmissionFile] = {}
    try:
        while True:
            while len(running) < pool.at_once and (file := next(remaining, None)):
                running[pool.submit(file)] = file
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
