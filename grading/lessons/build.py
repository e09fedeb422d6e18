"""Builds a lesson's two notebooks: makes both, executes the solved one, and writes them."""

from __future__ import annotations

import ast
import copy
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal
from nbformat import NotebookNode
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from course.my_model.folder import VARIABLE as MY_MODEL
from grading.errors import GradingError
from grading.extraction.attempts import Level, level_of
from grading.lessons.lesson import Lesson, read_lesson
from grading.lessons.notebook import GPU_TAG, REMOVE_OUTPUT_TAG, make_notebooks, notebook_text
from grading.lessons.translating import same_code
from grading.storage.files import read_text, write_file
from grading.storage.project import PROJECT
from grading.student_kernel.my_bert.keeping import FOLDER_VARIABLE

_SECONDS_PER_CELL = 600


def student_path(lesson: Lesson, to: Path) -> Path:
    """The path of the student's notebook."""
    return to / f"{lesson.slug}.ipynb"


def solved_path(lesson: Lesson, to: Path) -> Path:
    """The path of the solved notebook."""
    return to / "solved" / f"{lesson.slug}.ipynb"


def has_work(path: Path) -> bool:
    """Whether someone has run a cell of a student's notebook, or has written an exercise; or it cannot be read."""
    if not path.exists():
        return False
    try:
        cells = nbformat.read(path, as_version=nbformat.NO_CONVERT).cells
    except (OSError, ValueError, AttributeError):
        return True
    return any(
        cell.get("execution_count")
        or cell.get("outputs")
        or (cell.metadata.get("nbgrader", {}).get("solution") and _is_written(cell.source))
        for cell in cells
    )


def _is_written(exercise: str) -> bool:
    """Whether the source of an exercise's cell has a whole definition, or an error, which no stub has."""
    try:
        lines = ast.parse(exercise).body
    except SyntaxError:
        return True
    definitions = (line for line in lines if isinstance(line, ast.FunctionDef | ast.ClassDef))
    return any(level_of(definition, definition.name) is Level.DEFINED for definition in definitions)


def build(source: Path, to: Path, execute: bool = True, library: Path = PROJECT, *, keep_student: bool = False) -> None:
    """Write a lesson's student notebook and its solved one.

    Args:
        source: the lesson's file.
        to: the folder of notebooks. The solved one goes to `solved/` in it, and is executed in `to` itself.
        execute: whether to execute the solved notebook, except for the cells that need a GPU. If not, it keeps the
            outputs of the existing one, provided that only text has changed.
        library: the folder that contains `course` and `grading`.
        keep_student: whether the student notebook stays as it is.

    Raises:
        GradingError: the lesson is wrong, or one of its cells fails. Then nothing is written.
    """
    lesson = read_lesson(source)
    student, solved = make_notebooks(lesson, library)
    if execute:
        to.mkdir(parents=True, exist_ok=True)
        _execute(lesson, solved, to, library)
    elif solved_path(lesson, to).exists():
        _keep_outputs(nbformat.read(solved_path(lesson, to), as_version=nbformat.NO_CONVERT), solved)
    _write(lesson, to, student, solved, keep_student)


def build_in(language: str, lesson: Lesson, to: Path, library: Path = PROJECT, *, keep_student: bool = False) -> None:
    """Write a lesson's two notebooks in a language. Nothing is executed: the outputs are those of the English notebook.

    Args:
        language: its code.
        to: the folder of these notebooks.
        library: the folder that contains `course`, `locale` and the English `notebooks`.
        keep_student: whether the student notebook stays as it is.

    Raises:
        GradingError: the English notebook is missing or out of date, or a catalogue is damaged.
    """
    student, solved = translated_notebooks(language, lesson, library)
    _write(lesson, to, student, solved, keep_student)


def translated_notebooks(language: str, lesson: Lesson, library: Path = PROJECT) -> tuple[NotebookNode, NotebookNode]:
    """A lesson's notebooks in a language, with the outputs of the English one; see `build_in`."""
    path = solved_path(lesson, library / "notebooks")
    executed = nbformat.reads(read_text(path), as_version=nbformat.NO_CONVERT)
    _, english = make_notebooks(lesson, library)
    if [cell.source for cell in executed.cells] != [cell.source for cell in english.cells]:
        raise GradingError(f"{path} does not match its sources; run `python -m grading build` first")
    student, solved = make_notebooks(lesson, library, language)
    for before, cell in zip(executed.cells, solved.cells, strict=True):
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = before.outputs, before.execution_count
    return student, solved


