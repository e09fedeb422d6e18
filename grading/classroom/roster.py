"""The roster: the instructor's list of a class, with the names of all who should hand in.

It can be any CSV file that a school's system exports: columns have many known names and may be in any order.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grading.errors import GradingError
from grading.storage.tables import csv_reader
from grading.submission.names import squeezed

# The names of columns, squeezed. The first column of each kind counts; further ids are logins.
_COLUMNS = {
    "id": ("id", "studentid", "sid", "idnumber", "studentnumber", "orgdefinedid", "sisuserid", "userid"),
    "login": ("login", "username", "sisloginid", "netid", "githubusername", "identifier", "loginid"),
    "name": ("name", "fullname", "studentname", "student", "displayname"),
    "first": ("firstname", "givenname", "first"),
    "last": ("lastname", "surname", "familyname", "last"),
    "email": ("email", "emailaddress", "mail"),
    "section": ("section", "sections", "group", "groups", "class"),
}
# What Canvas's gradebook calls a student's number in Canvas, the school's id and the login.
CANVAS = ("ID", "SIS User ID", "SIS Login ID")
_POINTS_POSSIBLE = "Points Possible"  # a row of Canvas's gradebook
_NUMBERED = re.compile(r"^[^\W\d_]\D* (\d+)$")
# Rows that Canvas's gradebook adds: by the name in them, or by what assignments have that are posted manually.
_NO_STUDENTS = {"pointspossible", "studenttest", "teststudent"}
_POSTED = re.compile(r"(Muted|Manual Posting.*)?", re.IGNORECASE)
_WANTED = "its header must name at least one of id, name and email, and may name section"


@dataclass(frozen=True)
class Member:
    """One student of the roster.

    Attributes:
        id: the school's id of the student; if the roster has none, the e-mail or the name.
        logins: the student's ids in other systems.
        canvas: the cells of `CANVAS`, if the roster is Canvas's gradebook.
    """

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    logins: tuple[str, ...] = ()
    canvas: tuple[str, str, str] | None = None

    @property
    def login(self) -> str:
        """The student's user name; if the roster has none, the id."""
        return (self.canvas and self.canvas[2]) or next(iter(self.logins), self.id)

    @property
    def sections(self) -> set[str]:
        """The student's sections; systems may put several into one cell."""
        return {self.section, *(part.strip() for part in re.split(r"[,;]| and ", self.section))} - {""}


@dataclass(frozen=True)
class Roster:
    """The members of a class, in the roster's order."""

    members: tuple[Member, ...]

    def of_section(self, section: str) -> set[str]:
        """The ids of a section's members.

        Raises:
            GradingError: there is no such section.
        """
        known = sorted({name for member in self.members for name in member.sections})
        if section not in known:
            raise GradingError(f"the roster has no section {section!r}; it has {', '.join(known) or 'none'}")
        return {member.id for member in self.members if section in member.sections}

    def text(self) -> str:
        """The roster as CSV that `read_roster` reads."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        ids = CANVAS if any(member.canvas for member in self.members) else ("id",)
        others = [[login for login in member.logins if login not in (member.canvas or ())] for member in self.members]
        most = max(map(len, others), default=0)
        writer.writerow([*ids, "name", "email", "section", *["login"] * most])
        for member, logins in zip(self.members, others, strict=True):
            padded = [*logins, *[""] * (most - len(logins))]
            writer.writerow([*(member.canvas or [member.id]), member.name, member.email, member.section, *padded])
        return buffer.getvalue()


def read_roster(path: Path) -> Roster:
    """Read a roster from a CSV file, separated by commas, semicolons or tabs.

    Raises:
        GradingError: the file cannot be read, does not identify a student, or lists one twice.
    """
    lines: dict[str, int] = {}
    members = []
    for line, member in _members(path):
        for name in {member.id.casefold(), member.email.casefold()} - {""}:
            if name in lines:
                raise GradingError(f"{path}, line {line}: {name} is already in line {lines[name]}; leave one")
            lines[name] = line
        members.append(member)
    if not members:
        raise GradingError(f"{path} lists no student; {_WANTED}")
    return Roster(tuple(members))


def _members(path: Path) -> Iterator[tuple[int, Member]]:
    text, reader = csv_reader(path)
    try:
        header = [name.strip() for name in next(reader, [])]
        kinds = [_kind(name) for name in header]
        is_canvas = "ID" in header and (not {*CANVAS[1:]}.isdisjoint(header) or _POINTS_POSSIBLE in text)
        if not {"id", "login", "name", "last", "email"} & set(kinds):
            raise GradingError(
                f"no column of {path} identifies a student ({', '.join(header) or 'no columns'}); {_WANTED}"
            )
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or (is_canvas and all(map(_POSTED.fullmatch, cells))):
                continue
            if any(cells[len(header) :]):
                raise GradingError(f"{path}, line {reader.line_num}: the line has more cells than the header")
            member = _member(kinds, cells)
            if is_canvas:
                found = dict(zip(header, cells, strict=False))
                number, user, login = (found.get(column, "") for column in CANVAS)
                member = replace(member, canvas=(number, user, login))
            if is_canvas and squeezed(member.name) in _NO_STUDENTS:
                continue
            if not member.id:
                raise GradingError(f"{path}, line {reader.line_num}: the line has no id, no name and no e-mail")
            yield reader.line_num, member
    except csv.Error as error:
        raise GradingError(f"{path}, line {reader.line_num}: {error}") from error


def _kind(column: str) -> str:
    name = squeezed(column)
    return next((kind for kind, names in _COLUMNS.items() if name in names), "")


def _member(kinds: Sequence[str], cells: Sequence[str]) -> Member:
    by_kind: dict[str, list[str]] = {}
    for kind, cell in zip(kinds, cells, strict=False):
        if cell:
            by_kind.setdefault(kind, []).append(cell)

    def first(kind: str) -> str:
        return next(iter(by_kind.get(kind, ())), "")

    # Moodle's grading worksheet has "Participant 12345", of which the names of downloaded files have the number.
    by_kind["login"] = [_NUMBERED.sub(r"\1", cell) for cell in by_kind.get("login", ())]
    name = first("name") or " ".join(filter(None, [first("first"), first("last")]))
    ids = [*by_kind.get("id", ()), *by_kind.get("login", ())]
    return Member(next(iter(ids), "") or first("email") or name, name, first("email"), first("section"), tuple(ids[1:]))
