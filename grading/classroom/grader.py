"""Grades one submission: reads it, runs its definitions in the sandbox, and holds the answers to the checks.

What is needed once - the reference's answers, the mistakes' answers, a sandbox that is ready - is made at the first
submission of a chapter and serves all that follow. Several threads may grade at once.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypedDict

from grading.classroom.own_code import own_code
from grading.classroom.similarity import fingerprints
from grading.definitions import Extraction, extract, ready_made_names
from grading.errors import GradingError
from grading.exercises.registry import chapter, exercise_names
from grading.feedback.record import ExerciseRecord, record, record_unchecked
from grading.judging.exercise import Chapter, Mistake
from grading.judging.expectations import Live
from grading.judging.probing import Failure
from grading.judging.verdict import judge_exercise
from grading.release import blanked_library
from grading.sandbox.client import Sandbox
from grading.sandbox.errors import SubmissionError
from grading.sandbox.limits import Limits
from grading.sandbox.session import SandboxSession
from grading.storage.temporary import clear_temporary_folders, temporary_folder
from grading.submission import DamagedSubmission, Notebook, SubmissionFile, notebooks_of, read_files
from grading.submission.cell_ids import exercise_cell_id
from grading.submission.content import printable
from grading.submission.selection import select_notebook

# Far more than right solutions take together; a submission of which every call hangs ends here.
SUBMISSION_SECONDS = 60.0


# What a roster says of a record.
MISSING, TWICE, UNKNOWN = "missing", "claimed twice", "not on the roster"


class PersonRecord(TypedDict):
    """Who a record is of; "" is what is not known.

    `submission` is by what name it was handed in, `number` what the system it comes from calls the student; `id`,
    `login` and `section` are the roster's, and so are `name` and `email` where it has them. `status` is MISSING, TWICE
    or UNKNOWN where the roster and the submissions disagree.
    """

    submission: str
    system: str
    number: str
    name: str
    email: str
    id: str
    login: str
    section: str
    status: str


class SubmissionRecord(TypedDict):
    """One graded submission.

    `problem` says why nothing could be graded, "" where something could. `crashes` counts how often its process
    ended or hung. `fingerprints` tell solutions apart, `code` is what the student wrote, each by exercise. `sha256` is
    of the notebook's bytes, `submission_sha256` of all that was read of the submission.
    """

    student: str
    person: PersonRecord
    chapter: int
    path: str
    sha256: str
    submission_sha256: str
    problem: str
    notes: list[str]
    flags: list[str]
    exercises: list[ExerciseRecord]
    crashes: int
    fingerprints: dict[str, list[int]]
    code: dict[str, str]
    earned: float
    points: float


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
        clear_temporary_folders()
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
                of = chapter(number)
                with ThreadPoolExecutor(1) as beside:
                    sandbox = beside.submit(self._sandbox, of)
                    # It takes seconds to start; what everybody is compared with is made meanwhile.
                    self._expectations[number] = _references(of, self._secret)
                self._sandboxes[number] = sandbox.result()
            return self._expectations[number], self._sandboxes[number]

    def _sandbox(self, of: Chapter) -> Sandbox:
        library = self._stack.enter_context(temporary_folder())
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
        """Grades what a student handed in for a chapter. Whatever it is, this returns a record.

        Raises:
            GradingError: the grader itself cannot go on, as where its sandbox is gone.
        """
        return self.grade_read(file, read_submission(file, number), number)

    def grade_read(self, file: SubmissionFile, read: ReadSubmission, number: int) -> SubmissionRecord:
        """Grades what was read of what a student handed in.

        Raises:
            GradingError: the grader itself cannot go on, as where its sandbox is gone.
        """
        if read.notebook is None:
            return unreadable(file, number, read)
        try:
            return self._grade(file, read.notebook, read.sha256, chapter(number))
        except GradingError:
            raise
        except Exception as error:
            return unreadable(file, number, read._replace(problem=_tripped(error)))

    def _grade(self, file: SubmissionFile, notebook: Notebook, read_sha256: str, of: Chapter) -> SubmissionRecord:
        expectations, sandbox = self.prepare(of.number)
        extraction = _extracted(notebook, of)
        with SandboxSession(sandbox, SUBMISSION_SECONDS) as session:
            exercises = _grade_exercises(of, extraction, session, expectations)
        return {
            "student": file.student,
            "person": person_of(file),
            "chapter": of.number,
            "path": _shown_path(file, notebook),
            "sha256": notebook.sha256,
            "submission_sha256": read_sha256,
            "problem": "",
            "notes": [*notebook.notes, *extraction.notes],
            "flags": _flags(extraction),
            "exercises": exercises,
            "crashes": session.crashes,
            "fingerprints": _fingerprints(extraction),
            "code": _code(extraction),
            "earned": sum(exercise["earned"] for exercise in exercises),
            "points": of.points,
        }


def with_exercises(earlier: SubmissionRecord, later: SubmissionRecord, names: Collection[str]) -> SubmissionRecord:
    """An earlier record in which some exercises are as a later one has them, and nothing else has changed."""
    if earlier["problem"] or later["problem"]:
        return later
    graded = {exercise["name"]: exercise for exercise in later["exercises"]}
    exercises = [graded[old["name"]] if old["name"] in names else old for old in earlier["exercises"]]
    return {**earlier, "exercises": exercises, "earned": sum(exercise["earned"] for exercise in exercises)}


def _references(of: Chapter, secret: bytes) -> Live:
    expectations = Live(of, secret)
    for exercise in of.exercises.values():
        for check in exercise.checks:
            expectations.reference(exercise, check)
    return expectations


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


def _fingerprints(extraction: Extraction) -> dict[str, list[int]]:
    """Of each solution without the other exercises' definitions, which it may build on."""
    found = {name: found for name, found in extraction.exercises.items() if not found.problem}
    return {name: fingerprints(one.source, extraction.exercises.keys() - {name}) for name, one in found.items()}


