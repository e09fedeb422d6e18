"""Makes the sample class: each chapter's submissions, made from its notebooks, and the results that they must get."""

from __future__ import annotations

import base64
import copy
import importlib
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4

from grading.exercises.registry import chapter
from grading.exercises.students import Student, answer_in
from grading.judging.exercise import Chapter
from grading.lessons.notebook import make_notebooks, notebook_text
from grading.release.library import lesson_of
from grading.storage.files import write_file
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id

FOLDER = PROJECT / "build" / "sample_class"


def students(of: Chapter) -> list[Student]:
    return importlib.import_module(f"grading.exercises.{of.package}.students").STUDENTS


def expected(number: int) -> dict[str, dict[str, Any]]:
    """The results that a chapter's students must get, by name."""
    return {student.name: _expected(student, chapter(number)) for student in students(chapter(number))}


@cache
def submissions(number: int) -> Path:
    """Write the submissions of a chapter's students.

    Returns:
        The folder, which contains nothing else.

    Raises:
        GradingError: a student's changes or mistakes do not fit the library's answer.
    """
    of = chapter(number)
    folder = FOLDER / of.slug
    released, solved = make_notebooks(lesson_of(number, PROJECT))
    files = {folder / f"{student.name}.ipynb": _handed_in(student, of, released, solved) for student in students(of)}
    for path in set(folder.glob("[!.]*")) - files.keys():  # another process may be writing, to a hidden file
        path.unlink()
    for path, text in files.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_file(path, text)
    return folder


def _handed_in(student: Student, of: Chapter, released: NotebookNode, solved: NotebookNode) -> str:
    notebook = copy.deepcopy(solved)
    for exercise, wrote in student.wrote.items():
        cell = _cell(notebook, exercise)
        cell.source = wrote.code(of, exercise, cell.source) if wrote else _cell(released, exercise).source
    if student.helpers:
        notebook.cells.append(v4.new_code_cell(answer_in(of, student.helpers), id="my-helpers"))
    if student.quirk:
        _QUIRKS[student.quirk](notebook)
    return notebook_text(notebook)


def _cell(notebook: NotebookNode, exercise: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == exercise_cell_id(exercise))


def _expected(student: Student, of: Chapter) -> dict[str, Any]:
    points = {name: student.lost.get(name, exercise.points) for name, exercise in of.exercises.items()}
    return {
        "about": student.about,
        "points": sum(points.values()),
        "exercises": points,
        "mistakes": student.mistakes,
    }


def _noisy_outputs(notebook: NotebookNode) -> None:
    """Add warnings, a progress bar and a plot below the cells, as real work leaves them behind."""
    outputs = [
        v4.new_output("stream", name="stderr", text="I0000 cuda drivers not found\nWARNING: deprecated\n"),
        v4.new_output("stream", name="stdout", text="\r  0%|          | 0/10\r100%|##########| 10/10\n"),
        v4.new_output("display_data", data={"image/png": _picture(), "text/plain": "<Figure>"}),
    ]
    for count, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
        cell.execution_count = count
        cell.outputs = copy.deepcopy(outputs)
    notebook.cells.insert(3, v4.new_code_cell("import warnings\nwarnings.warn('only a warning')", id="mine-1"))
    plot = "%matplotlib inline\nimport matplotlib.pyplot as plt\n\nplt.plot([1, 2, 3]);"
    notebook.cells.append(v4.new_code_cell(plot, id="mine-2"))


def _picture() -> str:
    """A PNG of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    header = (1).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])
    pixel = zlib.compress(bytes([0, 128]))
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
    return base64.b64encode(png).decode()


def _ids_stripped(notebook: NotebookNode) -> None:
    """Change a notebook as Colab does when it saves: nbformat 4.0, no cell ids, none of nbgrader's or our metadata."""
    notebook.nbformat_minor = 0
    notebook.metadata = NotebookNode(
        colab={"provenance": []},
        kernelspec={"name": "python3", "display_name": "Python 3"},
        language_info={"name": "python"},
    )
    for number, cell in enumerate(notebook.cells):
        del cell["id"]
        cell.metadata = NotebookNode(id=f"Zk{number:010d}")


_QUIRKS = {"noisy_outputs": _noisy_outputs, "ids_stripped": _ids_stripped}
