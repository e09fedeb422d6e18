"""Turns the options of a command into marks under an instructor's policy."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from grading.classroom.enrolment import some_of
from grading.classroom.pseudonyms import keep_key, without_name
from grading.classroom.results import Results
from grading.classroom.submission_record import SubmissionRecord
from grading.errors import GradingError
from grading.exercises.registry import chapter as chapter_of
from grading.gradebook.lateness import Lateness, read_lateness, read_time
from grading.gradebook.policy import Mark, Marks, Policy, marks, names_of
from grading.terminal import errors


def policy_of(
    results: Path,
    number: int,
    section: str | None,
    drop: list[str] | None,
    extra: list[str] | None,
    times: Path | None,
    free_days: int,
    late_percent: float,
    due: str | None = None,
) -> Policy:
    """The policy that the options of `export`, `feedback` and `gradebook` ask for; in a course, the course's own.

    Prints a warning if nothing says how many free days the other chapters used.

    Raises:
        GradingError: the file of times cannot be read, late days are counted without one, or an option would decide
            what a course decides.
    """
    stored = Results(results, number)
    if stored.course:
        if any((drop, extra, times, free_days, late_percent, due)):
            raise GradingError(
                f"these results belong to the course {stored.course}, whose course.toml and times.csv say what counts;"
                " write it there, and leave out --drop, --extra, --due, --times, --free-days and --late-percent"
            )
        return policy_in_course(stored, {row.id: row.student for row in stored.all(section).rows})
    deadline = read_time(due) if due else None
    if (free_days or late_percent) and not (times or deadline):
        raise GradingError(
            "to count late days, give the deadline with --due if the download has times, or --times: a CSV file with"
            " the columns student, due and submitted"
        )
    if free_days and not times:
        warning = "The free days are those of this chapter alone, because no --times lists the other chapters"
        errors.print(Text(f"{warning}; a course folder counts them over all chapters", style="yellow"))
    timed = times or deadline
    lateness = (
        read_lateness(times, number, free_days=free_days, percent=late_percent, deadline=deadline) if timed else None
    )
    return Policy(frozenset(drop or ()), frozenset(extra or ()), lateness)


def policy_in_course(results: Results, names: Mapping[str, str]) -> Policy:
    """What counts: in a course as the course decides, else everything.

    Args:
        names: of the students in the records to mark, by person.

    Raises:
        GradingError: a file of the course or a record cannot be read.
    """
    if not results.course:
        return Policy()
    from grading.semester.course import Course

    return Course(results.course).policy(results.chapter, names)


def counted_marks(results: Path, number: int, policy: Policy, section: str | None) -> Marks:
    """The marks of all graded students. Prints warnings that name those without a mark, and those of unknown time.

    Raises:
        GradingError: the file of times names somebody who is not in the class, or lists a student twice.
    """
    stored = Results(results, number)
    counted = marks(chapter_of(number), stored.all(section), policy)
    warn_of_not_graded(stored, section)
    warn_of_contested(mark.student for mark in counted if mark.is_contested)
    if policy.lateness:
        if not stored.course:
            _require_known(policy.lateness, stored.all())
        _warn_of_untimed(counted, policy.lateness, "times.csv" if stored.course else "--times")
    return counted


def _warn_of_untimed(counted: Marks, lateness: Lateness, times: str) -> None:
    untimed = [mark for mark in counted if not mark.late and mark.cell]
    late = [mark.student for mark in untimed if mark.record["person"].get("late")]
    others = (
        [mark.student for mark in untimed if mark.student not in late] if lateness.due or lateness.extensions else []
    )
    for warning, students in (
        (f"Late by their system, which does not say when, and counted as on time until {times} says when", late),
        (f"Neither the download nor {times} says when, so counted as on time", others),
    ):
        if students:
            errors.print(Text(f"{warning}: {', '.join(students)}", style="yellow"))


def warn_of_not_graded(stored: Results, section: str | None) -> None:
    """Name the submissions without a record: the marks show their students as missing, if they show them."""
    if names := stored.not_graded():
        whose = f" if of section {section}" if section else ""
        said = f"Handed in, but without a record in {stored.folder}, so shown as missing{whose} ({len(names)})"
        errors.print(Text(f"{said}: {some_of(names)}. Unless you deleted it, run `grade` again", "yellow"))


def warn_of_contested(students: Iterable[str]) -> None:
    """Name the students whom several submissions claim."""
    if names := [*students]:
        errors.print(
            Text(f"Claimed by several submissions, so none counts until you leave one: {', '.join(names)}", "yellow")
        )


def _require_known(lateness: Lateness, records: Iterable[SubmissionRecord]) -> None:
    known: dict[str, set[str]] = {}
    for record in records:
        for name in names_of(record):
            known.setdefault(name, set()).add(record["student"])
    for stranger in sorted(lateness.students - known.keys()):
        like = difflib.get_close_matches(stranger, known, 1)
        hint = f"did you mean {like[0]}?" if like else "correct the line, or leave it out"
        raise GradingError(f"the file of times lists {stranger}, who is not in the class; {hint}")
    for name in sorted(lateness.students | lateness.used.keys()):
        if len(students := known.get(name, set())) > 1:
            may_be = " or ".join(sorted(students))
            raise GradingError(f"the file of times lists {name}, which may be {may_be}; write one of these instead")


def anonymous_marks(results: Results, counted: Collection[Mark]) -> list[Mark]:
    """The same marks under pseudonyms, sorted by these. The key to the names is kept with the results."""
    keep_key(results.folder, results.secret, results.all().students)
    hidden = [replace(mark, record=without_name(results.secret, mark.record)) for mark in counted]
    return sorted(hidden, key=lambda mark: mark.student)
