"""Matches submissions with the roster: finds each one's owner, students without one, and students with several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from grading.classroom.roster import Member, Roster
from grading.classroom.submission_record import MISSING, TWICE, UNKNOWN, PersonRecord, SubmissionRecord
from grading.errors import GradingError
from grading.submission.names import squeezed

# These systems number students themselves. Such a number may equal a roster id by chance, so the names must agree, too.
_OWN_NUMBERS = {"canvas", "moodle", "brightspace"}
_MOST_NAMED = 20


class Claim(NamedTuple):
    """A submission, and the student to whom its download assigns it."""

    person: PersonRecord
    path: Path


class Row(NamedTuple):
    """One student of a class.

    Attributes:
        student: the unique name under which tables and pages show the student.
        claims: the records that may be the student's.
        problem: why none of them counts.
    """

    student: str
    person: PersonRecord
    claims: tuple[Path, ...]
    problem: str = ""

    @property
    def path(self) -> Path | None:
        """The path of the record that counts."""
        return self.claims[0] if len(self.claims) == 1 else None


def enrol(claims: Sequence[Claim], roster: Roster | None, section: str | None = None) -> list[Row]:
    """Return a row for each student, sorted by name: those who submitted, and those on the roster who did not.

    If several submissions claim a student, none of them counts. A submission by nobody on the roster is kept and marked
    as such; if a section is given, it is left out.

    Raises:
        GradingError: a section is given without a roster, or the roster has no such section.
    """
    if section and roster is None:
        raise GradingError("--section needs a roster; give one to `grade` once, with --roster class.csv")
    rows = [_row(claim) for claim in claims] if roster is None else list(_rows(claims, roster, section))
    return sorted(_named_apart(rows), key=lambda row: row.student)


def sentences(records: Iterable[SubmissionRecord]) -> list[str]:
    """The sentences that tell the instructor where submissions and roster disagree; empty if they agree."""
    named: dict[str, list[str]] = {MISSING: [], TWICE: [], UNKNOWN: []}
    for record in records:
        status = record["person"]["status"]
        if status:
            named[status].append(record["student"])
    titles = {MISSING: "Handed in nothing", TWICE: "Claimed by several submissions", UNKNOWN: "Not on the roster"}
    return [f"{titles[status]} ({len(names)}): {_some(names)}" for status, names in named.items() if names]


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _row(claim: Claim, status: str = "") -> Row:
    person = claim.person
    return Row(person["name"] or person["submission"], {**person, "status": status}, (claim.path,))


def _rows(claims: Sequence[Claim], roster: Roster, section: str | None) -> Iterator[Row]:
    in_section = roster.of_section(section) if section else None
    owners = _Owners(roster)
    claimed: dict[str, list[Claim]] = {}
    for claim in claims:
        owner = owners.of(claim.person)
        if owner:
            claimed.setdefault(owner.id, []).append(claim)
        elif in_section is None:
            yield _row(claim, UNKNOWN)
    for member in roster.members:
        if in_section is None or member.id in in_section:
            yield _member_row(member, claimed.get(member.id, []))


def _member_row(member: Member, claims: Sequence[Claim]) -> Row:
    name = member.name or member.id
    if not claims:
        return Row(name, _person(member, MISSING), (), "missing: nothing was handed in")
    if len(claims) > 1:
        names = ", ".join(claim.person["submission"] for claim in claims)
        problem = f"{len(claims)} submissions claim to be this student's, so none counts: {names}; leave one"
        return Row(name, _person(member, TWICE), tuple(claim.path for claim in claims), problem)
    (claim,) = claims
    person = claim.person
    known = _person(member, "")
    known["submission"], known["system"], known["number"] = person["submission"], person["system"], person["number"]
    known["email"] = member.email or person["email"]
    return Row(name, known, (claim.path,))


def _person(member: Member, status: str) -> PersonRecord:
    return {
        "submission": "",
        "system": "",
        "number": "",
        "name": member.name,
        "email": member.email,
        "id": member.id,
        "login": next(iter(member.logins), member.id),
        "section": member.section,
        "status": status,
    }


class _Owners:
    """Finds the roster member who owns a submission: by e-mail, by id or login, or by name."""

    def __init__(self, roster: Roster) -> None:
        self._by_id: dict[str, list[Member]] = {}
        self._by_name: dict[str, list[Member]] = {}
        for member in roster.members:
            local = member.email.partition("@")[0]
            for name in {found.casefold() for found in (member.id, *member.logins, member.email, local) if found}:
                self._by_id.setdefault(name, []).append(member)
            for form in _forms(member.name):
                self._by_name.setdefault(form, []).append(member)

    def of(self, person: PersonRecord) -> Member | None:
        """The one member who fits; None if nobody fits, or several do."""
        for members in self._candidates(person):
            if members:
                return members[0] if len({member.id for member in members}) == 1 else None
        return None

    def _candidates(self, person: PersonRecord) -> Iterator[list[Member]]:
        names = _forms(person["name"] or person["submission"])
        yield self._by_id.get(person["email"].casefold(), []) if person["email"] else []
        by_number = self._by_id.get(person["number"].casefold(), []) if person["number"] else []
        if person["system"] in _OWN_NUMBERS:
            by_number = [member for member in by_number if names & _forms(member.name)]
        yield by_number
        yield self._by_id.get(person["submission"].casefold(), [])
        yield [member for form in sorted(names) for member in self._by_name.get(form, [])]


def _forms(name: str) -> set[str]:
    """The forms in which systems write a name: `Alice Smith`, `Smith, Alice`, `smithalice`."""
    words = [word for word in map(squeezed, re.split(r"[\s,_]+", name)) if word]
    return {"".join([*words[start:], *words[:start]]) for start in range(len(words))}


def _named_apart(rows: Sequence[Row]) -> Iterator[Row]:
    """Add an id or file name to the names of students who share one."""
    counts = Counter(row.student for row in rows)
    taken = {student for student, count in counts.items() if count == 1}
    for row in rows:
        if counts[row.student] == 1:
            yield row
            continue
        own = row.person["id"] or row.person["submission"]
        student = f"{row.student} ({own})"
        while student in taken:
            student += "'"
        taken.add(student)
        yield row._replace(student=student)
