"""Reads a lesson: Markdown whose code fences are cells. Some fences only name an exercise of the library:

    ```python exercise="course.attention.MultiHeadAttention" methods="build call" difficulty="4/5" minutes=30
    ```

The fence is empty, because the code comes from the library. `methods` names the methods of a class that the student
writes. `helpers` names private definitions, and private methods of the class, that are part of the answer; students get
all others that an exercise needs. Answers to a lesson's other questions are in blocks that unfold; see `unfolding`.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jupytext
import yaml

from grading.errors import GradingError
from grading.lessons.unfolding import count_answers, require_answers
from grading.storage.files import read_text

_WANTED = {"exercise": str, "difficulty": str, "minutes": int}
_OPTIONAL = {"methods": str, "helpers": str}
_FRONT_MATTER = {"title": str, "chapter": int}
# How fast a student reads prose among equations, and code with its output; and the time for a question.
_WORDS_PER_MINUTE = 200
_LINES_PER_MINUTE = 20
_MINUTES_PER_QUESTION = 2


@dataclass(frozen=True)
class Task:
    """An exercise as the lesson names it.

    Attributes:
        module: the module that defines it, such as "course.attention".
        name: its name there.
        methods: the methods of a class that the student writes.
        helpers: private definitions and methods that are part of the answer.
        line: the lesson's line that names it.
    """

    module: str
    name: str
    difficulty: str
    minutes: int
    methods: tuple[str, ...]
    helpers: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class LessonCell:
    """A piece of the lesson: prose, given code, or an exercise."""

    source: str
    is_code: bool
    metadata: Mapping[str, Any] = field(default_factory=dict)
    needs_gpu: bool = False
    task: Task | None = None


@dataclass(frozen=True)
class Lesson:
    """A chapter as its author wrote it."""

    path: Path
    title: str
    chapter: int
    cells: tuple[LessonCell, ...]

    @property
    def minutes(self) -> int:
        """How long the chapter takes, rounded up to five minutes: its exercises, prose, code and questions.

        A cell's running time is not counted: students read its code meanwhile.
        """
        prose = [cell.source for cell in self.cells if not cell.is_code]
        code = [line for cell in self.cells if cell.is_code for line in cell.source.splitlines() if line.strip()]
        reading = sum(len(text.split()) for text in prose) / _WORDS_PER_MINUTE + len(code) / _LINES_PER_MINUTE
        thinking = _MINUTES_PER_QUESTION * sum(map(count_answers, prose))
        return 5 * math.ceil((self.writing_minutes + reading + thinking) / 5)

    @property
    def writing_minutes(self) -> int:
        """How long the exercises take."""
        return sum(task.minutes for task in self.tasks)

    @property
    def slug(self) -> str:
        return self.path.stem

    @property
    def tasks(self) -> list[Task]:
        return [cell.task for cell in self.cells if cell.task]

    @property
    def module(self) -> str:
        """The one module of the library that the lesson teaches."""
        return self.tasks[0].module

    def error(self, line: int, message: str) -> GradingError:
        return GradingError(f"{self.path}, line {line}: {message}")


def find_lessons(folder: Path) -> list[Lesson]:
    """All lessons of a folder, by chapter.

    Raises:
        GradingError: there is none, one cannot be read, or two have the same chapter number.
    """
    lessons = sorted((read_lesson(path) for path in folder.glob("*.md")), key=lambda lesson: lesson.chapter)
    if not lessons:
        raise GradingError(f"there is no lesson in {folder}; lessons are files such as 03_attention.md")
    for one, other in itertools.pairwise(lessons):
        if one.chapter == other.chapter:
            raise GradingError(f"{one.path.name} and {other.path.name} both say that they are chapter {one.chapter}")
    return lessons


def read_lesson(path: Path) -> Lesson:
    """Read a lesson from its file.

    Raises:
        GradingError: the lesson is wrong; the message says what is wrong, and in which line.
    """
    return _parsed(path, read_text(path))


@cache
def _parsed(path: Path, text: str) -> Lesson:
    """Parse a lesson. Cached, because parsing takes 0.1 s and a release reads all lessons several times."""
    notebook = jupytext.reads(text, fmt="md")
    front_matter = _front_matter(path, notebook.cells)
    cells = tuple(_cell(path, text, cell) for cell in notebook.cells if cell.cell_type != "raw")
    lesson = Lesson(path, **front_matter, cells=cells)
    _require_sense(lesson)
    return lesson


def _front_matter(path: Path, cells: list[Any]) -> dict[str, Any]:
    raw = cells[0].source if cells and cells[0].cell_type == "raw" else ""
    try:
        given = yaml.safe_load(raw.strip().strip("-")) or {}
    except yaml.YAMLError as error:
        raise GradingError(f"{path}, line 1: the front matter is not YAML: {error}") from error
    for key, kind in _FRONT_MATTER.items():
        if not isinstance(given, dict) or not isinstance(given.get(key), kind):
            raise GradingError(
                f"{path}, line 1: the front matter must have {', '.join(_FRONT_MATTER)}; "
                f"{key} is missing or is not {_kind(kind)}"
            )
    return {key: given[key] for key in _FRONT_MATTER}


def _cell(path: Path, text: str, cell: Any) -> LessonCell:
    options = dict(cell.metadata)
    if "incorrectly_encoded_metadata" in options or ("exercise" not in options and options.keys() & _WANTED.keys()):
        written = options.get("incorrectly_encoded_metadata") or next(iter(options))
        line = _line(text, str(written))
        raise GradingError(f'{path}, line {line}: cannot read {written!r}; write options as name="text" or name=5')
    if "exercise" in options:
        return LessonCell("", True, task=_task(path, text, cell.source, options))
    needs_gpu = bool(options.pop("gpu", False))
    return LessonCell(cell.source, cell.cell_type == "code", options, needs_gpu)


def _task(path: Path, text: str, source: str, options: dict[str, Any]) -> Task:
    line = _line(text, f'exercise="{options["exercise"]}"')

    def require(holds: bool, message: str) -> None:
        if not holds:
            raise GradingError(f"{path}, line {line}: {message}")

    known = _WANTED | _OPTIONAL
    for option, value in options.items():
        require(option in known, f"an exercise has no option {option!r}; wanted of {', '.join(known)}")
        require(isinstance(value, known[option]), f"{option} is {value!r}; wanted {_kind(known[option])}")
    for option in _WANTED:
        require(option in options, f"the exercise does not say its {option}")
    module, _, name = options["exercise"].rpartition(".")
    require(bool(module), f"exercise is {name!r}; wanted module and name, such as course.attention.padding_mask")
    require(not source.strip(), f"the fence of {name} must be empty, as its code comes from {module}")
    difficulty, minutes = options["difficulty"], options["minutes"]
    require(bool(re.fullmatch("[1-5]/5", difficulty)), f"difficulty is {difficulty!r}; wanted 1/5 to 5/5")
    require(minutes > 0, f"minutes is {minutes}; wanted more than 0")
    methods, helpers = (tuple(options.get(option, "").split()) for option in ("methods", "helpers"))
    return Task(module, name, difficulty, minutes, methods, helpers, line)


def _require_sense(lesson: Lesson) -> None:
    if not lesson.tasks:
        raise lesson.error(1, 'there is no exercise; wanted a fence such as ```python exercise="course.module.name"')
    seen: set[str] = set()
    for task in lesson.tasks:
        if task.module != lesson.module:
            raise lesson.error(task.line, f"{task.name} is from {task.module}; the lesson teaches {lesson.module}")
        if task.name in seen:
            raise lesson.error(task.line, f"{task.name} is an exercise twice")
        seen.add(task.name)
    try:
        require_answers(cell.source for cell in lesson.cells if not cell.is_code)
    except GradingError as error:
        raise GradingError(f"{lesson.path}: {error}") from error


def _line(text: str, part: str) -> int:
    """The number of the last line that contains a text; of duplicates, this is the superfluous one."""
    return max((number for number, line in enumerate(text.splitlines(), 1) if part in line), default=1)


def _kind(kind: type) -> str:
    return {str: "a text", int: "a whole number"}[kind]
