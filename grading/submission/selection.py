"""Which chapter a notebook is of, and which of a student's notebooks is graded."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from grading.submission.notebook import DamagedSubmission, Notebook

# The names of each chapter's exercises, by the chapter's number.
ExerciseNames = Mapping[int, Collection[str]]
_MOST_NAMED = 8


def select_notebook(
    notebooks: Iterable[Notebook], number: int, exercises: ExerciseNames, is_attempted: Callable[[Notebook], bool]
) -> Notebook:
    """The notebook of that chapter among those that a student handed in.

    Args:
        is_attempted: whether anything in a notebook was written by a student. The untouched original is often handed
            in, too; it is set aside, with a note.

    Raises:
        DamagedSubmission: none of them is, or several are that hold different code. Which of them counts, and whether
            they are one student's at all, is not guessed.
    """
    belongs = {notebook: chapter_of(notebook, exercises) for notebook in notebooks}
    different: dict[tuple[str, ...], Notebook] = {}
    for notebook, found in belongs.items():
        if found == number:
            different.setdefault(tuple(cell.source for cell in notebook.cells if cell.kind == "code"), notebook)
    if different:
        return _only([*different.values()], number, is_attempted)
    given = "; ".join(
        f"{notebook.path_in_submission} is of {f'chapter {found}' if found else 'no chapter that is known here'}"
        for notebook, found in belongs.items()
    )
    raise DamagedSubmission(f"there is no notebook of chapter {number}: {given}")


def _only(different: list[Notebook], number: int, is_attempted: Callable[[Notebook], bool]) -> Notebook:
    if len(different) == 1:
        return different[0]
    attempted = [notebook for notebook in different if is_attempted(notebook)]
    if len(attempted) > 1:
        raise DamagedSubmission(
            f"there are {len(attempted)} notebooks of chapter {number} that differ, and nothing says which of them"
            f" counts, or that one student wrote them: {_named(attempted)}; leave one"
        )
    counting = attempted[0] if attempted else different[0]
    aside = [notebook for notebook in different if notebook is not counting]
    note = f"{counting.path_in_submission} was graded; no exercise is written in {_named(aside)}, set aside"
    return replace(counting, notes=(*counting.notes, note))


def _named(notebooks: list[Notebook]) -> str:
    return ", ".join(notebook.path_in_submission for notebook in notebooks[:_MOST_NAMED])


def chapter_of(notebook: Notebook, exercises: ExerciseNames) -> int | None:
    """The chapter of which a notebook defines most exercises; its own metadata decide only where it has none."""
    source = "\n".join(cell.source for cell in notebook.cells if cell.kind == "code")
    defined = set(re.findall(r"^[ \t]*+(?:async def|def|class)[ \t]++(\w+)", source, re.MULTILINE))
    defined |= set(re.findall(r"^(\w++)[ \t]*+=[^=]", source, re.MULTILINE))
    counts = {number: len(defined.intersection(names)) for number, names in exercises.items()}
    best = max(counts, key=lambda number: counts[number])
    return best if counts[best] else notebook.metadata_chapter
