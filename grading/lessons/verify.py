"""Says whether the notebooks that lie there are what the lessons and the library give. Executes nothing."""

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
    """One notebook that is not as it should be.

    Attributes:
        diff: where it differs from what the sources give: the first lines, as of `diff -u`.
    """

    path: Path
    reason: str
    diff: tuple[str, ...] = ()


def verify(source: Path, to: Path, library: Path = PROJECT) -> list[Finding]:
    """Compares a folder of notebooks with what its lessons give.

    Args:
        source: the folder of lessons.
        to: the folder of notebooks.
        library: the folder that holds `course`.

    Returns:
        What is wrong; nothing where all is as it should be.
    """
    lessons = find_lessons(source)
    findings = [finding for lesson in lessons for finding in verify_lesson(lesson, to, library)]
    wanted = {path(lesson, to) for lesson in lessons for path in (student_path, solved_path)}
    lying_there = {*to.glob("*.ipynb"), *to.glob("solved/*.ipynb")}
    findings += [Finding(path, "has no lesson") for path in sorted(lying_there - wanted)]
    return findings


def verify_lesson(lesson: Lesson, to: Path, library: Path = PROJECT) -> list[Finding]:
    """Compares the student's notebook byte for byte, and the solved one in all but its outputs."""
    student, solved = make_notebooks(lesson, library)
    findings = [
        _compare_student(student_path(lesson, to), student),
        _compare_solved(solved_path(lesson, to), solved),
    ]
    return [finding for finding in findings if finding]


def _compare_student(path: Path, wanted: NotebookNode) -> Finding | None:
    if not path.exists():
        return Finding(path, "is not there")
    return _difference(path, read_text(path), notebook_text(wanted))


def _compare_solved(path: Path, wanted: NotebookNode) -> Finding | None:
    if not path.exists():
        return Finding(path, "is not there")
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
    """What shows that a notebook has not been run from its first cell to its last without an error."""
    count = 0
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type != "code" or GPU_TAG in tags or not cell.source.strip():
            continue
        count += 1
        if cell.execution_count is None:
            return f"cell {cell.id!r} has not been executed"
        if cell.execution_count != count:
            return f"cell {cell.id!r} was executed as number {cell.execution_count}, not in turn as {count}"
        if "raises-exception" not in tags and any(output.output_type == "error" for output in cell.outputs):
            return f"cell {cell.id!r} has failed"
    return None


def _difference(path: Path, given: str, wanted: str) -> Finding | None:
    if given == wanted:
        return None
    lines = list(difflib.unified_diff(given.splitlines(), wanted.splitlines(), n=1, lineterm=""))[2:]
    more = [f"... {len(lines) - _DIFF_LINES} more lines"] if len(lines) > _DIFF_LINES else []
    return Finding(path, "is not what the sources give", (*lines[:_DIFF_LINES], *more))
