"""Writes the sample class: twenty notebooks from the released one, and a manifest of what each must get.

    python -m grading.sample_class.make

A test holds the files to what this writes, so that they follow when the lesson changes.
"""

from __future__ import annotations

import base64
import copy
import json
import zlib
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4

from grading.exercise import chapter
from grading.files import write_whole
from grading.lessons.answers import PROJECT
from grading.lessons.lesson import read_lesson
from grading.lessons.notebook import exercise_cell_id, make_notebooks, notebook_text
from grading.sample_class.students import STUDENTS, Student

FOLDER = Path(__file__).parent
_ANSWERS = FOLDER / "answers"
_LESSON = PROJECT / "notebooks" / "source" / "03_attention.md"


def sample_class() -> dict[str, str]:
    """Every file of the sample class by its path, with its content."""
    released, solved = make_notebooks(read_lesson(_LESSON))
    files = {f"submissions/{student.name}.ipynb": _handed_in(student, released, solved) for student in STUDENTS}
    manifest = {student.name: _expected(student) for student in STUDENTS}
    return {**files, "manifest.json": json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"}


def _handed_in(student: Student, released: NotebookNode, solved: NotebookNode) -> str:
    notebook = copy.deepcopy(solved)
    for exercise, wrote in student.wrote.items():
        cell = _cell(notebook, exercise)
        if wrote is None:
            cell.source = _cell(released, exercise).source
        elif isinstance(wrote, str):
            cell.source = (_ANSWERS / f"{wrote}.py").read_text().rstrip("\n")
        else:
            cell.source = _edited(student.name, cell.source, wrote)
    if student.quirk:
        _QUIRKS[student.quirk](notebook)
    return notebook_text(notebook)


def _cell(notebook: NotebookNode, exercise: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.id == exercise_cell_id(exercise))


def _edited(student: str, source: str, edits: list[tuple[str, str]]) -> str:
    for old, new in edits:
        if source.count(old) != 1:
            raise ValueError(f"{student}: the library's answer has {old!r} {source.count(old)} times; wanted once")
        source = source.replace(old, new)
    return source


def _expected(student: Student) -> dict[str, Any]:
    exercises = chapter(3).exercises
    points = {name: student.lost.get(name, exercise.points) for name, exercise in exercises.items()}
    return {
        "about": student.about,
        "points": sum(points.values()),
        "exercises": points,
        "mistakes": student.mistakes,
    }


def _noisy_outputs(notebook: NotebookNode) -> None:
    """Warnings, a progress bar and a plot below the cells, as they stay behind in real work."""
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


def _helper_cell(notebook: NotebookNode) -> None:
    """Helpers that the solution uses, in a cell of the student's own at the end of the notebook."""
    helper = (
        "def SCALE(width):\n    return 1 / math.sqrt(width)\n\n\n"
        "def stable_softmax(scores, mask):\n"
        "    if mask is not None:\n        scores = ops.where(mask, scores, VERY_SMALL)\n"
        "    scores = ops.exp(scores - ops.max(scores, axis=-1, keepdims=True))\n"
        "    return scores / ops.sum(scores, axis=-1, keepdims=True)\n\n\n"
        "VERY_SMALL = -1e9"
    )
    notebook.cells.append(v4.new_code_cell(helper, id="my-helpers"))


def _ids_stripped(notebook: NotebookNode) -> None:
    """As Colab saves it: nbformat 4.0, no cell ids, none of nbgrader's metadata, the course's gone."""
    notebook.nbformat_minor = 0
    notebook.metadata = NotebookNode(
        colab={"provenance": []},
        kernelspec={"name": "python3", "display_name": "Python 3"},
        language_info={"name": "python"},
    )
    for number, cell in enumerate(notebook.cells):
        del cell["id"]
        cell.metadata = NotebookNode(id=f"Zk{number:010d}")


_QUIRKS = {"noisy_outputs": _noisy_outputs, "helper_cell": _helper_cell, "ids_stripped": _ids_stripped}


def main() -> None:
    for path, content in sample_class().items():
        write_whole(FOLDER / path, content)


if __name__ == "__main__":
    main()
