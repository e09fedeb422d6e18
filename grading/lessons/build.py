"""Builds a lesson's notebooks: makes both, executes the solved one, and writes them."""

from __future__ import annotations

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

from grading.errors import GradingError
from grading.lessons.lesson import Lesson, read_lesson
from grading.lessons.notebook import GPU_TAG, REMOVE_OUTPUT_TAG, make_notebooks, notebook_text
from grading.storage.files import write_file
from grading.storage.project import PROJECT
from grading.student_kernel.my_bert.keeping import FOLDER_VARIABLE

_SECONDS_PER_CELL = 600


def student_path(lesson: Lesson, to: Path) -> Path:
    """Where the student's notebook is."""
    return to / f"{lesson.slug}.ipynb"


def solved_path(lesson: Lesson, to: Path) -> Path:
    """Where the solved notebook is."""
    return to / "solved" / f"{lesson.slug}.ipynb"


def build(source: Path, to: Path, execute: bool = True, library: Path = PROJECT) -> None:
    """Writes a lesson's student notebook and its solved one.

    Args:
        source: the lesson's text.
        to: the folder of notebooks. The solved one goes to `solved/` in it, and is executed in `to` itself.
        execute: whether to execute the solved notebook, except for the cells that need a GPU. If not, it keeps the
            outputs of the one that lies there, as long as only text has changed.
        library: the folder that holds `course` and `grading`.

    Raises:
        GradingError: the lesson is wrong, or one of its cells fails. Then nothing has been written.
    """
    lesson = read_lesson(source)
    student, solved = make_notebooks(lesson, library)
    if execute:
        to.mkdir(parents=True, exist_ok=True)
        _execute(lesson, solved, to, library)
    elif solved_path(lesson, to).exists():
        _keep_outputs(nbformat.read(solved_path(lesson, to), as_version=nbformat.NO_CONVERT), solved)
    write_file(student_path(lesson, to), notebook_text(student))
    write_file(solved_path(lesson, to), notebook_text(solved))


def _keep_outputs(earlier: NotebookNode, notebook: NotebookNode) -> None:
    """Takes outputs over from an earlier notebook with the same code in all its cells."""
    before, now = ([cell for cell in one.cells if cell.cell_type == "code"] for one in (earlier, notebook))
    if [cell.source for cell in before] == [cell.source for cell in now]:
        for executed, cell in zip(before, now, strict=True):
            cell.outputs, cell.execution_count = executed.outputs, executed.execution_count


def _execute(lesson: Lesson, notebook: NotebookNode, folder: Path, library: Path) -> None:
    """Runs every cell in a fresh kernel, and keeps of the outputs what every run gives."""
    metadata = copy.deepcopy(notebook.metadata)
    search_path = os.pathsep.join([str(library), *filter(None, [os.environ.get("PYTHONPATH")])])
    kept_nowhere = {FOLDER_VARIABLE: ""}  # what passes here is the course's own
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
        except (CellControlSignal, RuntimeError) as error:  # nbclient says by the latter that a kernel died
            if not started:
                raise GradingError(f"{lesson.path}: the kernel does not start: {error}") from error
            raise _failure(lesson, started[-1], error) from error
    notebook.metadata = metadata  # the kernel has put its Python's version there
    for cell in notebook.cells:
        if cell.cell_type == "code":
            # What libraries log differs from machine to machine; what is to be touched weighs megabytes.
            is_left_out = REMOVE_OUTPUT_TAG in cell.metadata.get("tags", [])
            cell.outputs = [] if is_left_out else [out for out in cell.outputs if out.get("name") != "stderr"]


@contextmanager
def _progress(lesson: Lesson, cells: int) -> Iterator[Callable[[int], None]]:
    """A bar that says how many cells are done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task(f"Running {lesson.slug}", total=cells)
        yield lambda done: progress.update(bar, completed=done)
        progress.update(bar, completed=cells)


def _failure(lesson: Lesson, cell: NotebookNode, error: Exception) -> GradingError:
    """Names the lesson and the cell, and shows the traceback as the notebook would."""
    traceback = [line for output in cell.get("outputs", []) for line in output.get("traceback", [])]
    details = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(traceback) or str(error))
    return GradingError(f"{lesson.path}: cell {cell.id!r} of the solved notebook fails\n{details}")
