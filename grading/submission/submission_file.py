"""What one student handed in, before any of it is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grading.submission.class_archive import ArchiveMember


@dataclass(frozen=True)
class Person:
    """What a system says about a student. "" is what it does not say.

    Attributes:
        system: whose number it is; "" where only a file's name says who it is.
        number: by which that system finds the student again.
    """

    system: str = ""
    name: str = ""
    number: str = ""
    email: str = ""


@dataclass(frozen=True)
class SubmissionFile:
    """What one student handed in.

    Attributes:
        student: by which the class tells the student from all others. It may hold any printable text.
        path: the file or folder.
        files: the notebooks and archives to read.
        problem: why there are none, where there are none.
        notes: what the student and the instructor are told about the files.
        person: who it is, as far as the download says so.
    """

    student: str
    path: Path
    files: tuple[Path | ArchiveMember, ...] = ()
    problem: str | None = None
    notes: tuple[str, ...] = ()
    person: Person = Person()
