"""One student's submission, before any of it is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grading.submission.class_archive import ArchiveMember


@dataclass(frozen=True)
class Person:
    """A system's information about a student; "" if it gives none.

    Attributes:
        system: the system that gave the number; "" if only a file's name identifies the student.
        number: the student's number in that system.
        submitted: when the counting attempt was handed in, by the system's clock, in ISO 8601.
        late: whether the system calls it late, if it does not say when it was handed in.
        file: the first part of its path in the download, by which the system recognises feedback.
    """

    system: str = ""
    name: str = ""
    number: str = ""
    email: str = ""
    submitted: str = ""
    late: bool = False
    file: str = ""


@dataclass(frozen=True)
class SubmissionFile:
    """One student's submission.

    Attributes:
        student: a name that is unique in the class. It may be any printable text.
        path: the file or folder.
        files: the notebooks and archives to read.
        for_instructor: a remark that no student sees, or "".
        modules: Python files beside the notebooks, which are read if a notebook imports them.
        problem: why there are none, or None.
        notes: remarks on the files, for the student and the instructor.
        person: the owner, as far as the download names one.
    """

    student: str
    path: Path
    files: tuple[Path | ArchiveMember, ...] = ()
    problem: str | None = None
    notes: tuple[str, ...] = ()
    person: Person = Person()
    modules: tuple[Path | ArchiveMember, ...] = ()
    for_instructor: str = ""
