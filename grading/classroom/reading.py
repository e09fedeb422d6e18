"""Reads submissions in separate processes that can be killed, because a hostile submission may take hours to read.

The work of unpacking, reading, extracting and fingerprinting grows with the submission: an honest notebook takes some
hundredths of a second. A process gets seconds of processor time and gigabytes of memory; a submission that needs more
counts as damaged.
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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

from grading.classroom.own_code import own_code
from grading.classroom.similarity import fingerprints
from grading.errors import GradingError
from grading.exercises.registry import chapter, exercise_names
from grading.extraction import Extraction, extract
from grading.feedback.record import ExerciseRecord, record_refused
from grading.messages import Message
from grading.storage.project import PROJECT
from grading.submission import DamagedSubmission, HandedIn, Notebook, SubmissionFile, notebooks_of, read_files
from grading.submission.cell_ids import exercise_cell_id
from grading.submission.selection import Attempt, chapter_of, select_notebook

SECONDS = 20
_MEMORY_BYTES = 4 << 30
_TOO_MUCH = Message(
    "it cannot be read in {seconds} seconds of processor time and {memory} GB of memory; a normal notebook takes a"
    " hundredth of that",
    seconds=SECONDS,
    memory=_MEMORY_BYTES >> 30,
)
TRIPPED = "the grader failed on it"
BY_HAND = "check it by hand"
_RUN = "import sys; sys.path.insert(0, sys.argv[1]); from grading.classroom.reading import main; main()"

_Answer = TypeVar("_Answer")


class ReadSubmission(NamedTuple):
    """A submission that has been read.

    Attributes:
        sha256: the hash of all its bytes.
        notebook: the notebook to grade, or None.
        problem: why there is none.
        to_do: what the instructor can do about that, or "".
    """

    sha256: str
    notebook: Notebook | None
    problem: str
    to_do: str = ""


@dataclass(frozen=True)
class Cut:
    """The solutions cut out of a notebook.

    Attributes:
        refused: the records of exercises whose solutions use what an answer may not.
        refused_alone: the same of those that do so without the earlier exercises on which they build.
        fingerprints: of each solution without the other exercises' definitions, which it may build on.
        code: of each exercise, what the student wrote, as a page shows it.
    """

    extraction: Extraction
    refused: dict[str, ExerciseRecord]
    refused_alone: dict[str, ExerciseRecord]
    fingerprints: dict[str, list[int]]
    code: dict[str, str]


def read_submission(file: SubmissionFile, number: int) -> ReadSubmission:
    """Read a submission once, and select the notebook of a chapter. Never raises, whatever the submission holds."""
    return _notebook_in(read_files(file), number)


def cut(notebook: Notebook, number: int) -> Cut:
    """Cut the exercises of a chapter out of a notebook."""
    of = chapter(number)
    extraction = _extracted(notebook, number)
    sources = {name: found.source for name, found in extraction.exercises.items()}
    written = {name: sources[name] for name, found in extraction.exercises.items() if not found.problem}
    alone = {name: found.alone for name, found in extraction.exercises.items() if name in written and found.builds_on}

    def refused(texts: Mapping[str, str]) -> dict[str, ExerciseRecord]:
        records = {name: record_refused(of.exercises[name], source) for name, source in texts.items()}
        return {name: record for name, record in records.items() if record}

    return Cut(
        extraction,
        refused(written),
        refused(alone),
        {name: fingerprints(source, sources.keys() - {name}) for name, source in written.items()},
        {name: own_code(source, sources.keys() - {name}) for name, source in sources.items()},
    )


def _extracted(notebook: Notebook, number: int) -> Extraction:
    return extract(notebook, {name: exercise_cell_id(name) for name in chapter(number).exercises})


class Readers:
    """Does the same in processes that are reused for the next submission. Several threads may use it at once."""

    def __init__(self) -> None:
        self._idle: list[_Process] = []
        self._lock = threading.Lock()

    def read(self, file: SubmissionFile, number: int) -> ReadSubmission:
        """Return what `read_submission` returns."""
        handed_in = read_files(file)
        try:
            return self._ask(_notebook_in, handed_in, number)
        except DamagedSubmission as damage:
            return ReadSubmission(handed_in.sha256, None, str(damage), damage.to_do)
        except Exception as error:  # such as MemoryError; it costs only this submission
            return ReadSubmission(handed_in.sha256, None, tripped(error), BY_HAND)

    def cut(self, notebook: Notebook, number: int) -> Cut:
        """Return what `cut` returns.

        Raises:
            DamagedSubmission: it takes too long, or too much memory.
        """
        return self._ask(cut, notebook, number)

    def chapters(self, file: SubmissionFile) -> set[int]:
        """The chapters of the notebooks in a submission."""
        try:
            return self._ask(_chapters_in, read_files(file))
        except DamagedSubmission:
            return set()

    def close(self) -> None:
        """End the processes."""
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
    """One reading process."""

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
        """Have the process do some work, and return the answer.

        Raises:
            DamagedSubmission: the process died over it.
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
    """Serve requests from the standard input until it ends, and answer on the original standard output."""
    import resource

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keep printed text out of the answers
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
        answer = DamagedSubmission(tripped(error), BY_HAND)
    pickle.dump(answer, answers)
    answers.flush()


def tripped(error: Exception) -> str:
    """The problem of a submission that made the grader fail: it costs only that submission."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return Message(
        "the grader failed on it ({error} in {file}, line {line})",
        error=type(error).__name__,
        file=Path(place.filename).name,
        line=place.lineno,
    )


def _notebook_in(handed_in: HandedIn, number: int) -> ReadSubmission:
    try:
        notebook = select_notebook(notebooks_of(handed_in), number, exercise_names(), partial(_attempt_in, number))
    except DamagedSubmission as error:
        return ReadSubmission(handed_in.sha256, None, str(error), error.to_do)
    return ReadSubmission(handed_in.sha256, notebook, "")


def _attempt_in(number: int, notebook: Notebook) -> Attempt:
    sources = _extracted(notebook, number).exercises.values()
    written = [source for source in sources if source.status not in {"missing", "not attempted"}]
    if not written:
        return Attempt.NONE
    return Attempt.PARTIAL if all(source.is_partial for source in written) else Attempt.WHOLE


def _chapters_in(handed_in: HandedIn) -> set[int]:
    exercises = exercise_names()
    return {found for notebook in notebooks_of(handed_in) if (found := chapter_of(notebook, exercises))}


_WORK: dict[str, Callable[..., Any]] = {work.__name__: work for work in (_notebook_in, cut, _chapters_in)}
