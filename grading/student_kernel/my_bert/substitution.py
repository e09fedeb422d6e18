"""Lets a bundle's library work with what has passed: there, the chapter's own answers are taken out of it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grading.judging.exercise import Chapter, Exercise
from grading.student_kernel.my_bert.fallback import PACKAGE

# What stands in the library now, where it is no longer the blank that was released: by that blank.
_standing: dict[Any, Any] = {}


def put_in_place(exercise: Exercise, passed: Any) -> None:
    """From now on the library calls what has passed where it called the exercise's blank.

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
    """The same for all that is in `my_bert` already, as after a kernel's restart.

    A file that cannot be imported changes nothing: the library then says which exercise it misses.

    Args:
        chapter: a released chapter.
        folder: `my_bert`.
    """
    if not (folder / f"{chapter.package}.py").exists():
        return
    try:
        mine = importlib.import_module(f"{PACKAGE}.{chapter.package}")
    except Exception:  # whatever the student has made of the file
        return
    for name, exercise in chapter.exercises.items():
        kept = getattr(mine, name, exercise.reference)
        if kept is not exercise.reference:
            put_in_place(exercise, kept)


def _library() -> Iterable[Any]:
    """The modules of the course that have been imported. One that is imported later takes what stands in these."""
    return [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "course"]
