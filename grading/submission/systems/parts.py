"""What a system's names say: whose each file is, and of which attempt. From it, one submission for each student."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grading.submission.content import printable
from grading.submission.download import WANTED, Download, Entry
from grading.submission.submission_file import Person, SubmissionFile


@dataclass(frozen=True)
class Part:
    """A file of a download whose name was understood.

    Attributes:
        student: the same for all that one student handed in, different for two.
        person: what the system says about who that is.
        attempt: grows from one attempt to the next.
        slot: what the attempts are attempts at; where a system replaces file by file, the file's own name.
    """

    entry: Entry
    student: str
    person: Person
    attempt: tuple[int, ...] = ()
    slot: str = ""


@dataclass(frozen=True)
class Reading:
    """A download as one system would have written it.

    Attributes:
        parts: what was understood.
        others: what was not.
        unclear: by file, the students whose it could be. It belongs to none of them.
    """

    parts: list[Part]
    others: list[Entry]
    unclear: dict[Entry, list[str]] = field(default_factory=dict)

    def add(self, entry: Entry, parts: Sequence[Part]) -> None:
        """Adds a file and each way in which its name can be read, the leftmost first.

        A student chooses the end of a name. If it can be read as two students', it is neither's.
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
        """How many files are named as the system names them."""
        return len({entry for entry in (*(part.entry for part in self.parts), *self.unclear) if not entry.is_folder})

    @property
    def is_convincing(self) -> bool:
        """Whether more of what could be graded is understood than is not."""
        return self.understood > sum(entry.is_wanted() for entry in self.others)


@dataclass(frozen=True)
class System:
    """A system from which downloads come.

    Attributes:
        name: as `--from` takes it.
        title: as people call it.
        example: a path in its downloads.
        read: takes a download apart.
        unmistakable: whether people do not name files so.
    """

    name: str
    title: str
    example: str
    read: Callable[[Download], Reading]
    unmistakable: bool = True


def submissions_of(reading: Reading, download: Download) -> list[SubmissionFile]:
    """One submission for each student. Of several attempts, the last counts, and a note names all."""
    students: dict[str, list[Part]] = {}
    for part in reading.parts:
        students.setdefault(printable(part.student), []).append(part)
    return [_submission(student, parts, download) for student, parts in sorted(students.items())]


def _submission(student: str, parts: list[Part], download: Download) -> SubmissionFile:
    last: dict[str, tuple[int, ...]] = {}
    for part in parts:
        last[part.slot] = max(last.get(part.slot, part.attempt), part.attempt)
    newest_first = sorted(parts, key=lambda part: part.attempt, reverse=True)
    counting = [part.entry for part in newest_first if part.attempt == last[part.slot]]
    earlier = [part.entry for part in newest_first if part.attempt != last[part.slot] and not part.entry.is_folder]
    files = tuple(entry.file for entry in counting if entry.file and entry.is_wanted())
    person = next((part.person for part in parts if part.person.name), parts[0].person)
    alone = len(files) == 1 and isinstance(files[0], Path)
    return SubmissionFile(
        student,
        files[0] if alone and isinstance(files[0], Path) else download.path,
        files,
        None if files else _problem(counting, earlier),
        _notes(counting, earlier),
        person,
    )


def _problem(counting: list[Entry], earlier: list[Entry]) -> str:
    reasons = [f"{entry.shown}: {entry.problem}" for entry in counting if entry.problem]
    held = ", ".join(entry.shown for entry in counting if entry.file) or "no files"
    attempt = "the last attempt does not hold" if earlier else "it does not hold"
    return "; ".join(reasons[:5]) or f"{attempt} {WANTED}; it holds {held}"


def _notes(counting: list[Entry], earlier: list[Entry]) -> tuple[str, ...]:
    if not earlier:
        return ()
    names = ", ".join(entry.shown for entry in (*reversed(earlier), *_graded(counting)))
    return (f"there are several attempts, of which the last counts: {names}",)


def _graded(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.is_wanted()]
