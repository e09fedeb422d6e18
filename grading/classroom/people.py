"""Who is who in a course: the file people.csv, which the instructor may edit.

A person has an id that never changes, and a *handle* for each name by which a system has called them, such as
`canvas:1000`. A new handle is given to a person only for the same e-mail or the same school id. If only the name is the
same, or an e-mail or an id shows later that two people are one, the file proposes it, and they stay two until the
instructor confirms it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from grading.classroom.enrolment import OWN_NUMBERS, Claim, Row, member_row, name_forms, named_apart
from grading.classroom.roster import Member, Roster, read_roster
from grading.classroom.submission_record import UNKNOWN, PersonRecord
from grading.errors import GradingError
from grading.storage.files import write_file
from grading.storage.tables import read_table, table_text

COURSE_FILE = "course.toml"  # marks a folder as a course
FILE = "people.csv"
ROSTER = "roster.csv"
_COLUMNS = ("id", "name", "email", "section", "known_as", "perhaps", "same_as")
_NOBODY = "nobody"
# In these systems a number stands for one student in all assignments, so two numbers are two students.
_LASTING = {"canvas", "brightspace", "gradescope", "blackboard", "github-classroom"}


@dataclass(frozen=True)
class CoursePerson:
    """A line of people.csv.

    Attributes:
        id: the school's id if the roster has the person, else the first handle.
        known_as: the person's handles.
        same_as: the id of the person that this one is, `nobody` if the proposal is wrong, or "".
    """

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    known_as: tuple[str, ...] = ()
    same_as: str = ""


class Proposal(NamedTuple):
    """A person who may be another one. The instructor decides.

    Attributes:
        others: the ids of those that it may be.
        why: what they have in common.
    """

    person: CoursePerson
    others: tuple[str, ...]
    why: str

    @property
    def sentence(self) -> str:
        return f"{self.person.name or self.person.id} ({self.person.id}) may be {self.text}"

    @property
    def text(self) -> str:
        return f"{' or '.join(self.others)}: {self.why}"


def handle(person: PersonRecord) -> str:
    """The name by which a system calls a student, such as `canvas:1000`; for a plain file, `file:alice`."""
    text = f"{person['system'] or 'file'}:{person['number'] or person['submission']}"
    return " ".join(text.replace("|", "¦").split())  # `|` separates handles in the file


class People:
    """The people of a course.

    Args:
        lines: as in the file.
        roster: the course's roster, or None.

    Raises:
        GradingError: two lines have the same id or handle, or `same_as` names nobody or leads back to its own line.
    """

    def __init__(self, lines: Sequence[CoursePerson], roster: Roster | None = None) -> None:
        self.roster = roster
        self.members: Mapping[str, Member] = {member.id: member for member in roster.members} if roster else {}
        self._by_id = {line.id: line for line in lines}
        self._by_handle = {name: line.id for line in lines for name in line.known_as}
        _require_once("id", [line.id for line in lines])
        _require_once("known_as", [name for line in lines for name in line.known_as])
        for line in lines:
            self._root(line)

    @classmethod
    def read(cls, course: Path) -> People:
        """The people of a course: those on its roster, then those in its people.csv.

        Raises:
            GradingError: a file cannot be read, or does not fit together; see `People`.
        """
        roster = read_roster(course / ROSTER) if (course / ROSTER).exists() else None
        read = list(_lines(course / FILE)) if (course / FILE).exists() else []
        lines = {line.id: line for line in read}
        for member in roster.members if roster else ():
            line = lines.get(member.id, CoursePerson(member.id))
            email = member.email or line.email
            lines[member.id] = replace(line, name=member.name or line.name, email=email, section=member.section)
        try:
            _require_once("id", [line.id for line in read])
            return cls(list(lines.values()), roster)
        except GradingError as error:
            raise GradingError(f"{course / FILE}: {error}") from error

    def write(self, course: Path) -> None:
        """Write the file, with the proposals, readable by its owner alone.

        Raises:
            GradingError: it cannot be written.
        """
        perhaps = {proposal.person.id: proposal.text for proposal in self.proposals}
        rows = [
            {
                **{name: getattr(line, name) for name in ("id", "name", "email", "section", "same_as")},
                "known_as": " | ".join(line.known_as),
                "perhaps": perhaps.get(line.id, ""),
            }
            for line in self.lines
        ]
        write_file(course / FILE, table_text(_COLUMNS, rows), mode=0o600)

    @property
    def lines(self) -> list[CoursePerson]:
        return list(self._by_id.values())

    @property
    def persons(self) -> list[CoursePerson]:
        """Each person once, with the handles of all lines that the instructor has confirmed to be the same."""
        handles: dict[str, list[str]] = {}
        for line in self.lines:
            handles.setdefault(self._root(line).id, []).extend(line.known_as)
        return [replace(self._by_id[id], known_as=tuple(names)) for id, names in handles.items()]

    def is_on_roster(self, id: str) -> bool:
        """Whether somebody is on the roster; True if there is none."""
        return not self.members or id in self.members

    def joined(self, records: Iterable[PersonRecord]) -> People:
        """These people and the owners of some submissions. Each new handle goes to a person for certain, or a new one.

        A handle that is in the file stays where it is.
        """
        lines = dict(self._by_id)
        by_handle = dict(self._by_handle)
        certain = _Certain(self)
        for record in records:
            name = handle(record)
            if name in by_handle:
                continue
            id = certain.owner(record) or name
            line = lines.get(id, CoursePerson(id, record["name"] or record["submission"], record["email"]))
            lines[id] = replace(line, known_as=(*line.known_as, name), email=line.email or record["email"])
            by_handle[name] = id
            certain.add(lines[id])
        return People(list(lines.values()), self.roster)

    def confirmed(self, proposals: Iterable[Proposal]) -> People:
        """These people, with proposals that name one person confirmed.

        Those that would make one person of several whom a system numbers apart are left for the instructor to decide.
        """
        same = {proposal.person.id: proposal.others[0] for proposal in proposals if len(proposal.others) == 1}
        joined = self._with_same(same)
        together: dict[str, list[CoursePerson]] = {}
        for person in self.persons:
            together.setdefault(joined._root(joined._by_id[person.id]).id, []).append(person)
        unclear = {
            person.id
            for persons in together.values()
            if any(_are_two(*pair) for pair in combinations(persons, 2))
            for person in persons
        }
        return self._with_same({id: other for id, other in same.items() if id not in unclear})

    def _with_same(self, same: Mapping[str, str]) -> People:
        return People([replace(line, same_as=same.get(line.id, line.same_as)) for line in self.lines], self.roster)

    def rows(self, claims: Sequence[Claim], section: str | None = None) -> list[Row]:
        """A row for each person, sorted by name, as `enrol` gives them.

        Someone who is not on the course's roster has a row only with a submission.

        Raises:
            GradingError: there is a section, but no roster that has it.
        """
        in_section = None
        if section:
            if self.roster is None:
                raise GradingError(f"a section needs a roster; save one as {ROSTER} in the course's folder")
            in_section = self.roster.of_section(section)
        people = self.joined(claim.person for claim in claims)
        claimed: dict[str, list[Claim]] = {}
        for claim in claims:
            claimed.setdefault(people.owner(claim.person).id, []).append(claim)
        rows = (_row(person, people, claimed.get(person.id, [])) for person in people.persons)
        named = named_apart([row for row in rows if row])
        return [row for row in named if in_section is None or row.id in in_section]

    def owner(self, record: PersonRecord) -> CoursePerson:
        """The person to whom a submission belongs; its handle must be known."""
        return self._root(self._by_id[self._by_handle[handle(record)]])

    def find(self, text: str) -> CoursePerson:
        """The one person of that id, handle, e-mail, login or name.

        Raises:
            GradingError: there is none, or there are several.
        """
        wanted = text.strip().casefold()
        found = {
            person.id: person
            for line in self.lines
            for person in [self._root(line)]
            if wanted in self._names(line)
        }  # fmt: skip
        exact = found.get(text.strip())
        if exact or len(found) == 1:
            return exact or next(iter(found.values()))
        if found:
            raise GradingError(f"{text!r} may be {', '.join(found)}; name one of these ids")
        raise GradingError(f"nobody in the course is called {text!r}; {FILE} lists its people")

    def _names(self, line: CoursePerson) -> set[str]:
        member = self.members.get(line.id)
        logins = member.logins if member else ()
        handles = [form for name in line.known_as for form in (name, name.partition(":")[2])]
        return {name.casefold() for name in (line.id, line.name, line.email, *logins, *handles) if name}

    @cached_property
    def proposals(self) -> list[Proposal]:
        """The people who may be the same as others, and on whom the instructor has not decided."""
        seen: dict[tuple[str, str], list[CoursePerson]] = {}
        found = []
        persons = self.persons
        waiting = {one.id for one in persons if not one.same_as and one.id not in self.members}
        for person in sorted(persons, key=lambda one: not self.is_on_roster(one.id)):
            email = {person.email.casefold()} - {""}
            forms = name_forms(person.name)
            reasons = {"the same e-mail": email, "the same id or login": _numbers(person), "the same name": forms}
            for why, names in reasons.items() if person.id in waiting else ():
                alike = {one.id: one for name in names for one in seen.get((why, name), ())}
                likely = [one for one in alike.values() if not _are_two(person, one)]
                likely = [one for one in likely if one.id in self.members] or likely
                if likely:
                    found.append(Proposal(person, tuple(one.id for one in likely), why))
                    break
            for why, names in {**reasons, "the same id or login": _school_names(person, self)}.items():
                for name in names:
                    seen.setdefault((why, name), []).append(person)
        return found

    def _root(self, line: CoursePerson) -> CoursePerson:
        seen = {line.id}
        while line.same_as not in ("", _NOBODY):
            if line.same_as not in self._by_id:
                raise GradingError(f"same_as of {line.id} is {line.same_as!r}, which is nobody's id; write an id")
            line = self._by_id[line.same_as]
            if line.id in seen:
                raise GradingError(f"same_as of {line.id} leads back to itself; clear one of {', '.join(sorted(seen))}")
            seen.add(line.id)
        return line


class _Certain:
    """Finds the person to whom a submission belongs for certain: by e-mail, or by an id or login of the school.

    A number that a system gave may equal another student's id by chance, so the names must agree, too.
    """

    def __init__(self, people: People) -> None:
        self._emails: dict[str, set[str]] = {}
        self._ids: dict[str, set[str]] = {}
        self._forms = {line.id: name_forms(line.name) for line in people.lines}
        for line in people.lines:
            self.add(line)
            for name in _school_names(line, people):
                self._ids.setdefault(name, set()).add(line.id)

    def add(self, line: CoursePerson) -> None:
        if line.email:
            self._emails.setdefault(line.email.casefold(), set()).add(line.id)

    def owner(self, record: PersonRecord) -> str:
        """A person's id, or "" if nothing is certain."""
        found = self._emails.get(record["email"].casefold(), set()) if record["email"] else set()
        by_number = self._ids.get(record["number"].casefold(), set())
        if record["system"] in OWN_NUMBERS:
            forms = name_forms(record["name"] or record["submission"])
            by_number = {id for id in by_number if forms & self._forms[id]}
        found = found or by_number or self._ids.get(record["submission"].casefold(), set())
        return next(iter(found)) if len(found) == 1 else ""


