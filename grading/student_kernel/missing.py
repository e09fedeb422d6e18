"""Shows in one line what a cell lacks: an exercise that is not written yet, or a name that a cell above did not make.

All other errors are shown unchanged, with their traceback.
"""

from __future__ import annotations

import linecache
import symtable
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import TracebackType
from typing import Any

from grading.errors import GradingError
from grading.exercises.registry import chapters, find
from grading.judging.error_meanings import BLANK_IN_THE_LIBRARY, BLANK_IN_THE_NOTEBOOK, NOT_DEFINED
from grading.messages import Message
from grading.student_kernel.language import said

# The value of an undefined name.
_NOTHING = object()


@dataclass(frozen=True)
class _Waiting:
    """A name that a cell would have made if it had not failed.

    Attributes:
        reason: why it failed.
        left: the name's value since then: `_NOTHING`, an older one, or one that is half made.
    """

    reason: str
    left: Any


def explain_what_is_missing(shell: Any) -> None:
    """Make a notebook's shell say in one line what a cell lacks."""
    waiting: dict[str, _Waiting] = {}

    def show(
        shell: Any, kind: type[Exception], error: Exception, traceback: TracebackType, tb_offset: int | None = None
    ) -> None:
        cell = _failed_cell(traceback, shell.user_ns)
        name, reason = _what_is_missing(error, cell, waiting, shell.user_ns)
        if reason is None:
            shell.showtraceback((kind, error, traceback), tb_offset=tb_offset, running_compiled_code=True)
            return
        waiting.update({made: _Waiting(reason, shell.user_ns.get(made, _NOTHING)) for made in _names(cell, _is_made)})
        shell._showtraceback(kind, error, [said()(_sentence(name, reason))])

    shell.set_custom_exc((Exception,), show)


def _what_is_missing(
    error: Exception, cell: str, waiting: Mapping[str, _Waiting], notebook: Mapping[str, Any]
) -> tuple[str | None, str | None]:
    """The name that a cell above did not make, if that is the reason, and what to do first.

    Both are None for errors of another kind.
    """
    if missing := _missing_name(error):
        return missing, waiting[missing].reason if missing in waiting else _not_defined(missing)
    for text in map(str, _causes(error)):
        if found := BLANK_IN_THE_NOTEBOOK.search(text):
            return None, Message("{name} is not written yet. Write it, then run its check.", name=found[1])
        if found := BLANK_IN_THE_LIBRARY.search(text):
            return None, Message("{name} has not passed its check yet. Write it, then run its check.", name=found[1])
    # If a cell above left a name half made, that cell must be corrected first.
    for name in _names(cell, symtable.Symbol.is_referenced):
        if name in waiting and notebook.get(name, _NOTHING) is waiting[name].left:
            return name, waiting[name].reason
    return None, None


def _sentence(missing: str | None, reason: str) -> Message:
    why = Message.of(reason)
    if missing and not reason.startswith(f"{missing} "):
        return Message("✗ This cell needs {name}, which a cell above did not make: {why}", name=missing, why=why)
    return Message("✗ This cell cannot go on: {why}", why=why)


def _missing_name(error: Exception) -> str | None:
    """The name in a NameError, from its text, because Keras raises a new error without the attribute."""
    found = NOT_DEFINED.search(str(error)) if isinstance(error, NameError) else None
    return found[1] if found else None


def _not_defined(name: str) -> str | None:
    try:
        find(name)
    except GradingError:
        imported = any(hasattr(import_module(chapter.module_name), name) for chapter in chapters().values())
        if not imported:
            return None
        return Message("{name} is not defined yet. Run the first code cell, then this one.", name=name)
    return Message(
        "{name} is not defined yet. Run the first code cell, then the one that defines {name}, then this one.",
        name=name,
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _failed_cell(traceback: TracebackType | None, notebook: dict[str, Any]) -> str:
    """The text of the cell that failed, which is the outermost frame in the notebook's namespace."""
    while traceback is not None:
        if traceback.tb_frame.f_globals is notebook:
            return "".join(linecache.getlines(traceback.tb_frame.f_code.co_filename))
        traceback = traceback.tb_next
    return ""


def _names(cell: str, are: Callable[[symtable.Symbol], bool]) -> list[str]:
    """The top-level names of a cell that fulfil a condition."""
    symbols = symtable.symtable(cell, "cell", "exec").get_symbols() if cell else []
    return [symbol.get_name() for symbol in symbols if are(symbol)]


def _is_made(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported()
