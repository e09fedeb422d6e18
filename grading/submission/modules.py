"""Modules of the student's own beside a notebook, `my_answers.py`: read if the notebook imports them.

Such a module becomes the notebook's first cell, as if a cell had written it with `%%writefile`. From there on it is
read like any other cell, with the same limits and rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from grading.messages import Message
from grading.submission.content import as_utf8, printable, readable
from grading.submission.notebook import Cell, DamagedSubmission, Notebook

MOST_BYTES = 1_000_000  # of one module; more code is not read of a whole notebook
MOST_MODULES = 50  # in one submission
_MODULE = re.compile(r"\.py$", re.IGNORECASE)
_IMPORT = re.compile(
    r"""^[ \t]*+(?: from[ \t]++(\w++)[ \t]++import | import[ \t]++([^\n#;]++)
    # %run answers.py, which runs the file among the notebook's names, also as a kernel's history has it
    | (?:%run[ \t]++ | get_ipython\(\)\.run_line_magic\('run',[ ]')(?:-\w[ \t]++)*+(?:\./)?(\w++)\.py)""",
    re.MULTILINE | re.VERBOSE,
)
_AGAIN = re.compile(r"-\d+(?=\.py\Z)")  # Canvas numbers files that were handed in again
_NOT_STUDENTS = {"course", "grading", "my_bert"}


def is_module_name(name: str) -> bool:
    """Whether a file's name is that of a Python module."""
    return _MODULE.search(name) is not None


def with_modules(
    notebook: Notebook, files: Mapping[str, bytes | DamagedSubmission], *, own_names: bool = False
) -> Notebook:
    """The notebook with the modules that it imports from its own folder, and a note on each.

    Args:
        files: the submission's modules, or why they cannot be read, by their paths as the notebook's own is given.
        own_names: whether the files have the modules' names, as at home, and no system has renamed them.
    """
    folder = PurePosixPath(notebook.path_in_submission).parent
    beside = {path: data for path, data in files.items() if PurePosixPath(path).parent == folder}
    cells: list[Cell] = []
    notes: list[str] = []
    waiting = list(_imported("\n".join(cell.source for cell in notebook.cells if cell.kind == "code")))
    seen = set(_NOT_STUDENTS)
    while waiting and beside:
        name = waiting.pop(0)
        fitting = [each for each in beside if not own_names or PurePosixPath(each).name == f"{name}.py"]
        path = None if name in seen else _file_of(name, fitting)
        seen.add(name)
        if path is None:
            continue
        text = _text(beside[path])
        if isinstance(text, DamagedSubmission):
            why = Message.of(str(text))
            notes.append(
                Message("{file}, which the notebook imports, could not be read: {why}", file=printable(path), why=why)
            )
            continue
        notes.append(
            Message(
                "{file} was read as cell {cell}, because the notebook imports it",
                file=printable(path),
                cell=-len(cells),
            )
        )
        cells.append(Cell("", "code", f"%%writefile {name}.py\n{text}", -len(cells)))
        waiting += _imported(text)
    return replace(notebook, cells=(*reversed(cells), *notebook.cells), notes=(*notebook.notes, *notes))


def _imported(source: str) -> Iterator[str]:
    """The names of the modules that a text imports."""
    for found in _IMPORT.finditer(source):
        for name in (found[2] or found[1] or found[3]).split(","):
            yield name.split()[0] if name.split() else ""


def _file_of(name: str, paths: list[str]) -> str | None:
    """The file of a module. Systems put the student and other things before its name, as in `smith_1_2_answers.py`."""
    ends = re.compile(rf"(?:.*[ _])?{re.escape(name)}\.py", re.DOTALL | re.IGNORECASE)
    fitting = [path for path in paths if ends.fullmatch(_AGAIN.sub("", PurePosixPath(path).name))]
    return min(fitting, key=lambda path: (len(path), path), default=None)


def _text(data: bytes | DamagedSubmission) -> str | DamagedSubmission:
    return data if isinstance(data, DamagedSubmission) else readable(as_utf8(data)[0].decode(errors="grading.windows"))