def _numbers(person: CoursePerson) -> set[str]:
    """The ids that a person has in systems that take them from the school."""
    handles = (name.partition(":") for name in person.known_as)
    return {number.casefold() for system, _, number in handles if system not in OWN_NUMBERS}


def _school_names(line: CoursePerson, people: People) -> set[str]:
    """The ids and logins by which a school knows somebody, as far as the roster or the instructor says."""
    member = people.members.get(line.id)
    own = () if line.id in line.known_as else (line.id,)  # else the id is only a handle
    return {name.casefold() for name in (*own, *(member.logins if member else ()))}


def _lines(path: Path) -> Iterator[CoursePerson]:
    for place, cells in read_table(path, _COLUMNS[:5], _COLUMNS[5:]):
        if not cells["id"]:
            raise GradingError(f"{place}: the line has no id")
        handles = tuple(filter(None, (name.strip() for name in cells["known_as"].split("|"))))
        yield CoursePerson(cells["id"], cells["name"], cells["email"], cells["section"], handles, cells["same_as"])


def _row(person: CoursePerson, people: People, claims: Sequence[Claim]) -> Row | None:
    member = people.members.get(person.id)
    if member is None:
        if people.members and not claims:
            return None
        member = Member(person.id, person.name, person.email, person.section)
    row = member_row(member, claims)._replace(id=person.id)
    if person.id not in people.members:
        # The id is this project's own; no other system knows it.
        unknown = {"id": "", "login": "", **({"status": UNKNOWN} if people.members else {})}
        row = row._replace(person={**row.person, **unknown})  # type: ignore[typeddict-item]
    return row


def _are_two(first: CoursePerson, second: CoursePerson) -> bool:
    """Whether one system knows both, by numbers that last: then they are two people with one name."""
    systems = ({name.partition(":")[0] for name in one.known_as} & _LASTING for one in (first, second))
    return bool(set.intersection(*systems))


def _require_once(what: str, values: Sequence[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise GradingError(f"{what} {value!r} is in two lines; leave it in one")
        seen.add(value)
