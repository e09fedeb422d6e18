"""Puts passed definitions into a bundle's library, from which the chapter's own answers have been removed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grading.judging.exercise import Chapter, Exercise
from grading.student_kernel.my_bert.fallback import PACKAGE

# The current replacement in the library of each released blank.
_standing: dict[Any, Any] = {}


def put_in_place(exercise: Exercise, passed: Any) -> None:
    """Make the library call a passed definition in place of the exercise's blank.

    Args:
        exercise: an exercise of a released chapter, whose reference is a blank.
        passed: the student's definition.
    """
    blank = exercise.reference
    before = _standing.get(blank, blank)
    for module in _library():
        for name, value in list(vars(module).items()):
            if value is before:
                setattr(module, name, passed)
    _standing[blank] = passed


def put_kept_in_place(chapter: Chapter, folder: Path) -> None:
    """Do the same with all definitions that are in `my_bert` already, for example after a kernel's restart.

    If the file cannot be imported, nothing changes: the library then says which exercise it misses.

    Args:
        chapter: a released chapter.
        folder: `my_bert`.
    """
    if not (folder / f"{chapter.package}.py").exists():
        return
    try:
        mine = importlib.import_module(f"{PACKAGE}.{chapter.package}")
    except Exception:  # the student may have changed the file in any way
        return
    for name, exercise in chapter.exercises.items():
        kept = getattr(mine, name, exercise.reference)
        if kept is not exercise.reference:
            put_in_place(exercise, kept)


def _library() -> Iterable[Any]:
    """The course's modules imported so far. One imported later takes its names from these."""
    return [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "course"]
