"""Makes sure that a checked definition is the notebook's latest: the last cell that defines it may have failed."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from collections.abc import Sequence
from typing import Any

from grading.errors import GradingError
from grading.messages import Message


def require_last_definition(implementation: Any, name: str, history: Sequence[str]) -> None:
    """Make sure that a definition comes from the last cell that defines it, and not from an earlier one.

    Args:
        implementation: the definition to check.
        name: the exercise.
        history: the cells that have been run, in order. If it is empty, nothing is known and nothing raised.

    Raises:
        GradingError: the last cell failed, so that an earlier definition is still in place.
    """
    last = next((cell for cell in reversed(history) if _defines(cell, name)), None)
    if last is None:
        return
    if error := _problem(last):
        raise GradingError(
            Message(
                "the last cell that defines {name} is not valid Python: {error}, line {line}. Correct and run it; "
                "until then, your earlier definition counts.",
                name=name,
                error=error.msg,
                line=str(error.lineno),
            )
        ) from error
    own = cell_of(implementation)
    # Of `name = decorated(name)`, the function itself stands in an earlier cell; of a wrapper, in the decorator's.
    are_comparable = _writes(own, name) and _writes(last, name)
    if are_comparable and own.strip() != last.strip() and any(own.strip() == cell.strip() for cell in history):
        raise GradingError(
            Message(
                "the last cell that defines {name} failed before it did so. Correct and run it; until then, your "
                "earlier definition counts.",
                name=name,
            )
        )


def cell_of(implementation: Any) -> str:
    """The text of the cell that defined a function or class; "" if unknown."""
    if isinstance(implementation, type):
        functions = [value for value in vars(implementation).values() if inspect.isfunction(value)]
    else:
        functions = [value for value in [inspect.unwrap(implementation)] if inspect.isfunction(value)]
    return "".join(linecache.getlines(functions[0].__code__.co_filename)) if functions else ""


def _defines(cell: str, name: str) -> bool:
    """Whether a cell means to define a name at its top level, even if it is not valid Python."""
    if _writes(cell, name) or re.search(rf"^{name}\s*=[^=]", cell, re.MULTILINE):
        return True
    # An invalid cell may still mean a definition, with a typo in its first word.
    slip = re.search(rf"^(?!assert|return|print|await|del)\w+\s+{name}\s*[(:]", cell, re.MULTILINE)
    return slip is not None and _problem(cell) is not None


def _writes(cell: str, name: str) -> bool:
    return re.search(rf"^(?:async def|def|class)\s+{name}\b", cell, re.MULTILINE) is not None


def _problem(cell: str) -> SyntaxError | None:
    """Why a cell is not valid Python, or None."""
    try:
        ast.parse(cell)
    except SyntaxError as error:
        return error
    return None
