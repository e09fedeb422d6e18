"""The list of a class as an instructor has it: who should have handed in, and what they are called.

Any CSV file will do that a school's system exports: columns are known by many names and stand in any order.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grading.errors import GradingError
from grading.storage.files import read_text
from grading.submission.names import squeezed

# What a column may be called, squeezed; the first that a file has of each kind counts, further ids are logins.
_COLUMNS = {
    "id": ("id", "studentid", "sid", "idnumber", "studentnumber", "orgdefinedid", "sisuserid", "userid"),
    "login": ("login", "username", "sisloginid", "netid", "githubusername", "identifier", "loginid"),
    "name": ("name", "fullname", "studentname", "student", "displayname"),
    "first": ("firstname", "givenname", "first"),
    "last": ("lastname", "surname", "familyname", "last"),
    "email": ("email", "emailaddress", "mail"),
    "section": ("section", "sections", "group", "groups", "class"),
}
_NO_STUDENTS = {"pointspossible", "studenttest"}  # rows that Canvas adds
_WANTED = "wanted is a header that names at least one of id, name and email, and maybe section"


@dataclass(frozen=True)
class Member:
    """One student of the roster.

    Attributes:
        id: by which the school knows the student; where the roster has none, the e-mail or the name.
        logins: other names that systems know the student by.
    """

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    logins: tuple[str, ...] = ()

    @property
    def sections(self) -> set[str]:
        """The sections, of which systems put several into one cell."""
        return {self.section, *(part.strip() for part in re.split(r"[,;]| and ", self.section))} - {""}


@dataclass(frozen=True)
class Roster:
    """The members of a class, in the order of their list."""

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
        logins = max((len(member.logins) for member in self.members), default=0)
        writer.writerow(["id", "name", "email", "section", *["login"] * logins])
        for member in self.members:
            padded = [*member.logins, *[""] * (logins - len(member.logins))]
            writer.writerow([member.id, member.name, member.email, member.section, *padded])
        return buffer.getvalue()


def read_roster(path: Path) -> Roster:
    """Reads a roster from a CSV file, separated by commas, semicolons or tabs.

    Raises:
        GradingError: it cannot be read, does not say who a student is, or has one student twice.
    """
    members: dict[str, int] = {}
    found = []
    for line, member in _members(path):
        for name in {member.id.casefold(), member.email.casefold()} - {""}:
            if name in members:
                raise GradingError(f"{path}, line {line}: {name} stands in line {members[name]} already; leave one")
            members[name] = line
        found.append(member)
    if not found:
        raise GradingError(f"{path} lists no student; {_WANTED}")
    return Roster(tuple(found))


def _members(path: Path) -> Iterator[tuple[int, Member]]:
    text = read_text(path).removeprefix("\ufeff")
    header_line = next(iter(text.splitlines()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header_line.count), strict=True)
    try:
        header = next(reader, [])
        kinds = [_kind(name) for name in header]
        if not {"id", "login", "name", "last", "email"} & set(kinds):
            raise GradingError(f"{path} does not say who a student is in {', '.join(header) or 'it'}; {_WANTED}")
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if any(cells[len(header) :]):
                raise GradingError(f"{path}, line {reader.line_num}: it has more cells than the header has columns")
            member = _member(kinds, cells)
            if squeezed(member.name) in _NO_STUDENTS:
                continue
            if not member.id:
                raise GradingError(f"{path}, line {reader.line_num}: it has no id, no name and no e-mail")
            yield reader.line_num, member
    except csv.Error as error:
        raise GradingError(f"{path}, line {reader.line_num}: {error}") from error


def _kind(column: str) -> str:
    name = squeezed(column)
    return next((kind for kind, names in _COLUMNS.items() if name in names), "")


def _member(kinds: Sequence[str], cells: Sequence[str]) -> Member:
    found: dict[str, list[str]] = {}
    for kind, cell in zip(kinds, cells, strict=False):
        if cell:
            found.setdefault(kind, []).append(cell)

    def first(kind: str) -> str:
        return next(iter(found.get(kind, ())), "")

    name = first("name") or " ".join(filter(None, [first("first"), first("last")]))
    ids = [*found.get("id", ()), *found.get("login", ())]
    return Member(next(iter(ids), "") or first("email") or name, name, first("email"), first("section"), tuple(ids[1:]))
