"""Grades one submission: reads it, runs its definitions in the sandbox, and runs the checks on their answers.

The grader makes what it needs once - the reference's answers, the mistakes' answers, a ready sandbox - at the first
submission of a chapter, and reuses it. Several threads may grade at once.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from grading.classroom.reading import BY_HAND, Cut, Readers, ReadSubmission, tripped
from grading.classroom.seeds import pool, seed_of
from grading.classroom.submission_record import SubmissionRecord, by_hand, person_of, unreadable
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.feedback.record import ExerciseRecord, record, record_unchecked
from grading.judging.exercise import Chapter, Exercise
from grading.judging.expectations import PUBLIC_SECRET, LiveExpectations
from grading.judging.probing import Failure
from grading.judging.trial import Place, Way
from grading.judging.verdict import judge_ways
from grading.messages import Message
from grading.messages.stored import messages_in
from grading.release import answers_before, blanked_library
from grading.sandbox.client import Sandbox
from grading.sandbox.clock import WallTime
from grading.sandbox.errors import BadAnswer, StudentError, SubmissionError
from grading.sandbox.limits import SUBMISSION_WALL_SECONDS, Limits
from grading.sandbox.session import SandboxSession
from grading.storage.temporary import clear_temporary_folders, temporary_folder
from grading.submission import DamagedSubmission, Notebook, SubmissionFile
from grading.submission.content import printable
from grading.untrusted import shown_throughout

# Far more than all right solutions take together; a submission whose every call hangs ends here.
SUBMISSION_SECONDS = 60.0
EXPLANATION_SECONDS = 30.0


class Grader:
    """Grades submissions of any chapter.

    Args:
        secret: seeds the inputs of all checks (see `seeds`); the same for a whole class, unknown to it.
        without_isolation: run submissions as plain processes. Only for submissions that you would run yourself.
        alone: grade one submission, in a container of its own, which may do without namespaces: see `choose_backend`.

    Use it as a context manager; its sandboxes end with it.
    """

    def __init__(self, secret: bytes, without_isolation: bool = False, alone: bool = False) -> None:
        self._secret = secret
        self._without_isolation = without_isolation
        self._alone = alone
        self._expectations: dict[tuple[int, bytes], LiveExpectations] = {}
        self._sandboxes: dict[int, Sandbox] = {}
        self._lock = threading.RLock()
        self._stack = ExitStack()
        self._readers = self._stack.enter_context(Readers())

    def __enter__(self) -> Grader:
        clear_temporary_folders()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def prepare(self, number: int) -> Sandbox:
        """Return a chapter's sandbox; at the first call, make it and the reference's answers.

        Raises:
            GradingError: there is no such chapter.
            SandboxUnavailable: this host cannot isolate submissions.
        """
        with self._lock:
            if number not in self._sandboxes:
                of = chapter(number)
                with ThreadPoolExecutor(1) as beside:
                    sandbox = beside.submit(self._sandbox, of)
                    # The sandbox takes seconds to start; meanwhile, compute the reference's answers.
                    _compute_references(of, self._live(of, pool(self._secret)[0]))
                self._sandboxes[number] = sandbox.result()
            return self._sandboxes[number]

    def _live(self, of: Chapter, seed: bytes) -> LiveExpectations:
        """The expected answers on the inputs of a seed."""
        with self._lock:
            if (of.number, seed) not in self._expectations:
                self._expectations[of.number, seed] = LiveExpectations(of, seed)
            return self._expectations[of.number, seed]

    def _sandbox(self, of: Chapter) -> Sandbox:
        library = self._stack.enter_context(temporary_folder())
        blanked_library(of.number, library)
        return self._stack.enter_context(
            Sandbox(
                library=library,
                ready_made=of.ready_made,
                limits=Limits(),
                without_isolation=self._without_isolation,
                alone=self._alone,
            )
        )

    def grade(self, file: SubmissionFile, number: int) -> SubmissionRecord:
        """Grade a submission for a chapter. Whatever the submission holds, return a record.

        Raises:
            GradingError: the grader itself cannot go on, for example because its sandbox is gone.
        """
        return self.grade_read(file, self._readers.read(file, number), number)

    def grade_read(self, file: SubmissionFile, read: ReadSubmission, number: int) -> SubmissionRecord:
        """Grade a submission that has been read.

        Raises:
            GradingError: the grader itself cannot go on, for example because its sandbox is gone.
        """
        if read.notebook is None:
            return unreadable(file, number, read)
        try:
            return self._grade(file, read.notebook, read.sha256, chapter(number))
        except DamagedSubmission as damage:
            return unreadable(file, number, read._replace(problem=str(damage), to_do=damage.to_do))
        except GradingError:
            raise
        except Exception as error:
            return unreadable(file, number, read._replace(problem=tripped(error), to_do=BY_HAND))

    def _grade(self, file: SubmissionFile, notebook: Notebook, read_sha256: str, of: Chapter) -> SubmissionRecord:
        sandbox = self.prepare(of.number)
        hidden = self._live(of, seed_of(self._secret, file.student, read_sha256))
        public = self._live(of, PUBLIC_SECRET)
        found = self._readers.cut(notebook, of.number)
        wall_time = WallTime(SUBMISSION_WALL_SECONDS)
        with (
            sandbox.turn(),
            SandboxSession(sandbox, SUBMISSION_SECONDS, wall_time=wall_time) as session,
            # Code that runs here never sees hidden inputs, so its messages cannot reveal any.
            SandboxSession(sandbox, EXPLANATION_SECONDS, wall_time=wall_time) as public_session,
        ):
            exercises = _grade_exercises(of, found, _Place(session, hidden), _Place(public_session, public))
        notes = [*notebook.notes, *found.extraction.notes]
        record: SubmissionRecord = {
            "student": file.student,
            "person": person_of(file),
            "chapter": of.number,
            "path": _shown_path(file, notebook),
            "sha256": notebook.sha256,
            "submission_sha256": read_sha256,
            "problem": "",
            "notes": notes,
            "language": notebook.language,
            "messages": messages_in(notes),
            "for_instructor": [*filter(None, [file.for_instructor]), *notebook.for_instructor, *by_hand(exercises)],
            "exercises": exercises,
            "crashes": session.crashes,
            "fingerprints": found.fingerprints,
            "code": {},
            "earned": sum(exercise["earned"] for exercise in exercises),
            "points": of.points,
        }
        return {**shown_throughout(record), "code": found.code}  # `own_code` has already made it printable


def _compute_references(of: Chapter, expectations: LiveExpectations) -> None:
    for exercise in of.exercises.values():
        for check in exercise.checks:
            expectations.reference(exercise, check)


class _Place(NamedTuple):
    """Like `Place`, but in the sandbox."""

    session: SandboxSession
    expectations: LiveExpectations


def _grade_exercises(of: Chapter, cut: Cut, hidden: _Place, public: _Place) -> list[ExerciseRecord]:
    records = []
    causes: dict[str, tuple[str, ...]] = {}
    for name, exercise in of.exercises.items():
        crashes = hidden.session.crashes
        graded, beside = _grade_exercise(exercise, of, cut, hidden, public, causes)
        graded["crashes"] = hidden.session.crashes - crashes
        records.append(graded)
        if beside or not graded["passed"]:
            causes[name] = beside if graded["passed"] else (name,)
    return records


def _grade_exercise(
    exercise: Exercise, of: Chapter, cut: Cut, hidden: _Place, public: _Place, causes: Mapping[str, Sequence[str]]
) -> tuple[ExerciseRecord, tuple[str, ...]]:
    """The record of an exercise, and the earlier exercises that had to be the course's own for it to pass.

    What builds on an exercise that has lost points is tried beside the course's own earlier definitions, too, so that
    one mistake is paid for once.

    Args:
        causes: of the exercises before it that are not right by themselves: those that have lost the points.
    """
    found = cut.extraction.exercises[exercise.name]
    if found.problem:
        return record_unchecked(exercise, found.problem), ()

    def defined(place: _Place, source: str, given: Sequence[str] = ()) -> Place:
        library = answers_before(exercise.name, of.number) if given else ""
        place.session.define(source, exercise.name, exercise.ready_made, library, given)
        return Place(*place)

    own = Way(partial(defined, hidden, found.source), partial(defined, public, found.source))
    ways = [] if exercise.name in cut.refused else [own]
    given = tuple(dict.fromkeys(cause for name in found.builds_on for cause in causes.get(name, ())))
    if given and exercise.name not in cut.refused_alone:
        alone = found.alone, found.builds_on
        ways.append(Way(partial(defined, hidden, *alone), partial(defined, public, *alone), given))
    if not ways:
        return cut.refused[exercise.name], ()
    try:
        result = judge_ways(exercise, ways)
        return record(result, found.source), result.beside
    except SubmissionError as error:
        return record_unchecked(exercise, _not_run(error, ways[-1])), ()
    except GradingError:
        raise
    except Exception as error:  # an unforeseen answer costs only its own exercise
        return record_unchecked(exercise, tripped(error)), ()


def _shown_path(file: SubmissionFile, notebook: Notebook) -> str:
    name = printable(file.path.name)
    return name if name == notebook.path_in_submission else f"{name}: {notebook.path_in_submission}"


def _not_run(error: SubmissionError, way: Way) -> Message:
    """That a definition could not be run, and why, as found in the session that never sees hidden inputs."""
    if isinstance(error, StudentError | BadAnswer):
        try:
            assert way.public
            way.public()
        except SubmissionError as again:
            error = again
        else:
            return Message("the definition could not be run")
    return Message("the definition could not be run: {why}", why=Failure.of(error).sentence())