def _code(extraction: Extraction) -> dict[str, str]:
    names = extraction.exercises.keys()
    return {name: own_code(found.source, names - {name}) for name, found in extraction.exercises.items()}


def _flags(extraction: Extraction) -> list[str]:
    """Ways out of a solution that no exercise needs. They gain nothing in the sandbox; the instructor is told."""
    sources = "\n".join(found.source for found in extraction.exercises.values())
    # What looks up a name at run time says so itself.
    return [name if " " in name else f"uses {name}" for name in ready_made_names(sources, ())]


def read_submission(file: SubmissionFile, number: int) -> ReadSubmission:
    """Reads what a student handed in, once, and takes the notebook of a chapter. Whatever it is, this returns."""
    handed_in = read_files(file)
    try:
        notebook = select_notebook(notebooks_of(handed_in), number, exercise_names(), partial(_is_attempted, number))
    except DamagedSubmission as error:
        return ReadSubmission(handed_in.sha256, None, str(error))
    except GradingError:
        raise
    except Exception as error:
        return ReadSubmission(handed_in.sha256, None, _tripped(error))
    return ReadSubmission(handed_in.sha256, notebook, "")


def _shown_path(file: SubmissionFile, notebook: Notebook) -> str:
    name = printable(file.path.name)
    return name if name == notebook.path_in_submission else f"{name}: {notebook.path_in_submission}"


def _is_attempted(number: int, notebook: Notebook) -> bool:
    found = _extracted(notebook, chapter(number)).exercises.values()
    return any(one.status not in {"missing", "not attempted"} for one in found)


def _extracted(notebook: Notebook, of: Chapter) -> Extraction:
    return extract(notebook, {name: exercise_cell_id(name) for name in of.exercises})


def _tripped(error: Exception) -> str:
    """Whatever a submission has found to trip the grader up with: it costs itself and nobody else."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    reason = f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"
    return f"the grader failed on it ({reason}); it needs a look by hand"


def unreadable(file: SubmissionFile, number: int, read: ReadSubmission) -> SubmissionRecord:
    """The record of a submission that could not be graded."""
    return {
        **ungraded(file.student, person_of(file), number, read.problem),
        "path": printable(file.path.name),
        "submission_sha256": read.sha256,
        "notes": list(file.notes),
    }


def person_of(file: SubmissionFile) -> PersonRecord:
    """Who handed in, as far as the download says so."""
    return {**asdict(file.person), "submission": file.student, "id": "", "login": "", "section": "", "status": ""}  # type: ignore[typeddict-item]


def ungraded(student: str, person: PersonRecord, number: int, problem: str) -> SubmissionRecord:
    """The record of a student of whom nothing could be graded, whether something was handed in or not."""
    of = chapter(number)
    return {
        "student": student,
        "person": person,
        "chapter": of.number,
        "path": "",
        "sha256": "",
        "submission_sha256": "",
        "problem": problem,
        "notes": [],
        "flags": [],
        "exercises": [record_unchecked(exercise, "not graded") for exercise in of.exercises.values()],
        "crashes": 0,
        "fingerprints": {},
        "code": {},
        "earned": 0.0,
        "points": of.points,
    }
