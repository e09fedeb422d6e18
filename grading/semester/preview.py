"""What a regrade of some exercises would change, for whom, before it is applied."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from grading.classroom.overrides import read_overrides
from grading.classroom.records import read_record
from grading.classroom.results import Results
from grading.errors import GradingError
from grading.semester.course import Course
from grading.storage.temporary import temporary_folder


class Change(NamedTuple):
    """An exercise of a student that would get other points.

    Attributes:
        by_hand: the points that were given by hand and would stay, or None.
    """

    student: str
    exercise: str
    before: float
    after: float
    by_hand: float | None


def preview(course: Course, number: int, grade: Callable[[Results], object]) -> list[Change]:
    """Grade into a temporary copy of a chapter's results, and compare. Nothing in the course changes.

    Args:
        grade: grades some exercises again into the results that it gets.

    Raises:
        GradingError: the chapter has no results, or a file cannot be read or written.
    """
    results = course.results(number)
    with temporary_folder() as folder:
        copy = Results(folder / "results", number)
        copy.course = course.folder  # whose people and other downloads it has
        try:
            shutil.copytree(results.folder / "records", copy.folder / "records")
            shutil.copy2(results.folder / "secret", copy.folder)
        except OSError as error:
            raise GradingError(f"cannot copy the results of chapter {number}: {error}; grade it first") from error
        grade(copy)
        return list(_changes(course, results, copy.folder))


def _changes(course: Course, results: Results, copy: Path) -> Iterator[Change]:
    overrides = read_overrides(course.folder, course.people)
    for row in results.all().rows:
        if row.path is None:
            continue
        before = read_record(row.path)["exercises"]
        after = read_record(copy / row.path.relative_to(results.folder))["exercises"]
        for old, new in zip(before, after, strict=True):
            if old["earned"] != new["earned"]:
                given = overrides.get((row.id, old["name"]))
                by_hand = given.points if given else None
                yield Change(row.student, old["name"], old["earned"], new["earned"], by_hand)
