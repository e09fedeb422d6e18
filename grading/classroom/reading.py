"""Reads submissions in processes of their own, which can be ended: what is read may be made to be read for hours.

Unpacking, reading, cutting out and fingerprinting take work in proportion to what is read: of an honest notebook, some
hundredths of a second. Seconds of processor time and gigabytes of memory are given; what needs more is damaged.
"""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

from grading.classroom.own_code import own_code
from grading.classroom.similarity import fingerprints
from grading.errors import GradingError
from grading.exercises.registry import chapter, exercise_names
from grading.extraction import Extraction, extract, ready_made_names
from grading.judging.verdict import ready_made_in
from grading.storage.project import PROJECT
from grading.submission import DamagedSubmission, HandedIn, Notebook, SubmissionFile, notebooks_of, read_files
from grading.submission.cell_ids import exercise_cell_id
from grading.submission.selection import chapter_of, select_notebook

SECONDS = 20
_MEMORY_BYTES = 4 << 30
_TOO_MUCH = (
    f"it cannot be read in {SECONDS} seconds of processor time and {_MEMORY_BYTES >> 30} GB of memory; what a student"
    " writes takes a hundredth of that"
)
_RUN = "import sys; sys.path.insert(0, sys.argv[1]); from grading.classroom.reading import main; main()"

_Answer = TypeVar("_Answer")


class ReadSubmission(NamedTuple):
    """What was read of a submission.

    Attributes:
        sha256: of all its bytes.
        notebook: the one that is graded; None where there is none.
        problem: why there is none.
    """

    sha256: str
    notebook: Notebook | None
    problem: str


@dataclass(frozen=True)
class Cut:
    """What was cut out of a notebook.

    Attributes:
        ready_made: for each exercise, the ready-made things that its solution calls where it must be written.
        fingerprints: of each solution without the other exercises' definitions, which it may build on.
        flags: ways out of a solution that no exercise needs. They gain nothing in the sandbox; the instructor is told.
        code: of each exercise, what the student wrote, as a page shows it.
    """

    extraction: Extraction
    ready_made: dict[str, list[str]]
    fingerprints: dict[str, list[int]]
    flags: list[str]
    code: dict[str, str]


def read_submission(file: SubmissionFile, number: int) -> ReadSubmission:
    """Reads what a student handed in, once, and takes the notebook of a chapter. Whatever it is, this returns."""
    return _notebook_in(read_files(file), number)


def cut(notebook: Notebook, number: int) -> Cut:
    """Cuts the exercises of a chapter out of a notebook."""
    of = chapter(number)
    extraction = _extracted(notebook, number)
    sources = {name: found.source for name, found in extraction.exercises.items()}
    written = {name: sources[name] for name, found in extraction.exercises.items() if not found.problem}
    return Cut(
        extraction,
        {name: ready_made_in(of.exercises[name], source) for name, source in written.items()},
        {name: fingerprints(source, sources.keys() - {name}) for name, source in written.items()},
        # What looks up a name at run time says so itself.
        [name if " " in name else f"uses {name}" for name in ready_made_names("\n".join(sources.values()), ())],
        {name: own_code(source, sources.keys() - {name}) for name, source in sources.items()},
    )


def _extracted(notebook: Notebook, number: int) -> Extraction:
    return extract(notebook, {name: exercise_cell_id(name) for name in chapter(number).exercises})


class Readers:
    """Does the same in processes that last from one submission to the next. Several threads may use it at once."""

    def __init__(self) -> None:
        self._idle: list[_Process] = []
        self._lock = threading.Lock()

    def read(self, file: SubmissionFile, number: int) -> ReadSubmission:
        """What `read_submission` gives."""
        handed_in = read_files(file)
        try:
            return self._ask(_notebook_in, handed_in, number)
        except DamagedSubmission as damage:
            return ReadSubmission(handed_in.sha256, None, str(damage))

    def cut(self, notebook: Notebook, number: int) -> Cut:
        """What `cut` gives.

        Raises:
            DamagedSubmission: that takes too long, or too much memory.
        """
        return self._ask(cut, notebook, number)

    def chapters(self, file: SubmissionFile) -> set[int]:
        """The chapters of the notebooks that a student handed in."""
        try:
            return self._ask(_chapters_in, read_files(file))
        except DamagedSubmission:
            return set()

    def close(self) -> None:
        """Ends the processes."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def __enter__(self) -> Readers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, work: Callable[..., _Answer], *arguments: Any) -> _Answer:
        with self._lock:
            process = self._idle.pop() if self._idle else _Process()
            if process.is_gone:
                process.close()
                process = _Process()
        try:
            answer = process.ask(work, arguments)
        except BaseException:
            process.close()
            raise
        with self._lock:
            self._idle.append(process)
        if isinstance(answer, GradingError):
            raise answer
        return answer


class _Process:
    """One process that reads."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _RUN, str(PROJECT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt from the keyboard is the grader's to handle
        )

    @property
    def is_gone(self) -> bool:
        return self._process.poll() is not None

    def ask(self, work: Callable[..., _Answer], arguments: tuple[Any, ...]) -> _Answer | GradingError:
        """Has some work done.

        Raises:
            DamagedSubmission: the process has ended over it.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            pickle.dump((work.__name__, arguments, SECONDS), self._process.stdin)
            self._process.stdin.flush()
            answer: _Answer | GradingError = pickle.load(self._process.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            raise DamagedSubmission(_TOO_MUCH) from None
        return answer

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


# In such a process -------------------------------------------------------------------------------------------


def main() -> None:
    """Does what it is asked on the standard input, until that ends; answers on what was the standard output."""
    import resource

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that is printed gets among the answers
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, hard))
    while True:
        try:
            name, arguments, seconds = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + seconds, hard))
        _answer(answers, _WORK[name], arguments)


def _answer(answers: BinaryIO, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        answer = work(*arguments)
    except GradingError as error:
        answer = error
    except MemoryError:
        answer = DamagedSubmission(_TOO_MUCH)
    except Exception as error:
        answer = DamagedSubmission(tripped(error))
    pickle.dump(answer, answers)
    answers.flush()


def tripped(error: Exception) -> str:
    """Whatever a submission has found to trip the grader up with: it costs itself and nobody else."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    reason = f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"
    return f"the grader failed on it ({reason}); it needs a look by hand"


def _notebook_in(handed_in: HandedIn, number: int) -> ReadSubmission:
    try:
        notebook = select_notebook(notebooks_of(handed_in), number, exercise_names(), partial(_is_attempted, number))
    except DamagedSubmission as error:
        return ReadSubmission(handed_in.sha256, None, str(error))
    return ReadSubmission(handed_in.sha256, notebook, "")


def _is_attempted(number: int, notebook: Notebook) -> bool:
    found = _extracted(notebook, number).exercises.values()
    return any(one.status not in {"missing", "not attempted"} for one in found)


def _chapters_in(handed_in: HandedIn) -> set[int]:
    exercises = exercise_names()
    return {found for notebook in notebooks_of(handed_in) if (found := chapter_of(notebook, exercises))}


_WORK: dict[str, Callable[..., Any]] = {work.__name__: work for work in (_notebook_in, cut, _chapters_in)}
