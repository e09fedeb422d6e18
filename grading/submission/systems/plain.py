"""No system: one notebook or archive for each student, as a file named after the student or in a folder named so."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from grading.submission.content import printable
from grading.submission.download import WANTED, Download, Entry, File
from grading.submission.names import without_ending
from grading.submission.submission_file import SubmissionFile

_MOST_FILES = 5_000  # in one student's folder
# An instructor's own lists may lie beside the submissions; a student's solution has none of these endings.
_LISTS = {".csv", ".json", ".md", ".toml", ".yaml", ".yml"}
_LOOKALIKE = "another submission's name differs from this one's only in capitals or in how its letters are encoded"


def plain_submissions(download: Download) -> list[SubmissionFile]:
    """One submission for each name, sorted by name.

    What has one name - alice.ipynb beside alice.zip - is one student's. Names that are told apart by characters that
    cannot be printed alone are nobody's: each of them would take the other's marks.
    """
    named: dict[str, dict[str, list[SubmissionFile]]] = {}
    for name, entries in download.tops().items():
        found = _submission(name, entries, download.path)
        if found:
            stem, submission = found
            named.setdefault(submission.student, {}).setdefault(stem, []).append(submission)
    return _with_lookalikes([_one(student, named[student]) for student in sorted(named)])


def _submission(name: str, entries: Sequence[Entry], root: Path) -> tuple[str, SubmissionFile] | None:
    """A file or a folder as a submission, with its name as the disk has it; None where it is none of the students'."""
    path = root / name if root.is_dir() else root
    problem = next((entry.problem for entry in entries if entry.problem and len(entry.parts) == 1), None)
    top = entries[0]
    if top.is_folder or any(len(entry.parts) > 1 for entry in entries):
        files = tuple(entry.file for entry in entries if entry.file and entry.is_wanted())
        problem = problem or _problem_of(entries, files)
        return name, SubmissionFile(printable(name), path, () if problem else files, problem)
    stem = PurePosixPath(name).stem
    if problem or top.is_wanted():
        stem = without_ending(name)
        return stem, SubmissionFile(printable(stem), path, (top.file,) if top.file else (), problem)
    if PurePosixPath(name).suffix.lower() in _LISTS:
        return None
    return stem, SubmissionFile(printable(stem), path, (), f"{printable(name)} is not {WANTED}")


def _problem_of(entries: Sequence[Entry], files: Sequence[File]) -> str | None:
    """What is the matter with a student's folder."""
    regular = [entry for entry in entries if entry.file]
    if len(regular) > _MOST_FILES:
        return f"the folder holds more than {_MOST_FILES} files"
    if files:
        return None
    held = ", ".join(sorted(printable(entry.name) for entry in regular)[:5]) or "no regular files"
    odd = [f"{entry.shown}: {entry.problem}" for entry in entries if entry.problem]
    return "; ".join([f"the folder does not hold {WANTED}", f"it holds {held}", *odd[:5]])


def _one(student: str, claims: dict[str, list[SubmissionFile]]) -> SubmissionFile:
    """What goes by one printable name."""
    first, *others = [submission for submissions in claims.values() for submission in submissions]
    if len(claims) > 1:
        return replace(first, files=(), problem=f"{len(claims)} submissions are all called {student}; rename them")
    for other in others:
        files = first.files + other.files
        first = replace(first, files=files, problem=None if files else f"{first.problem}; {other.problem}")
    return first


def _with_lookalikes(submissions: list[SubmissionFile]) -> list[SubmissionFile]:
    """Adds a note to those whose names people cannot tell apart. They stay two students."""
    alike = Counter(_as_read(submission.student) for submission in submissions)
    return [
        replace(submission, notes=(*submission.notes, _LOOKALIKE))
        if alike[_as_read(submission.student)] > 1
        else submission
        for submission in submissions
    ]


def _as_read(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
