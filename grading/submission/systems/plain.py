"""No system: one notebook or archive per student, as a file or in a folder named after the student."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from grading.errors import GradingError
from grading.messages import Message, in_turn
from grading.submission.content import printable
from grading.submission.download import WANTED, Download, Entry, File, modules_beside, open_download, problems_of
from grading.submission.names import without_ending
from grading.submission.submission_file import SubmissionFile

_MOST_FILES = 5_000  # in one student's folder
# The instructor's own lists may be beside the submissions; a student's solution has none of these endings.
_LISTS = {".csv", ".json", ".md", ".toml", ".yaml", ".yml"}
_LOOKALIKE = "another submission's name differs from this one's only in capitals or in how its letters are encoded"


def plain_submissions(download: Download) -> list[SubmissionFile]:
    """One submission for each name, sorted by name.

    Files of the same name - alice.ipynb beside alice.zip - are one student's. Names that differ only in unprintable
    characters are nobody's, because each would take the other's marks.
    """
    named: dict[str, dict[str, list[SubmissionFile]]] = {}
    for name, entries in download.tops().items():
        found = _submission(name, entries, download.path)
        if found:
            stem, submission = found
            named.setdefault(submission.student, {}).setdefault(stem, []).append(submission)
    return _with_lookalikes([_one(student, named[student]) for student in sorted(named)])


def one_submission(path: Path) -> SubmissionFile:
    """The submission of one student.

    Args:
        path: a notebook or an archive, or a folder that contains either.

    Raises:
        GradingError: there is nothing at that path, or it cannot be listed.
    """
    if not path.exists():
        raise GradingError(f"{path} does not exist; give a notebook, or the folder with what a student submitted")
    path = path.resolve()
    inside = open_download(path).entries if path.is_dir() else (Entry((), path),)
    entries = [replace(entry, parts=(path.name, *entry.parts)) for entry in inside]
    found = _submission(path.name, entries, path.parent) if entries else None
    problem = Message("{file} is not, and does not contain, {wanted}", file=printable(path.name), wanted=WANTED)
    return found[1] if found else SubmissionFile(printable(path.name), path, (), problem)


def _submission(name: str, entries: Sequence[Entry], root: Path) -> tuple[str, SubmissionFile] | None:
    """A file or a folder as a submission, with its name on the disk; None if it is no student's."""
    path = root / name if root.is_dir() else root
    problem = next((entry.problem for entry in entries if entry.problem and len(entry.parts) == 1), None)
    top = entries[0]
    if top.is_folder or any(len(entry.parts) > 1 for entry in entries):
        files = tuple(entry.file for entry in entries if entry.file and entry.is_wanted())
        problem = problem or _problem_of(entries, files)
        files = () if problem else files
        return name, SubmissionFile(printable(name), path, files, problem, modules=modules_beside(entries))
    stem = PurePosixPath(name).stem
    if problem or top.is_wanted():
        stem = without_ending(name)
        return stem, SubmissionFile(printable(stem), path, (top.file,) if top.file else (), problem)
    if PurePosixPath(name).suffix.lower() in _LISTS:
        return None
    problem = Message("{file} is not {wanted}", file=printable(name), wanted=WANTED)
    return stem, SubmissionFile(printable(stem), path, (), problem)


def _problem_of(entries: Sequence[Entry], files: Sequence[File]) -> str | None:
    """What is wrong with a student's folder, or None."""
    regular = [entry for entry in entries if entry.file]
    if len(regular) > _MOST_FILES:
        return Message("the folder contains more than {most} files", most=_MOST_FILES)
    if files:
        return None
    held = ", ".join(sorted(printable(entry.name) for entry in regular)[:5]) or Message("no regular files")
    missing = Message("the folder does not contain {wanted}", wanted=WANTED)
    return in_turn([missing, Message("it contains {files}", files=held), *problems_of(entries)[:5]])


def _one(student: str, claims: dict[str, list[SubmissionFile]]) -> SubmissionFile:
    """The submission under one printable name."""
    first, *others = [submission for submissions in claims.values() for submission in submissions]
    if len(claims) > 1:
        problem = Message("{number} submissions are all called {student}", number=len(claims), student=student)
        return replace(first, files=(), problem=problem, for_instructor="rename them")
    for other in others:
        files = first.files + other.files
        both = in_turn(map(str, (first.problem, other.problem)))
        first = replace(first, files=files, problem=None if files else both)
    return first


def _with_lookalikes(submissions: list[SubmissionFile]) -> list[SubmissionFile]:
    """Remark on submissions whose names look alike. They stay separate students."""
    alike = Counter(_as_read(submission.student) for submission in submissions)
    return [
        replace(submission, for_instructor=_LOOKALIKE) if alike[_as_read(submission.student)] > 1 else submission
        for submission in submissions
    ]


def _as_read(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
