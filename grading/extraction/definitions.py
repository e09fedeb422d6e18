"""Finds a notebook's definition of each exercise: its source, or why there is none."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from grading.extraction.attempts import Level
from grading.extraction.cells import MOST_CELL_CHARACTERS, Broken, parse, parse_cells
from grading.extraction.magics import written_module
from grading.extraction.slicing import Slicer
from grading.extraction.statements import read_statements
from grading.messages import Message
from grading.submission import Cell, Notebook

_MOST_NOTES = 20
_FUTURE = re.compile(r"^from __future__ import[^\n#]*\bannotations\b", re.MULTILINE)


@dataclass(frozen=True)
class ExerciseSource:
    """A notebook's definition of one exercise.

    Attributes:
        status: "found", "not attempted", "missing" or "syntax error".
        source: a module that defines the exercise's name and can be run by itself; "" if there is none.
        builds_on: the exercises before it to which it refers.
        alone: the source without these, to be run where they are defined.
        problem: why the status is not "found", for the student; "" if it is.
        unknown: names that it refers to and that no cell defines.
        is_partial: whether it is a class with methods that are not written; a lesson may have given the others.
    """

    name: str
    status: str
    source: str = ""
    builds_on: tuple[str, ...] = ()
    alone: str = ""
    problem: str = ""
    unknown: tuple[str, ...] = ()
    is_partial: bool = False


@dataclass(frozen=True)
class Extraction:
    """A notebook's definitions of the exercises by name, and notes on text that could not be read as code."""

    exercises: dict[str, ExerciseSource]
    notes: tuple[str, ...]


def extract(notebook: Notebook, exercises: Mapping[str, str], *, has_run: bool = False) -> Extraction:
    """Cut the exercises' definitions out of a notebook, each with everything that it refers to and nothing else.

    A definition in the exercise's own cell comes first. If that cell is missing, occurs twice, or does not attempt the
    definition, the last complete definition in any cell counts.

    Args:
        notebook: a notebook from `read_notebooks`.
        exercises: for each exercise's name, the id of its cell; in the lesson's order.
        has_run: whether the cells are those that a kernel has run, in that order, so that the latest bindings count.
    """
    code = _code_cells(notebook.cells, exercises)
    parsed, broken, notes = parse_cells(code, set(exercises.values()))
    written = {module for cell in code if (module := written_module(cell.source)) is not None}
    statements, more_notes = read_statements(parsed, written, exercises)
    notes += more_notes
    notes += [
        Message("cell {cell}, line {line}: {error}", cell=each.cell.index, line=each.line, error=each.message)
        for each in broken
    ]
    if len(notes) > _MOST_NOTES:
        notes[_MOST_NOTES:] = [Message("and {number} notes more", number=len(notes) - _MOST_NOTES)]

    by_id: dict[str, list[Cell]] = {}
    for cell in code:
        by_id.setdefault(cell.id, []).append(cell)
    own_cells = {name: _only(by_id.get(cell_id, [])) for name, cell_id in exercises.items()}
    slicer = Slicer(statements, own_cells, has_run=has_run)
    future = "from __future__ import annotations\n\n" if any(_FUTURE.search(each.text) for each in parsed) else ""
    names = list(exercises)
    found = {
        name: _exercise(name, names[:place], by_id.get(exercises[name], []), slicer, broken, future)
        for place, name in enumerate(names)
    }
    return Extraction(found, tuple(notes))


def _code_cells(cells: Iterable[Cell], exercises: Mapping[str, str]) -> list[Cell]:
    """Code cells, and cells of another type that are an exercise's own, or contain its definition and only code."""
    ids = set(exercises.values())
    names = "|".join(re.escape(name) for name in exercises)
    defines = re.compile(rf"^(?:def|class)\s+(?:{names})\b", re.MULTILINE)
    return [
        cell
        for cell in cells
        if cell.kind == "code"
        or cell.id in ids
        or (
            len(cell.source) <= MOST_CELL_CHARACTERS
            and defines.search(cell.source)
            and isinstance(parse(cell.source), ast.Module)
        )
    ]


def _only(cells: list[Cell]) -> Cell | None:
    return cells[0] if len(cells) == 1 else None


def _exercise(
    name: str, before: Collection[str], own_cells: list[Cell], slicer: Slicer, broken: Collection[Broken], future: str
) -> ExerciseSource:
    own = _only(own_cells)
    definition = slicer.definition(name)
    level = slicer.level(definition, name) if definition is not None else Level.RESULT
    error = next((each for each in broken if name in each.names), None)
    if error is None and own is not None:
        error = next((each for each in broken if each.cell.index == own.index), None)
    is_attempted = level >= Level.VALUE or level is Level.IMPORTED
    if error is not None and not is_attempted:
        place = Message("cell {cell}, line {line}", cell=error.cell.index, line=error.line)
        return ExerciseSource(
            name, "syntax error", problem=Message("{error} ({place})", error=error.message, place=place)
        )
    if definition is None:
        return ExerciseSource(name, "missing", problem=Message("no cell defines {name}", name=name))

    cut = slicer.slice(name)
    alone = slicer.slice(name, given=before) if set(cut.uses).intersection(before) else cut
    builds_on = tuple(other for other in before if other in alone.uses)
    problem = ""
    if not is_attempted:
        problem = (
            Message("{name} is imported from the course", name=name)
            if level is Level.GIVEN
            else Message("{name} is not written yet", name=name)
        )
    status = "found" if is_attempted else "not attempted"
    return ExerciseSource(
        name,
        status,
        future + cut.source,
        builds_on,
        future + alone.source,
        problem,
        cut.unknown,
        is_partial=level is Level.PARTIAL,
    )
