"""Makes the library of a chapter's bundle: earlier chapters complete, its own answers blank, later chapters absent.

A module that no chapter teaches is released only if something released imports it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from grading.errors import GradingError
from grading.lessons.answers import Teaching, find_answers
from grading.lessons.lesson import Lesson, find_lessons
from grading.lessons.library import Function, LibraryModule
from grading.release.imports import Module, imported_modules, module_path, reachable
from grading.storage.files import write_file
from grading.storage.project import PROJECT
from grading.student_kernel.my_bert.fallback import PACKAGE

# A module with one of these words in its name is for the grader alone.
_SECRET = ("mistakes", "solutions", "sample_class", "students")


def blanked_library(chapter: int, to: Path, root: Path = PROJECT) -> None:
    """Write the folder `course` as students of a chapter have it, and a `my_bert` that imports from it.

    Args:
        chapter: the chapter's number.
        to: the folder in which `course` is made; it must not exist there yet.
        root: the folder that contains `course`, `grading` and `notebooks`.

    Raises:
        GradingError: there is no such chapter, or the folder cannot be written.
    """
    if (to / "course").exists():
        raise GradingError(f"{to / 'course'} already exists; choose an empty folder")
    for name, module in released_modules(chapter, root).items():
        package, _, rest = name.partition(".")
        if package == "course":
            write_file(to / module.path, module.source)
            # A chapter is graded by itself: in place of a student's `my_bert`, it uses the course's code.
            write_file(to / PACKAGE / module.path.relative_to("course"), f"from {name} import *\n" if rest else "")


def released_modules(chapter: int, root: Path) -> dict[str, Module]:
    """The modules of `course` and `grading` that a chapter's students get, by dotted name.

    These are the modules that the chapter's notebook, its checks and the chapters up to this one import. A function
    may import a later chapter's module in its body, as long as nothing in this chapter calls it: that module is not
    released.

    Raises:
        GradingError: there is no such chapter, or it needs a module that must not be released.
    """
    lessons = find_lessons(root / "notebooks" / "source")
    lesson = lesson_of(chapter, root)
    sources = {lesson.module: blank_answers(find_answers(lesson, root))}
    package = lesson.module.rpartition(".")[2]
    checks = f"grading.exercises.{package}.checks"
    if module_path(checks, root) is None:
        raise GradingError(f"chapter {chapter} has no checks; they belong in {checks}")
    code = [cell.source for cell in lesson.cells if cell.is_code]
    notebook = {name for source in code for name in imported_modules(source, root, "course")}
    taught = [one.module for one in lessons if one.chapter <= chapter]
    later = {one.module: one.chapter for one in lessons if one.chapter > chapter}
    modules = reachable(["grading.student_kernel.check", checks, *notebook, *taught], root, sources, unless_late=later)
    for name in modules:
        if name in later:
            raise GradingError(
                f"chapter {chapter} needs {name}, which chapter {later[name]} teaches; "
                f"look for the import with `grep -r {name}`, and move what both need to another module"
            )
        if any(word in name for word in _SECRET):
            raise GradingError(f"a check imports {name}, which must not be released; look for it with `grep -r`")
    return modules


def self_check_modules(root: Path) -> dict[str, bytes]:
    """What checks a notebook from its outside, which a bundle has only where it does so by itself; by path."""
    found = reachable(["grading.student_kernel.self_check"], root, {})
    modules = {name: module for name, module in found.items() if name.partition(".")[0] == "grading"}
    return {module.path.as_posix(): module.source.encode() for module in modules.values()}


def lesson_of(chapter: int, root: Path) -> Lesson:
    """The lesson of a chapter.

    Raises:
        GradingError: there is none.
    """
    lessons = find_lessons(root / "notebooks" / "source")
    for lesson in lessons:
        if lesson.chapter == chapter:
            return lesson
    known = ", ".join(f"{lesson.chapter} ({lesson.title})" for lesson in lessons)
    raise GradingError(f"there is no chapter {chapter}; there is {known}")


@cache
def answers_before(exercise: str, chapter: int) -> str:
    """The source of a chapter's module in which the answers to that exercise and to all after it are blank."""
    teaching = find_answers(lesson_of(chapter, PROJECT))
    names = [answer.task.name for answer in teaching.answers]
    return blank_answers(replace(teaching, answers=teaching.answers[names.index(exercise) :]))


def blank_answers(teaching: Teaching) -> str:
    """A module's source in which every answer raises an error, without the definitions that only answers use."""

    def message(name: str) -> str:
        return f"{name} is an exercise of chapter {teaching.lesson.chapter}: write it in the notebook."

    module = teaching.module
    blanks = [blank for answer in teaching.answers for blank in teaching.blanks(answer, message)]
    for answer in teaching.answers:
        for helper in answer.helpers:
            if isinstance(helper.node, Function):
                blanks.append(module.blank(helper.node, message(helper.names[0])))
    return _without_leftovers(module.without(blanks), module.used_names()).source


def _without_leftovers(module: LibraryModule, once_used: set[str]) -> LibraryModule:
    """Remove private definitions that are no longer used; then those that only these used."""
    while True:
        used = module.used_names()
        leftovers = [
            definition
            for definition in module.definitions
            if all(name.startswith("_") for name in definition.names)
            and once_used.intersection(definition.names)
            and not used.intersection(definition.names)
        ]
        if not leftovers:
            return module
        module = module.without(module.removal(definition.node) for definition in leftovers)
