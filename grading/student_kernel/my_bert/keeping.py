"""Keeps a definition that has passed its check, as plain Python in the student's folder."""

from __future__ import annotations

import ast
import importlib
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from grading.errors import GradingError
from grading.extraction import ExerciseSource, extract
from grading.extraction.scopes import names_of
from grading.judging.exercise import Chapter, Exercise
from grading.messages import Message
from grading.storage.files import read_text, write_file
from grading.student_kernel.my_bert.fallback import PACKAGE
from grading.student_kernel.my_bert.merging import merge
from grading.submission import Cell, Notebook
from grading.submission.modules import MOST_MODULES, with_modules

# Names the folder in which definitions are kept; if it is empty, nothing is kept.
FOLDER_VARIABLE = "MY_BERT"

_INIT = '"""My BERT: what I wrote, and what has passed."""\n'
_MODULE = '''"""What I wrote in chapter {number}, {title}. I may read it and commit it.

A check that passes writes the notebook's version over a definition here, so I change my code in the notebook.
"""

from __future__ import annotations

from course.{module} import *  # what has not passed yet
'''


def kept_in() -> Path | None:
    """The folder in which definitions are kept, by default `my_bert` beside the notebook; None if none are kept."""
    if "NBGRADER_EXECUTION" in os.environ:
        return None
    folder = os.environ.get(FOLDER_VARIABLE, PACKAGE)
    return Path(folder) if folder else None


def keep(exercise: Exercise, chapter: Chapter, history: Iterable[str], folder: Path) -> Path:
    """Write a definition to the module of its chapter, with the imports and the other definitions that it needs.

    The rest of the module stays as it is, the student's changes included.

    Args:
        exercise: the exercise that has passed.
        chapter: its chapter.
        history: the cells that have been run, in order.
        folder: `my_bert`.

    Returns:
        The module's file.

    Raises:
        GradingError: no cell defines it, the module is no longer valid Python, or it cannot be written.
    """
    found = cut_from(history, chapter, exercise.name)
    if found.problem:
        raise GradingError(found.problem)
    if lacking := _lacking(found):  # such as what a call has set
        raise GradingError(Message("it refers to {name}, which no cell defines", name=lacking[0]))
    module = chapter.package
    path = folder / f"{module}.py"
    there = path.exists()
    text = read_text(path) if there else _MODULE.format(number=chapter.number, title=chapter.title, module=module)
    try:
        merged = merge(text, found.source)
    except SyntaxError as error:
        raise GradingError(
            Message(
                "{file}, line {line}: {error}; correct it and check again",
                file=str(path),
                line=str(error.lineno),
                error=error.msg,
            )
        ) from error
    if merged != text or not there:
        if not (folder / "__init__.py").exists():
            write_file(folder / "__init__.py", _INIT)
        write_file(path, merged)
        importlib.invalidate_caches()
    return path


def _lacking(found: ExerciseSource) -> list[str]:
    """The names that no cell defines, without those in annotations, which the module does not evaluate."""
    tree = ast.parse(found.source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
    needed = names_of(tree.body).refers
    return [name for name in found.unknown if name in needed]


def cut_from(history: Iterable[str], chapter: Chapter, name: str) -> ExerciseSource:
    """An exercise's definition, with all that it refers to, as grading would cut it out, and as the cells left it."""
    exercises = dict.fromkeys(chapter.exercises, "")
    return extract(_notebook(history, chapter), exercises, has_run=True).exercises[name]


def _notebook(history: Iterable[str], chapter: Chapter) -> Notebook:
    """The cells as a notebook, without cells whose exercises a later cell defines again."""
    latest: dict[object, str] = {}
    for number, source in enumerate(history):
        names = _exercises_in(source, chapter)
        latest.pop(names or number, None)
        latest[names or number] = source
    cells = (Cell(id="", kind="code", source=source, index=index) for index, source in enumerate(latest.values(), 1))
    notebook = Notebook("", tuple(cells), chapter.number, (), "")
    files: dict[str, bytes] = {}
    for path in sorted(Path().glob("*.py"))[:MOST_MODULES]:
        with suppress(OSError):  # what cannot be read is as if it were not there
            files[path.name] = path.read_bytes()
    return with_modules(notebook, files, own_names=True)


def _exercises_in(source: str, chapter: Chapter) -> tuple[str, ...]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ()
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    if any(node.name in _needed_at_once(node) for node in defined):
        return ()  # it changes an earlier cell's definition, as `class Layer(Layer)` does
    return tuple(node.name for node in defined if node.name in chapter.exercises)


def _needed_at_once(node: ast.FunctionDef | ast.ClassDef) -> frozenset[str]:
    """The names that a definition is made from. Its annotations may have its own name, and need no value."""
    return names_of([*node.decorator_list, *(node.bases if isinstance(node, ast.ClassDef) else ())]).refers
