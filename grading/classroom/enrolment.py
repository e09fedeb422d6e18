"""Matches submissions with the roster: finds each one's owner, students without one, and students with several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, cast

from grading.classroom.roster import Member, Roster
from grading.classroom.submission_record import (
    MISSING,
    SAME_NAME,
    TWICE,
    UNKNOWN,
    PersonRecord,
    SubmissionRecord,
)
from grading.errors import GradingError
from grading.messages import Message
from grading.submission.names import squeezed

# These systems number students themselves. Such a number may equal a roster id by chance, so the names must agree, too.
OWN_NUMBERS = {"canvas", "moodle", "brightspace"}
_MOST_NAMED = 20
# What `visible` makes of the joiners and marks of direction in names of many alphabets, which no reader sees.
_UNSEEN = re.compile(r"\\(?:xad|u(?:200[b-f]|202[a-e]|206[0-9a-f]|feff))")


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
        to_do: what the instructor can do about it, or "".
        id: the student's id in a course's people.csv; "" outside of a course.
    """

    student: str
    person: PersonRecord
    claims: tuple[Path, ...]
    problem: str = ""
    to_do: str = ""
    id: str = ""

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
    if roster is None:
        return named_apart([_row(claim) for claim in claims])
    in_section = roster.of_section(section) if section else None
    found = list(_rows(claims, roster))
    # Namesakes may be in two sections, and have the same names in tables with and without a section.
    named = _with_unique_names([row for row, _ in found])
    kept = [row for row, (_, ids) in zip(named, found, strict=True) if in_section is None or in_section & ids]
    return sorted(kept, key=lambda row: row.student)


def sentences(records: Iterable[SubmissionRecord]) -> list[str]:
    """The sentences that tell the instructor where submissions and roster disagree; empty if they agree."""
    named: dict[str, list[str]] = {MISSING: [], TWICE: [], SAME_NAME: [], UNKNOWN: []}
    for record in records:
        status = record["person"]["status"]
        if status:
            named[status].append(record["student"])
    titles = {
        MISSING: "Handed in nothing",
        TWICE: "Claimed by several submissions",
        SAME_NAME: "Of one name, and your page asks whose submission is whose",
        UNKNOWN: "Not on the roster",
    }
    return [f"{titles[status]} ({len(names)}): {some_of(names)}" for status, names in named.items() if names]


