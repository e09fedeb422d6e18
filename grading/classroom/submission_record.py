"""The record of a submission: what it holds, and how to make one where nothing was graded, or a part of it again."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from typing import NotRequired, TypedDict

from grading.classroom.reading import BY_HAND, TRIPPED, ReadSubmission
from grading.exercises.registry import chapter
from grading.feedback.record import ExerciseRecord, record_unchecked
from grading.languages import ENGLISH, known_language
from grading.messages import Message
from grading.messages.stored import StoredMessage, by_english, messages_in
from grading.messages.translator import Translator, translator
from grading.submission import SubmissionFile
from grading.submission.content import printable
from grading.untrusted import shown_throughout

# The status of a record, by comparison with the roster.
MISSING, TWICE, UNKNOWN, SAME_NAME = "missing", "claimed twice", "not on the roster", "same name"


class PersonRecord(TypedDict):
    """The student whom a record is about; "" stands for unknown.

    `submission` is the name of the submission, and `number` the student's number in the system that it comes from.
    `submitted`, `late` and `file` are as in `Person`; records of older versions have none.
    `id`, `login` and `section` come from the roster, and so do `name` and `email` if it has them. `canvas` is that of
    `Member`, if the roster is Canvas's gradebook. If the roster and the submissions disagree, `status` is MISSING,
    TWICE or UNKNOWN; SAME_NAME if a submission may be by several students.
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
    submitted: NotRequired[str]
    late: NotRequired[bool]
    file: NotRequired[str]
    canvas: NotRequired[tuple[str, str, str]]


class SubmissionRecord(TypedDict):
    """One graded submission.

    `problem` says why nothing could be graded, or is "". `crashes` counts how often its process ended or hung.
    `fingerprints` serve to find similar solutions, and `code` is the student's code, both by exercise. `sha256` is the
    hash of the notebook, `submission_sha256` that of the whole submission as it was read. `notes` are for the student
    and the instructor, `for_instructor` are remarks that no student sees; records of older versions have none.
    `language` is the code of the one that the student's page is in, and `messages` are the parts of the problem and of
    the notes, for other languages than English; records of older versions have neither. `late` says what was taken off
    for being late; only `grading.gradebook` adds it, with the points that count, and no folder of results holds it.
    """

    student: str
    person: PersonRecord
    chapter: int
    path: str
    sha256: str
    submission_sha256: str
    problem: str
    notes: list[str]
    for_instructor: NotRequired[list[str]]
    language: NotRequired[str]
    messages: NotRequired[list[StoredMessage]]
    late: NotRequired[str]
    exercises: list[ExerciseRecord]
    crashes: int
    fingerprints: dict[str, list[int]]
    code: dict[str, str]
    earned: float
    points: float


def with_exercises(earlier: SubmissionRecord, later: SubmissionRecord, names: Collection[str]) -> SubmissionRecord:
    """The later record, in which only some exercises are new and the others are those of the earlier record.

    If the submission has changed, or could not be graded either time, all of the later record counts.
    """
    if earlier["problem"] or later["problem"] or earlier["submission_sha256"] != later["submission_sha256"]:
        return later
    kept = {old["name"]: old for old in earlier["exercises"] if old["name"] not in names}
    pairs = [(kept.get(new["name"], new), new) for new in later["exercises"]]
    exercises = [exercise for exercise, _ in pairs]
    failed = by_hand(later["exercises"])
    remarks = [remark for remark in later.get("for_instructor", []) if remark not in failed]
    return {
        **later,
        "for_instructor": [*remarks, *by_hand(exercises)],
        "exercises": exercises,
        # Of an older version's exercise, nobody knows how often it crashed then.
        "crashes": sum(exercise.get("crashes", new.get("crashes", 0)) for exercise, new in pairs),
        "earned": sum(exercise["earned"] for exercise in exercises),
    }


def by_hand(exercises: Iterable[ExerciseRecord]) -> list[str]:
    """What the instructor has to do about exercises on which the grader failed."""
    return [
        f"{exercise['name']}: {TRIPPED}; {BY_HAND}" for exercise in exercises if exercise["problem"].startswith(TRIPPED)
    ]


def unreadable(file: SubmissionFile, number: int, read: ReadSubmission) -> SubmissionRecord:
    """The record of a submission that could not be graded."""
    record: SubmissionRecord = {
        **ungraded(file.student, person_of(file), number, read.problem),
        "path": printable(file.path.name),
        "submission_sha256": read.sha256,
        "notes": list(file.notes),
        "for_instructor": [*filter(None, [file.for_instructor, read.to_do])],
        "messages": messages_in([read.problem, *file.notes]),
    }
    return shown_throughout(record)


def translator_of(record: SubmissionRecord) -> Translator:
    """What says a record in the language of its student; of an older version's record, in English."""
    return said_in(known_language(record.get("language")) or ENGLISH, record)


def said_in(language: str, record: SubmissionRecord) -> Translator:
    """What says a record in a language."""
    return translator(language, chapter(record["chapter"]).slug)


def problem_in(record: SubmissionRecord, said: Translator) -> str:
    """Why nothing could be graded, in a language."""
    return said(by_english(record.get("messages", [])).get(record["problem"], record["problem"]))


def is_absent(record: SubmissionRecord) -> bool:
    """Whether no submission is known to be the student's."""
    person = record["person"]
    return person["status"] == MISSING or (person["status"] == SAME_NAME and not person["submission"])


def person_of(file: SubmissionFile) -> PersonRecord:
    """The submission's owner, as far as the download names one."""
    person = shown_throughout(asdict(file.person))
    return {**person, "submission": file.student, "id": "", "login": "", "section": "", "status": ""}  # type: ignore[typeddict-item]


def ungraded(student: str, person: PersonRecord, number: int, problem: str) -> SubmissionRecord:
    """The record of a student for whom nothing could be graded, with or without a submission."""
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
        "messages": messages_in(problem),
        "exercises": [record_unchecked(exercise, Message("not graded")) for exercise in of.exercises.values()],
        "crashes": 0,
        "fingerprints": {},
        "code": {},
        "earned": 0.0,
        "points": of.points,
    }
