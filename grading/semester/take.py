"""Makes a course's folder, and takes over results from before there was one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from course.errors import CourseError
from course.storage.atomic import atomic_folder
from grading.classroom.enrolment import some_of
from grading.classroom.people import COURSE_FILE, ROSTER
from grading.classroom.results import Results, graded_chapters
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.semester.course import Course, chapter_folder
from grading.semester.settings import settings_text
from grading.storage.files import write_file
from grading.storage.locks import locked

_CORE = range(1, 9)


def make_course(folder: Path, chapters: Sequence[int] = (), take: Sequence[Path] = ()) -> Course:
    """Make a course, or add results to one that exists. The folders of `take` stay as they are.

    Args:
        folder: the course's folder.
        chapters: the chapters of a new course, which weigh the same; by default those of `take`, else the core
            chapters.
        take: folders of results, each of which may hold several chapters.

    Raises:
        GradingError: there are no results in a folder, the course has results of the same chapter with another secret,
            or different records of the same submissions, the chapter is not in its course.toml, or a file cannot be
            read or written. In the case of different records, the course keeps its own, and all others are added.
    """
    found = [(results, number) for results in take for number in _chapters_in(results)]
    with locked(folder, below=False):
        if not (folder / COURSE_FILE).exists():
            numbers = sorted({chapter(number).number for number in chapters} or {number for _, number in found})
            write_file(folder / COURSE_FILE, settings_text(folder.absolute().name, numbers or _CORE))
        elif chapters:
            raise GradingError(f"{folder} is a course already; add chapters to its {COURSE_FILE}")
        course = Course(folder)
        different = [sentence for results, number in found if (sentence := _take(results, course, number))]
        course.join(number for _, number in found)
    if different:
        raise GradingError("; ".join(different))
    return course


def _chapters_in(results: Path) -> list[int]:
    numbers = graded_chapters(results)
    if not numbers:
        raise GradingError(f"there are no results in {results}; name a folder that `python -m grading grade` wrote")
    return numbers


def _take(results: Path, course: Course, number: int) -> str:
    """Take over a chapter. Return a sentence on the records that the course has with other contents, or ""."""
    course.settings.chapter(number)
    to = chapter_folder(course.folder, number)
    if graded_chapters(to):
        if Results(to, number).secret != Results(results, number).secret:
            raise GradingError(f"{to} has results of chapter {number} already; {results} was not taken over")
        try:
            different = Results(to, number).add(Results(results, number))
        except OSError as error:
            raise GradingError(f"cannot take over {results}: {error}") from error
        if not different:
            return ""
        names = some_of(different)
        return f"{to} keeps its own records where {results} has different ones ({len(different)}): {names}"
    for left_over in to.parent.glob(f".{to.name}.*"):  # of a killed run
        shutil.rmtree(left_over, ignore_errors=True)
    try:
        with atomic_folder(to) as draft:
            for path in _files(results, number):
                (draft / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(results / path, draft / path)
    except (CourseError, OSError) as error:
        raise GradingError(f"cannot take over {results}: {error}") from error
    if (results / ROSTER).exists() and not (course.folder / ROSTER).exists():
        write_file(course.folder / ROSTER, (results / ROSTER).read_bytes(), mode=0o600)
    return ""


def _files(results: Path, number: int) -> Iterator[Path]:
    """The secret, the records that count and the list of their downloads.

    Pages and tables, of other chapters and runs, too, are written again.
    """
    yield Path("secret")
    taken = Results(results, number)
    for path in (*taken.paths(), taken.list_of_present):
        if path.exists():  # results of an older version have no list
            yield path.relative_to(results)
