"""Whether what is checked is what the notebook says: the last cell that defines it may not have run to its end."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from collections.abc import Sequence
from typing import Any

from grading.errors import GradingError


def require_last_definition(implementation: Any, name: str, history: Sequence[str]) -> None:
    """Makes sure that a definition comes from the last cell that defines it, and not from one before.

    Args:
        implementation: what is to be checked.
        name: the exercise.
        history: the cells that have been run, in that order. It is empty where nobody keeps one; then nothing is known.

    Raises:
        GradingError: that cell has failed, so that an earlier definition still stands.
    """
    last = next((cell for cell in reversed(history) if _defines(cell, name)), None)
    if last is None:
        return
    if error := _problem(last):
        raise GradingError(
            f"the last cell that defines {name} is not Python: {error.msg}, line {error.lineno}. "
            "Mend it and run it; until then, what you defined before stands."
        ) from error
    own = cell_of(implementation)
    if own and own.strip() != last.strip() and any(own.strip() == cell.strip() for cell in history):
        raise GradingError(
            f"the last cell that defines {name} did not get that far. Mend it and run it; until then, what you "
            "defined before stands."
        )


def cell_of(implementation: Any) -> str:
    """The text of the cell in which a function or class was defined; "" where that cannot be told."""
    if isinstance(implementation, type):
        functions = [value for value in vars(implementation).values() if inspect.isfunction(value)]
    else:
        functions = [value for value in [inspect.unwrap(implementation)] if inspect.isfunction(value)]
    return "".join(linecache.getlines(functions[0].__code__.co_filename)) if functions else ""


def _defines(cell: str, name: str) -> bool:
    """Whether a cell means to define it at its top, even if it is not Python."""
    if re.search(rf"^(?:async def|def|class)\s+{name}\b|^{name}\s*=[^=]", cell, re.MULTILINE):
        return True
    # What is not Python may be a definition all the same, with a slip in its first word.
    slip = re.search(rf"^(?!assert|return|print|await|del)\w+\s+{name}\s*[(:]", cell, re.MULTILINE)
    return slip is not None and _problem(cell) is not None


def _problem(cell: str) -> SyntaxError | None:
    """Why a cell is not Python; None where it is."""
    try:
        ast.parse(cell)
    except SyntaxError as error:
        return error
    return None
