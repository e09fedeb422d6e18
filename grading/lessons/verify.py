"""Checks that the notebooks match the lessons and the library. Executes nothing."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from grading.errors import GradingError
from grading.lessons.build import solved_path, student_path
from grading.lessons.lesson import Lesson, find_lessons
from grading.lessons.notebook import GPU_TAG, make_notebooks, notebook_text
from grading.storage.files import read_text
from grading.storage.project import PROJECT

_DIFF_LINES = 12


@dataclass(frozen=True)
class Finding:
    """A notebook that does not match its sources.

    Attributes:
        diff: the first lines of the difference, as of `diff -u`.
    """

    path: Path
    reason: str
    diff: tuple[str, ...] = ()


def verify(source: Path, to: Path, library: Path = PROJECT) -> list[Finding]:
    """Compare a folder of notebooks with its lessons.

    Args:
        source: the folder of lessons.
        to: the folder of notebooks.
        library: the folder that contains `course`.

    Returns:
        The notebooks that do not match.
    """
    lessons = find_lessons(source)
    findings = [finding for lesson in lessons for finding in verify_lesson(lesson, to, library)]
    expected = {path(lesson, to) for lesson in lessons for path in (student_path, solved_path)}
    existing = {*to.glob("*.ipynb"), *to.glob("solved/*.ipynb")}
    findings += [Finding(path, "has no lesson") for path in sorted(existing - expected)]
    return findings


def verify_lesson(lesson: Lesson, to: Path, library: Path = PROJECT) -> list[Finding]:
    """Compare the student's notebook byte for byte, and the solved one in all but its outputs."""
    student, solved = make_notebooks(lesson, library)
    findings = [
        _compare_student(student_path(lesson, to), student),
        _compare_solved(solved_path(lesson, to), solved),
    ]
    return [finding for finding in findings if finding]


def _compare_student(path: Path, wanted: NotebookNode) -> Finding | None:
    if not path.exists():
        return Finding(path, "is missing")
    return _difference(path, read_text(path), notebook_text(wanted))


def _compare_solved(path: Path, wanted: NotebookNode) -> Finding | None:
    if not path.exists():
        return Finding(path, "is missing")
    try:
        notebook = nbformat.reads(read_text(path), as_version=nbformat.NO_CONVERT)
        nbformat.validate(notebook)
    except (GradingError, ValueError, nbformat.ValidationError) as error:
        return Finding(path, f"is not a notebook: {str(error).splitlines()[0]}")
    problem = _execution_problem(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return _difference(path, notebook_text(notebook), notebook_text(wanted)) or (
        Finding(path, problem) if problem else None
    )


def _execution_problem(notebook: NotebookNode) -> str | None:
    """Why a notebook was not run without an error from its first cell to its last; None if it was."""
    count = 0
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type != "code" or GPU_TAG in tags or not cell.source.strip():
            continue
        count += 1
        if cell.execution_count is None:
            return f"cell {cell.id!r} has not been executed"
        if cell.execution_count != count:
            return f"cell {cell.id!r} was executed out of order, as number {cell.execution_count} instead of {count}"
        if "raises-exception" not in tags and any(output.output_type == "error" for output in cell.outputs):
            return f"cell {cell.id!r} has failed"
    return None


def _difference(path: Path, given: str, wanted: str) -> Finding | None:
    if given == wanted:
        return None
    lines = list(difflib.unified_diff(given.splitlines(), wanted.splitlines(), n=1, lineterm=""))[2:]
    more = [f"... {len(lines) - _DIFF_LINES} more lines"] if len(lines) > _DIFF_LINES else []
    return Finding(path, "does not match its sources", (*lines[:_DIFF_LINES], *more))
