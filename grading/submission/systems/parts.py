"""Turns a system's file names, which give the student and the attempt, into one submission for each student."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grading.messages import Message, in_turn
from grading.submission.content import printable
from grading.submission.download import WANTED, Download, Entry, modules_beside, problems_of
from grading.submission.submission_file import Person, SubmissionFile


@dataclass(frozen=True)
class Part:
    """A file of a download whose name was understood.

    Attributes:
        student: a name that is the same for all files of a student, and unique.
        person: the system's information about the student.
        attempt: grows from one attempt to the next.
        slot: what an attempt replaces: if a system replaces single files, the file's own name.
        submitted: when it was handed in, by the system's clock, in ISO 8601, or "".
        late: whether the system calls it late.
    """

    entry: Entry
    student: str
    person: Person
    attempt: tuple[int, ...] = ()
    slot: str = ""
    submitted: str = ""
    late: bool = False


@dataclass(frozen=True)
class Reading:
    """A download as one system would have written it.

    Attributes:
        parts: files whose names were understood.
        others: files whose names were not.
        unclear: the possible owners of files with ambiguous names. These count for none of them.
    """

    parts: list[Part]
    others: list[Entry]
    unclear: dict[Entry, list[str]] = field(default_factory=dict)

    def add(self, entry: Entry, parts: Sequence[Part]) -> None:
        """Add a file with each way to read its name, the leftmost first.

        Students choose the end of a name. If the name fits two students, the file belongs to neither.
        """
        students = list(dict.fromkeys(printable(part.student) for part in parts))
        if len(students) > 1:
            self.unclear[entry] = students
        elif parts:
            self.parts.append(parts[0])
        else:
            self.others.append(entry)

    @property
    def understood(self) -> int:
        """How many files have names in the system's style."""
        return len({entry for entry in (*(part.entry for part in self.parts), *self.unclear) if not entry.is_folder})

    @property
    def is_convincing(self) -> bool:
        """Whether the names of more students are understood than there are others with notebooks or archives.

        Files do not count: one student may hand in many.
        """
        students = {printable(part.student) for part in self.parts if not part.entry.is_folder}
        students |= {owners[0] for entry, owners in self.unclear.items() if not entry.is_folder}
        return len(students) > len({entry.parts[0] for entry in self.others if entry.is_wanted()})


@dataclass(frozen=True)
class System:
    """A system from which downloads come.

    Attributes:
        name: its name for `--from`.
        title: its name for display.
        example: a path in its downloads.
        read: reads the names in a download.
        unmistakable: whether people would not choose such names themselves.
    """

    name: str
    title: str
    example: str
    read: Callable[[Download], Reading]
    unmistakable: bool = True


def submissions_of(reading: Reading, download: Download) -> list[SubmissionFile]:
    """One submission for each student. Of several attempts, the last counts, and a note names them all."""
    students: dict[str, list[Part]] = {}
    for part in reading.parts:
        students.setdefault(printable(part.student), []).append(part)
    return [_submission(student, parts, download) for student, parts in sorted(students.items())]


def _submission(student: str, parts: list[Part], download: Download) -> SubmissionFile:
    last: dict[str, tuple[int, ...]] = {}
    for part in parts:
        last[part.slot] = max(last.get(part.slot, part.attempt), part.attempt)
    newest_first = sorted(parts, key=lambda part: part.attempt, reverse=True)
    counted = [part for part in newest_first if part.attempt == last[part.slot]]
    counting = [part.entry for part in counted]
    earlier = [part.entry for part in newest_first if part.attempt != last[part.slot] and not part.entry.is_folder]
    files = tuple(entry.file for entry in counting if entry.file and entry.is_wanted())
    person = next((part.person for part in parts if part.person.name), parts[0].person)
    person = replace(
        person,
        submitted=max(part.submitted for part in counted),
        late=any(part.late for part in counted),
        file=printable(next((entry for entry in counting if entry.is_wanted()), counting[0]).parts[0]),
    )
    alone = len(files) == 1 and isinstance(files[0], Path)
    return SubmissionFile(
        student,
        files[0] if alone and isinstance(files[0], Path) else download.path,
        files,
        None if files else _problem(counting, earlier),
        _notes(counting, earlier),
        person,
        modules_beside(counting),
    )


def _problem(counting: list[Entry], earlier: list[Entry]) -> Message:
    if reasons := problems_of(counting):
        return in_turn(reasons[:5])
    held = ", ".join(entry.shown for entry in counting if entry.file) or Message("no files")
    if earlier:
        return Message("the last attempt does not contain {wanted}; it contains {files}", wanted=WANTED, files=held)
    return Message("it does not contain {wanted}; it contains {files}", wanted=WANTED, files=held)


def _notes(counting: list[Entry], earlier: list[Entry]) -> tuple[str, ...]:
    if not earlier:
        return ()
    names = ", ".join(entry.shown for entry in (*reversed(earlier), *_graded(counting)))
    return (Message("there are several attempts, and the last one counts: {files}", files=names),)


def _graded(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.is_wanted()]
