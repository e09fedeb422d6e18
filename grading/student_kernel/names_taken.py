"""Warns when a cell reuses the name of a student's helper, because code that passed would no longer work."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from grading.messages import Message
from grading.student_kernel.language import said


class NamesTaken:
    """Remembers the helpers of passed exercises, and checks after each cell that they are still there."""

    def __init__(self) -> None:
        self._helpers: dict[str, dict[str, Any]] = {}
        self._notebook: Mapping[str, Any] = {}

    def remember(self, exercise: str, helpers: Mapping[str, Any], notebook: Mapping[str, Any]) -> None:
        """Remember the helpers that a passed definition uses.

        Args:
            exercise: the exercise's name.
            helpers: functions and classes of the notebook, by name.
            notebook: all names of the notebook.
        """
        self._helpers[exercise] = dict(helpers)
        self._notebook = notebook

    def after_cell(self, result: Any) -> None:
        """Print a line for each helper whose name a cell has reused. IPython calls this with the cell's result."""
        written = _written_anew(result.info.raw_cell)
        for exercise, helpers in self._helpers.items():
            for name in [name for name, value in helpers.items() if self._notebook.get(name) is not value]:
                del helpers[name]
                if name not in written:
                    print(said()(_sentence(name, exercise)))


def _sentence(name: str, exercise: str) -> Message:
    return Message(
        "✗ This cell uses the name {name} for something else, but your {exercise} needs your helper {name}. "
        "Rename your helper, run its cell and its check again, then this cell.",
        name=name,
        exercise=exercise,
    )


def _written_anew(cell: str) -> set[str]:
    """The functions and classes that a cell defines at its top level."""
    try:
        tree = ast.parse(cell)
    except SyntaxError:  # a cell with a magic or shell line
        return set()
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