def some_of(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _row(claim: Claim, status: str = "", to_do: str = "") -> Row:
    person = claim.person
    return Row(person["name"] or person["submission"], {**person, "status": status}, (claim.path,), to_do=to_do)


def _rows(claims: Sequence[Claim], roster: Roster) -> Iterator[tuple[Row, set[str]]]:
    """The rows of a class, each with the ids of the members whose it is or may be."""
    owners = _Owners(roster)
    claimed: dict[str, list[Claim]] = {}
    unsure: dict[str, str] = {}
    for claim in claims:
        fitting = owners.of(claim.person)
        if len(fitting) == 1:
            claimed.setdefault(fitting[0], []).append(claim)
        else:
            to_do = _whose(claim.person, fitting) if fitting else ""
            unsure.update(dict.fromkeys(fitting, to_do))
            yield _row(claim, SAME_NAME if fitting else UNKNOWN, to_do), set(fitting)
    for member in roster.members:
        yield member_row(member, claimed.get(member.id, []), unsure.get(member.id, "")), {member.id}


def _whose(person: PersonRecord, fitting: Sequence[str]) -> str:
    """What to do about a submission that may be by several students."""
    return (
        f"{person['submission']} may be by {' or '.join(fitting)}; find out by whom, and write {person['submission']!r}"
        " into a column `login` of the roster, after the one with the user names, in that student's line"
    )


def member_row(member: Member, claims: Sequence[Claim], unsure: str = "") -> Row:
    """The row of a student.

    Args:
        member: the student.
        claims: the submissions that claim to be the student's; of several, none counts.
        unsure: what to do about one that may be the student's or another's of the same name, or "".
    """
    name = member.name or member.id
    if not claims and unsure:
        problem = Message(
            "something was handed in under this name, which several students have, and nothing says by whom"
        )
        return Row(name, _person(member, SAME_NAME), (), problem, unsure)
    if not claims:
        return Row(name, _person(member, MISSING), (), "missing: nothing was handed in")
    if len(claims) > 1:
        names = ", ".join(claim.person["submission"] for claim in claims)
        problem = Message("{count} submissions claim to be this student's, so none counts", count=len(claims))
        return Row(name, _person(member, TWICE), tuple(claim.path for claim in claims), problem, f"leave one: {names}")
    (claim,) = claims
    of_roster = {key: value for key, value in _person(member, "").items() if value}
    return Row(name, cast(PersonRecord, {**claim.person, **of_roster}), (claim.path,))


def _person(member: Member, status: str) -> PersonRecord:
    person: PersonRecord = {
        "submission": "",
        "system": "",
        "number": "",
        "name": member.name,
        "email": member.email,
        "id": member.id,
        "login": member.login,
        "section": member.section,
        "status": status,
    }
    if member.canvas:
        person["canvas"] = member.canvas
    return person


class _Owners:
    """Finds the roster member who owns a submission: by e-mail, by id or login, or by name."""

    def __init__(self, roster: Roster) -> None:
        self._by_id: dict[str, list[Member]] = {}
        self._by_mailbox: dict[str, list[Member]] = {}
        self._by_name: dict[str, list[Member]] = {}
        for member in roster.members:
            for name in {found.casefold() for found in (member.id, *member.logins, member.email) if found}:
                self._by_id.setdefault(name, []).append(member)
            self._by_mailbox.setdefault(member.email.partition("@")[0].casefold(), []).append(member)
            for form in name_forms(member.name):
                self._by_name.setdefault(form, []).append(member)

    def of(self, person: PersonRecord) -> list[str]:
        """The ids of the members who fit: one, nobody, or several of one name."""
        for members in self._candidates(person):
            if members:
                return list(dict.fromkeys(member.id for member in members))
        return []

    def _candidates(self, person: PersonRecord) -> Iterator[list[Member]]:
        names = name_forms(person["name"] or person["submission"])
        yield self._by_id.get(person["email"].casefold(), []) if person["email"] else []
        by_number = self._called(person["number"])
        if person["system"] in OWN_NUMBERS:
            by_number = [member for member in by_number if names & name_forms(member.name)]
        yield by_number
        yield self._called(person["submission"])
        yield [member for form in sorted(names) for member in self._by_name.get(form, [])]

    def _called(self, name: str) -> list[Member]:
        """The members of this id, login or e-mail; if there is none, those of whose e-mail it is the beginning."""
        key = name.casefold()
        return (self._by_id.get(key) or self._by_mailbox.get(key, [])) if name else []


def name_forms(name: str) -> set[str]:
    """The forms in which systems write a name: `Alice Smith`, `Smith, Alice`, `smithalice`."""
    words = [word for word in map(squeezed, re.split(r"[\s,_]+", _UNSEEN.sub("", name))) if word]
    return {"".join([*words[start:], *words[:start]]) for start in range(len(words))}


def named_apart(rows: Sequence[Row]) -> list[Row]:
    """The rows, sorted by name; if students share a name, their ids or file names stand behind it."""
    return sorted(_with_unique_names(rows), key=lambda row: row.student)


def _with_unique_names(rows: Sequence[Row]) -> Iterator[Row]:
    counts = Counter(row.student for row in rows)
    taken = {student for student, count in counts.items() if count == 1}
    for row in rows:
        if counts[row.student] == 1:
            yield row
            continue
        own = row.person["id"] or row.id or row.person["submission"]
        student = f"{row.student} ({own})"
        while student in taken:
            student += "'"
        taken.add(student)
        yield row._replace(student=student)
