"""What the instructor decides on a course: the file course.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from grading.classroom.people import COURSE_FILE
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.storage.files import read_text

VERSION = 1
_ROUNDING = 0.01
_COURSE = {"version", "name", "drop_lowest", "late", "chapters"}
_LATE = {"free_days", "percent"}
_CHAPTER = {"number", "weight", "due", "drop", "extra"}
_KINDS: Mapping[Any, str] = {dict: "table", list: "list", str: "text", int: "whole number", (int, float): "number"}


@dataclass(frozen=True)
class ChapterSettings:
    """A chapter of a course.

    Attributes:
        weight: its percentage of the total.
        due: the deadline, or None.
        drop: exercises that count for nobody.
        extra: exercises whose points are extra credit.
    """

    number: int
    weight: float
    due: datetime | None = None
    drop: frozenset[str] = frozenset()
    extra: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Settings:
    """The decisions on a course.

    Attributes:
        chapters: by number, in the file's order.
        drop_lowest: how many of each student's chapters, those with the lowest percentage, do not count.
        free_days: late days without penalty that each student has in the whole course.
        late_percent: the percentage of the earned points deducted for each further day.
    """

    name: str
    chapters: Mapping[int, ChapterSettings]
    drop_lowest: int = 0
    free_days: int = 0
    late_percent: float = 0.0

    def chapter(self, number: int) -> ChapterSettings:
        """The settings of a chapter.

        Raises:
            GradingError: the course does not have it.
        """
        if number not in self.chapters:
            known = ", ".join(map(str, self.chapters))
            raise GradingError(f"chapter {number} is not in {COURSE_FILE}, which has {known}; add it, with its weight")
        return self.chapters[number]


def read_settings(course: Path) -> Settings:
    """Read a course's file.

    Raises:
        GradingError: the folder is no course, or the file cannot be read, is of a newer version, or contradicts itself.
    """
    path = course / COURSE_FILE
    if not path.exists():
        raise GradingError(f"{course} is no course; make one with `python -m grading course init {course}`")
    try:
        read = tomllib.loads(read_text(path).removeprefix("\ufeff"))
        version = read.get("version")
        if not isinstance(version, int) or version < 1:
            raise GradingError(f"version is {version!r}; it must be {VERSION}")
        if version > VERSION:
            raise GradingError(f"it is of version {version}, and this project reads version {VERSION}; update it")
        return _settings(read)
    except (tomllib.TOMLDecodeError, GradingError) as error:
        raise GradingError(f"cannot read {path}: {error}") from error


def settings_text(name: str, chapters: Sequence[int]) -> str:
    """The file of a new course, in which all chapters weigh the same."""
    weights = [round(100 / len(chapters), 2)] * len(chapters)
    weights[-1] = round(100 - sum(weights[:-1]), 2)
    tables = [
        f"[[chapters]]  # {chapter(number).title}\nnumber = {number}\nweight = {weight:g}\n"
        for number, weight in zip(chapters, weights, strict=True)
    ]
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return "\n".join([_HEAD.format(version=VERSION, name=quoted), *tables])


_HEAD = """\
# The decisions on this course. Edit them; each command reads them again.
version = {version}
name = "{name}"
drop_lowest = 0  # of each student's chapters, so many with the lowest percentage do not count

[late]
free_days = 0  # late days without penalty that each student has in the whole course
percent = 0  # of the earned points, deducted for each further day

# Each chapter has a weight, in percent of the total, and may have a deadline, and exercises that do not count or that
# are extra credit:
#     due = 2026-10-01T23:59:00+02:00
#     drop = ["learn_bpe"]
#     extra = ["pack_pair"]
"""


def _settings(read: Mapping[str, Any]) -> Settings:
    _require_known(read, _COURSE, "the course")
    late = _value(read, "late", dict, {})
    _require_known(late, _LATE, "[late]")
    chapters = [_chapter(one) for one in _value(read, "chapters", list, [])]
    by_number = {one.number: one for one in chapters}
    if len(by_number) < len(chapters):
        twice = next(number for number in by_number if [one.number for one in chapters].count(number) > 1)
        raise GradingError(f"chapter {twice} is there twice; leave one")
    if not chapters:
        raise GradingError("it has no [[chapters]]; write one for each chapter")
    if len({one.due.tzinfo is None for one in chapters if one.due}) > 1:
        raise GradingError("give either all `due` a time zone, or none")
    total = sum(one.weight for one in chapters)
    if abs(total - 100) > _ROUNDING:
        parts = " + ".join(f"{one.weight:g}" for one in chapters)
        raise GradingError(f"the weights are {parts} = {total:g} in sum; they must be 100")
    drop_lowest = _number(read, "drop_lowest", 0, kind=int)
    if drop_lowest >= len(chapters):
        raise GradingError(f"drop_lowest is {drop_lowest}, so none of {len(chapters)} chapters would count")
    return Settings(
        _value(read, "name", str, "The course"),
        by_number,
        drop_lowest,
        _number(late, "free_days", 0, kind=int),
        _number(late, "percent", 0, 100),
    )


def _chapter(read: Any) -> ChapterSettings:
    if not isinstance(read, dict) or not isinstance(read.get("number"), int):
        raise GradingError("each of [[chapters]] needs a whole `number`")
    of = chapter(read["number"])
    _require_known(read, _CHAPTER, f"chapter {of.number}")
    due = read.get("due")
    if due is not None and not isinstance(due, datetime):
        raise GradingError(f"chapter {of.number}: due is {due!r}; write a time without quotes, 2026-10-01T23:59:00")
    drop, extra = (_names(read, key) for key in ("drop", "extra"))
    of.require(drop | extra)
    return ChapterSettings(of.number, _number(read, "weight", 0, 100), due, drop, extra)


def _names(read: Mapping[str, Any], key: str) -> frozenset[str]:
    names = _value(read, key, list, [])
    for name in names:
        if not isinstance(name, str):
            raise GradingError(f"{key} has {name!r}, which is no {_KINDS[str]}")
    return frozenset(names)


def _number(read: Mapping[str, Any], key: str, least: float, most: float = 1000, kind: Any = (int, float)) -> Any:
    number = _value(read, key, kind, 0)
    if not least <= number <= most:
        raise GradingError(f"{key} is {number}; it must be from {least:g} to {most:g}")
    return number


def _value(read: Mapping[str, Any], key: str, kind: Any, default: Any) -> Any:
    value = read.get(key, default)
    if kind is int and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise GradingError(f"{key} is {value!r}, which is no {_KINDS[kind]}")
    return value


def _require_known(read: Mapping[str, Any], keys: set[str], where: str) -> None:
    unknown = sorted(read.keys() - keys)
    if unknown:
        raise GradingError(
            f"{where} has {', '.join(unknown)}, which nothing reads; it may have {', '.join(sorted(keys))}"
        )