def _write(lesson: Lesson, to: Path, student: NotebookNode, solved: NotebookNode, keep_student: bool) -> None:
    if not keep_student:
        write_file(student_path(lesson, to), notebook_text(student))
    write_file(solved_path(lesson, to), notebook_text(solved))


def _keep_outputs(earlier: NotebookNode, notebook: NotebookNode) -> None:
    """Copy the outputs of an earlier notebook if its code cells are the same, but for docstrings."""
    before, now = ([cell for cell in one.cells if cell.cell_type == "code"] for one in (earlier, notebook))
    if len(before) == len(now) and all(map(_same_but_for_text, before, now)):
        for executed, cell in zip(before, now, strict=True):
            cell.outputs, cell.execution_count = executed.outputs, executed.execution_count


def _same_but_for_text(one: NotebookNode, other: NotebookNode) -> bool:
    return one.source == other.source or same_code(one.source, other.source)


def _execute(lesson: Lesson, notebook: NotebookNode, folder: Path, library: Path) -> None:
    """Run every cell in a fresh kernel, and keep the outputs that are the same in every run."""
    metadata = copy.deepcopy(notebook.metadata)
    search_path = os.pathsep.join([str(library), *filter(None, [os.environ.get("PYTHONPATH")])])
    # The solutions are the course's own, so `my_bert` need not keep them, and no model is trained beside the notebook.
    kept_nowhere = {FOLDER_VARIABLE: "", MY_MODEL: ""}
    environment = {**os.environ, **kept_nowhere, "PYTHONPATH": search_path, "TF_CPP_MIN_LOG_LEVEL": "3"}
    started: list[NotebookNode] = []
    with _progress(lesson, len(notebook.cells)) as advance:

        def on_cell_start(cell: NotebookNode, cell_index: int) -> None:
            started.append(cell)
            advance(cell_index)

        client = NotebookClient(
            notebook,
            timeout=_SECONDS_PER_CELL,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            record_timing=False,
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            skip_cells_with_tag=GPU_TAG,
            on_cell_start=on_cell_start,
        )
        try:
            client.execute(env=environment)
        except (CellControlSignal, RuntimeError) as error:  # nbclient raises RuntimeError if the kernel dies
            if not started:
                raise GradingError(f"{lesson.path}: the kernel does not start: {error}") from error
            raise _failure(lesson, started[-1], error) from error
    notebook.metadata = metadata  # the kernel has written its Python version into it
    for cell in notebook.cells:
        if cell.cell_type == "code":
            # Logs differ from machine to machine, and interactive outputs take megabytes.
            is_left_out = REMOVE_OUTPUT_TAG in cell.metadata.get("tags", [])
            cell.outputs = [] if is_left_out else _printed_at_once(cell.outputs)


def _printed_at_once(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs without logs, and what was printed between two others as one: how it is cut depends on the load."""
    kept: list[NotebookNode] = []
    for output in outputs:
        if output.get("name") == "stdout" and kept and kept[-1].get("name") == "stdout":
            kept[-1].text += output.text
        elif output.get("name") != "stderr":
            kept.append(output)
    return kept


@contextmanager
def _progress(lesson: Lesson, cells: int) -> Iterator[Callable[[int], None]]:
    """Show a bar that counts the executed cells."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task(f"Running {lesson.slug}", total=cells)
        yield lambda done: progress.update(bar, completed=done)
        progress.update(bar, completed=cells)


def _failure(lesson: Lesson, cell: NotebookNode, error: Exception) -> GradingError:
    """The error that names the lesson and the cell, with the traceback as the notebook would show it."""
    traceback = [line for output in cell.get("outputs", []) for line in output.get("traceback", [])]
    details = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(traceback) or str(error))
    return GradingError(f"{lesson.path}: cell {cell.id!r} of the solved notebook fails\n{details}")
