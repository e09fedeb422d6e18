"""Turns the options of a command into marks under an instructor's policy."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from grading.classroom.pseudonyms import keep_key, without_name
from grading.classroom.results import Results
from grading.errors import GradingError
from grading.exercises.registry import chapter as chapter_of
from grading.gradebook.lateness import read_lateness
from grading.gradebook.policy import Mark, Marks, Policy, marks
from grading.terminal import errors


def policy_of(
    number: int,
    drop: list[str] | None,
    extra: list[str] | None,
    times: Path | None,
    free_days: int,
    late_percent: float,
) -> Policy:
    """The policy that the options of `export` and `gradebook` ask for.

    Raises:
        GradingError: the file of times cannot be read, or late days are counted without one.
    """
    lateness = read_lateness(times, number, free_days=free_days, percent=late_percent) if times else None
    if (free_days or late_percent) and not lateness:
        raise GradingError("to count late days, give --times: a CSV file with the columns student, due and submitted")
    return Policy(frozenset(drop or ()), frozenset(extra or ()), lateness)


def counted_marks(results: Path, number: int, policy: Policy, section: str | None) -> Marks:
    """The marks of all graded students. Prints a warning that names those missing from the file of times."""
    counted = marks(chapter_of(number), Results(results, number).all(section), policy)
    untimed = [mark.student for mark in counted if policy.lateness and not mark.late]
    if untimed:
        errors.print(Text(f"Not in the file of times, so counted as on time: {', '.join(untimed)}", style="yellow"))
    return counted


def anonymous_marks(results: Results, counted: Collection[Mark]) -> list[Mark]:
    """The same marks under pseudonyms, sorted by these. The key to the names is kept with the results."""
    keep_key(results.folder, results.secret, results.all().students)
    hidden = [replace(mark, record=without_name(results.secret, mark.record), timed_as="") for mark in counted]
    return sorted(hidden, key=lambda mark: mark.student)
