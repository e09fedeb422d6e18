"""Grades one submission: reads it, runs its definitions in the sandbox, and holds the answers to the checks.

What is needed once - the reference's answers, the mistakes' answers, a sandbox that is ready - is made at the first
submission of a chapter and serves all that follow. Several threads may grade at once.
"""

from __future__ import annotations

import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import TypedDict

from grading.choosing import choose
from grading.definitions import Extraction, extract, ready_made_names
from grading.exercise import Chapter, Mistake, chapter
from grading.expectations import Live
from grading.lessons.notebook import exercise_cell_id
from grading.probing import Failure
from grading.record import ExerciseRecord, record, record_unchecked
from grading.release import blanked_library
from grading.sandbox.client import Sandbox
from grading.sandbox.errors import SubmissionError
from grading.sandbox.limits import Limits
from grading.session import SandboxSession
from grading.submission import DamagedSubmission, Notebook, SubmissionFile, read_notebooks
from grading.verdict import judge_exercise

# Far more than right solutions take together; a submission of which every call hangs ends here.
SUBMISSION_SECONDS = 60.0


class SubmissionRecord(TypedDict):
    """One graded submission. `problem` says why nothing could be graded, "" where something could."""

    student: str
    chapter: int
    path: str
    sha256: str
    problem: str
    notes: list[str]
    flags: list[str]
    exercises: list[ExerciseRecord]
    earned: float
    points: float


class Grader:
    """Grades submissions of any chapter.

    Args:
        secret: seeds the inputs of all checks; the same for a whole class, unknown to it.
        without_isolation: runs submissions as plain processes. Only for submissions that you would run yourself.

    Use it as a context manager; its sandboxes end with it.
    """

    def __init__(self, secret: bytes, without_isolation: bool = False) -> None:
        self._secret = secret
        self._without_isolation = without_isolation
        self._expectations: dict[int, Live] = {}
        self._sandboxes: dict[int, Sandbox] = {}
        self._lock = threading.Lock()
        self._stack = ExitStack()

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def prepare(self, number: int) -> tuple[Live, Sandbox]:
        """What grading a chapter needs once.

        Raises:
            GradingError: there is no such chapter.
            SandboxUnavailable: this host cannot isolate submissions.
        """
        with self._lock:
            if number not in self._sandboxes:
                self._sandboxes[number] = self._sandbox(chapter(number))
                self._expectations[number] = Live(chapter(number), self._secret)
            return self._expectations[number], self._sandboxes[number]

    def _sandbox(self, of: Chapter) -> Sandbox:
        library = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="library-")))
        blanked_library(of.number, library)
        return self._stack.enter_context(
            Sandbox(
                library=library,
                ready_made=of.ready_made,
                limits=Limits(),
                without_isolation=self._without_isolation,
            )
        )

    def grade(self, file: SubmissionFile, number: int) -> SubmissionRecord:
        """Grades what a student handed in for a chapter. Whatever it is, this returns a record."""
        try:
            if file.problem:
                raise DamagedSubmission(file.problem)
            notebook = choose(read_notebooks(file), number)
        except DamagedSubmission as error:
            return _unreadable(file, chapter(number), str(error))
        return self._grade_notebook(file, notebook, chapter(number))

    def _grade_notebook(self, file: SubmissionFile, notebook: Notebook, of: Chapter) -> SubmissionRecord:
        expectations, sandbox = self.prepare(of.number)
        extraction = extract(notebook, {name: exercise_cell_id(name) for name in of.exercises})
        with SandboxSession(sandbox, SUBMISSION_SECONDS) as session:
            exercises = _grade_exercises(of, extraction, session, expectations)
        return {
            "student": file.student,
            "chapter": of.number,
            "path": f"{file.path.name}: {notebook.path_in_submission}",
            "sha256": notebook.sha256,
            "problem": "",
            "notes": [*notebook.notes, *extraction.notes],
            "flags": _flags(extraction),
            "exercises": exercises,
            "earned": sum(exercise["earned"] for exercise in exercises),
            "points": of.points,
        }


def _grade_exercises(
    of: Chapter, extraction: Extraction, session: SandboxSession, expectations: Live
) -> list[ExerciseRecord]:
    records = []
    earlier: dict[str, Mistake] = {}
    for name, exercise in of.exercises.items():
        found = extraction.exercises[name]
        if found.problem:
            records.append(record_unchecked(exercise, found.problem))
            continue
        try:
            session.define(found.source, name)
        except SubmissionError as error:
            reason = Failure.of(error).sentence()
            records.append(record_unchecked(exercise, f"the definition could not be run: {reason}"))
            continue
        result = judge_exercise(exercise, session, expectations, source=found.source, earlier=earlier)
        if len(result.mistakes) == 1:
            earlier[name] = result.mistakes[0]
        records.append(record(result))
    return records


def _flags(extraction: Extraction) -> list[str]:
    """Ways out of a solution that no exercise needs. They gain nothing in the sandbox; the instructor is told."""
    sources = "\n".join(found.source for found in extraction.exercises.values())
    return [f"uses {name}" for name in ready_made_names(sources, ())]


def _unreadable(file: SubmissionFile, of: Chapter, problem: str) -> SubmissionRecord:
    return {
        "student": file.student,
        "chapter": of.number,
        "path": file.path.name,
        "sha256": "",
        "problem": problem,
        "notes": [],
        "flags": [],
        "exercises": [record_unchecked(exercise, "not graded") for exercise in of.exercises.values()],
        "earned": 0.0,
        "points": of.points,
    }
