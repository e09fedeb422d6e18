"""Says when a cell gives the name of a student's helper to something else: what has passed would no longer work."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any


class NamesTaken:
    """Remembers the helpers of what has passed, and looks after each cell whether they are still there."""

    def __init__(self) -> None:
        self._helpers: dict[str, dict[str, Any]] = {}
        self._notebook: Mapping[str, Any] = {}

    def remember(self, exercise: str, helpers: Mapping[str, Any], notebook: Mapping[str, Any]) -> None:
        """Keeps what the definition of an exercise uses when it has passed.

        Args:
            exercise: its name.
            helpers: functions and classes of the notebook, by name.
            notebook: all names of the notebook.
        """
        self._helpers[exercise] = dict(helpers)
        self._notebook = notebook

    def after_cell(self, result: Any) -> None:
        """Prints a line for each helper whose name a cell has taken; IPython calls this with the cell's result."""
        written = _written_anew(result.info.raw_cell)
        for exercise, helpers in self._helpers.items():
            for name in [name for name, value in helpers.items() if self._notebook.get(name) is not value]:
                del helpers[name]
                if name not in written:
                    print(_sentence(name, exercise))


def _sentence(name: str, exercise: str) -> str:
    return (
        f"✗ This cell gives the name {name} to something else, and your {exercise} needs {name} as you wrote it. "
        "Give your helper another name, run its cell and its check again, then this cell."
    )


def _written_anew(cell: str) -> set[str]:
    """The functions and classes that a cell defines at its top."""
    try:
        tree = ast.parse(cell)
    except SyntaxError:  # it has a line for the shell or the notebook, and defines nothing for the grader either
        return set()
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
