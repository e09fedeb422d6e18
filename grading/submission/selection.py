"""Finds the chapter of a notebook, and selects which of a student's notebooks is graded."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from enum import IntEnum

from grading.messages import Message, in_turn
from grading.submission.notebook import DamagedSubmission, Notebook

# The names of each chapter's exercises, by the chapter's number.
ExerciseNames = Mapping[int, Collection[str]]
_MOST_NAMED = 8


class Attempt(IntEnum):
    """How much of an exercise is written in a notebook, at most."""

    NONE = 0
    PARTIAL = 1  # some methods of a class; in an untouched notebook, those that the lesson gives
    WHOLE = 2


def select_notebook(
    notebooks: Iterable[Notebook], number: int, exercises: ExerciseNames, attempt_in: Callable[[Notebook], Attempt]
) -> Notebook:
    """The notebook of a chapter among those in a submission.

    Args:
        attempt_in: how much is written in a notebook. Submissions often include the untouched original; what has less
            than another is set aside, with a note.

    Raises:
        DamagedSubmission: there is none, or there are several with different code. The grader does not guess which of
            them counts, or whether one student wrote them all.
    """
    # A student may have pasted the layers of earlier chapters into the notebook, and they may be more than its own.
    belongs = {
        notebook: number if _is_whole(notebook, number, exercises) else chapter_of(notebook, exercises)
        for notebook in notebooks
    }
    different: dict[tuple[str, ...], Notebook] = {}
    for notebook, found in belongs.items():
        if found == number:
            different.setdefault(tuple(cell.source for cell in notebook.cells if cell.kind == "code"), notebook)
    if different:
        return _only([*different.values()], number, attempt_in)
    given = in_turn(
        Message("{file} is of chapter {number}", file=notebook.path_in_submission, number=found)
        if found
        else Message("{file} is of no known chapter", file=notebook.path_in_submission)
        for notebook, found in belongs.items()
    )
    raise DamagedSubmission(Message("there is no notebook of chapter {number}: {given}", number=number, given=given))


def _only(different: list[Notebook], number: int, attempt_in: Callable[[Notebook], Attempt]) -> Notebook:
    if len(different) == 1:
        return different[0]
    attempts = {notebook: attempt_in(notebook) for notebook in different}
    most = max(attempts.values())
    attempted = [notebook for notebook, attempt in attempts.items() if attempt == most]
    if most and len(attempted) > 1:
        raise DamagedSubmission(
            Message(
                "there are {many} different notebooks of chapter {number}, and nothing says which of them counts, or"
                " that one student wrote them: {files}",
                many=len(attempted),
                number=number,
                files=_named(attempted),
            ),
            "leave one",
        )
    counting = attempted[0]
    aside = [notebook for notebook in different if notebook is not counting]
    note = Message(
        "{file} was graded; {others} was set aside: no exercise is complete there",
        file=counting.path_in_submission,
        others=_named(aside),
    )
    return replace(counting, notes=(*counting.notes, note))


def _named(notebooks: list[Notebook]) -> str:
    return ", ".join(notebook.path_in_submission for notebook in notebooks[:_MOST_NAMED])


def _is_whole(notebook: Notebook, number: int, exercises: ExerciseNames) -> bool:
    """Whether a notebook is a chapter's by its metadata and defines all of its exercises."""
    return notebook.metadata_chapter == number and _defined(notebook).issuperset(exercises[number])


def _defined(notebook: Notebook) -> set[str]:
    source = "\n".join(cell.source for cell in notebook.cells if cell.kind == "code")
    defined = set(re.findall(r"^[ \t]*+(?:async def|def|class)[ \t]++(\w+)", source, re.MULTILINE))
    return defined | set(re.findall(r"^(\w++)[ \t]*+=[^=]", source, re.MULTILINE))


def chapter_of(notebook: Notebook, exercises: ExerciseNames) -> int | None:
    """The chapter of most of a notebook's exercises; if it defines none, the one in its metadata."""
    defined = _defined(notebook)
    counts = {number: len(defined.intersection(names)) for number, names in exercises.items()}
    best = max(counts, key=lambda number: counts[number])
    return best if counts[best] else notebook.metadata_chapter
