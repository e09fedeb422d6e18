"""Says in one line what a cell lacks: an exercise that is not written yet, or what a cell above could not make.

All other errors are shown as they are, with where they came from.
"""

from __future__ import annotations

import linecache
import re
import symtable
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from grading.errors import GradingError
from grading.exercises.registry import chapters, find
from grading.judging.error_meanings import BLANK_IN_THE_LIBRARY, BLANK_IN_THE_NOTEBOOK

_NOT_DEFINED = re.compile(r"name '(\w+)' is not defined")


def explain_what_is_missing(shell: Any) -> None:
    """From now on a notebook's shell says in one line what a cell lacks."""
    waiting: dict[str, str] = {}  # what cells that failed would have made, and why they could not

    def show(
        shell: Any, kind: type[Exception], error: Exception, traceback: TracebackType, tb_offset: int | None = None
    ) -> None:
        reason = _reason(error, waiting)
        if reason is None:
            shell.showtraceback((kind, error, traceback), tb_offset=tb_offset, running_compiled_code=True)
            return
        waiting.update(dict.fromkeys(_names_made_by(_failed_cell(traceback, shell.user_ns)), reason))
        shell._showtraceback(kind, error, [_sentence(error, reason)])

    shell.set_custom_exc((Exception,), show)


def _reason(error: Exception, waiting: dict[str, str]) -> str | None:
    """What has to be done first; None where the error is of another kind."""
    if missing := _missing_name(error):
        return waiting.get(missing) or _not_defined(missing)
    for text in map(str, _causes(error)):
        if found := BLANK_IN_THE_NOTEBOOK.search(text):
            return f"{found[1]} is not written yet. Write it, then run its check."
        if found := BLANK_IN_THE_LIBRARY.search(text):
            return f"{found[1]} has not passed its check yet. Write it, then run its check."
    return None


def _sentence(error: Exception, reason: str) -> str:
    missing = _missing_name(error)
    if missing and not reason.startswith(f"{missing} "):
        return f"✗ This cell needs {missing}, which a cell above did not make: {reason}"
    return f"✗ This cell cannot go on: {reason}"


def _missing_name(error: Exception) -> str | None:
    """The name that a NameError is about. Keras makes a new one, which says it in its text alone."""
    found = _NOT_DEFINED.search(str(error)) if isinstance(error, NameError) else None
    return found[1] if found else None


def _not_defined(name: str) -> str | None:
    try:
        find(name)
    except GradingError:
        imported = any(hasattr(sys.modules.get(chapter.module_name), name) for chapter in chapters().values())
        return f"{name} is not defined yet. Run the first code cell, then this one." if imported else None
    return f"{name} is not defined yet. Run the first code cell, then the one that defines {name}, then this one."


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _failed_cell(traceback: TracebackType | None, notebook: dict[str, Any]) -> str:
    """The text of the cell that was run, which is the outermost code in the notebook's own names."""
    while traceback is not None:
        if traceback.tb_frame.f_globals is notebook:
            return "".join(linecache.getlines(traceback.tb_frame.f_code.co_filename))
        traceback = traceback.tb_next
    return ""


def _names_made_by(cell: str) -> list[str]:
    symbols = symtable.symtable(cell, "cell", "exec").get_symbols()
    return [symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()]
