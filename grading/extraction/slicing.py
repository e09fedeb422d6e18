"""Selects the statements that an exercise's definition needs, and an order in which they can run."""

from __future__ import annotations

import builtins
import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from grading.extraction.attempts import Level
from grading.extraction.bindings import Bindings
from grading.extraction.scopes import Names
from grading.extraction.statements import Block, Statement
from grading.submission import Cell

_ALWAYS_THERE = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}
# Of these, NumPy, keras.ops and TensorFlow have their own, which `import *` puts in front.
_OFTEN_HIDDEN = {"abs", "all", "any", "bool", "map", "max", "min", "pow", "print", "range", "round", "slice", "sum"}


@dataclass(frozen=True)
class Slice:
    """An exercise's definition with all that it refers to.

    Attributes:
        source: a module's text.
        uses: other exercises that it refers to.
        unknown: names that it refers to and that no cell defines.
    """

    source: str
    uses: tuple[str, ...]
    unknown: tuple[str, ...]


class Slicer:
    """A notebook's statements, indexed by their names.

    Args:
        statements: in the notebook's order.
        own_cells: for each exercise, its own cell or None.
        has_run: whether the cells are those that a kernel has run, in that order.
    """

    def __init__(
        self, statements: Iterable[Statement], own_cells: Mapping[str, Cell | None], *, has_run: bool = False
    ) -> None:
        self._own_cells = own_cells
        self._has_run = has_run
        self._binders: dict[str, list[Statement]] = defaultdict(list)
        self._extenders: dict[str, list[Statement]] = defaultdict(list)
        self._classes: dict[str, list[Statement]] = defaultdict(list)
        self._star_imports: list[Statement] = []
        self._functions: set[str] = set()
        self._last_in_cell: dict[int, float] = {}
        self._checked_at: dict[str, list[float]] = defaultdict(list)
        for statement in statements:
            self._last_in_cell[statement.cell.index] = statement.order
            if statement.checks:
                self._checked_at[statement.checks].append(statement.order)
            for name in statement.names.binds:
                self._binders[name].append(statement)
                if statement.levels[name] is Level.DEFINED:
                    self._functions.add(name)
            for name in statement.names.extends:
                self._extenders[name].append(statement)
            for name in statement.methods:
                self._classes[name].append(statement)
            if statement.is_star_import:
                self._star_imports.append(statement)
        self._begin_of_last = max([-1.0, *list(self._last_in_cell.values())[:-1]])
        self._chosen = {name: self._choose(name) for name in own_cells}

    def definition(self, name: str) -> Statement | None:
        """The statement that counts as the exercise's definition, which may be a stub."""
        chosen = self._chosen[name]
        return chosen[-1] if chosen else None

    def level(self, statement: Statement, name: str) -> Level:
        """How much of a definition of `name` the statement is, in the context of its notebook."""
        level = statement.levels[name]
        if level is Level.STUB and statement.alias in self._functions:
            return Level.DEFINED
        if level is not Level.VALUE:
            return level
        names_function = statement.alias in self._functions
        return Level.DEFINED if names_function or self._is_own(statement, name) else Level.VALUE

    def slice(self, name: str, given: Collection[str] = ()) -> Slice:
        """The definition of an exercise, with everything that it refers to, directly or not.

        Args:
            name: the exercise.
            given: names that are defined before, so that neither they nor what only they refer to is included.
        """
        moment = self._moment(name)
        included: set[Statement] = set()
        bindings: dict[str, Bindings] = {}
        waiting = [(name, moment)]
        asked = set(waiting)

        def ask(names: Iterable[str], place: float) -> None:
            new = {(each, place) for each in names} - asked
            asked.update(new)
            waiting.extend(sorted(pair for pair in new if pair[0] not in given))

        while waiting:
            current, place = waiting.pop()
            if current not in bindings:
                bindings[current] = self._bindings(current)
            for statement in bindings[current].at(place):
                # A function called at this place sees the bindings so far; one only defined here sees later ones, too.
                called_at = place if statement.order < place else self._end_of_cell(statement)
                for part in (statement, *statement.heads):
                    ask(part.names.refers - part.names.eager, called_at)
                    if part not in included:
                        included.add(part)
                        ask(part.names.eager, part.order)
                        ask(part.names.refers - part.names.eager, max(moment, called_at))
        unknown = sorted(each for each, its in bindings.items() if its.is_empty and each not in _ALWAYS_THERE)
        may_be_hidden = any(bindings[each].is_empty for each in _OFTEN_HIDDEN & bindings.keys())
        for statement in self._star_imports:
            if unknown or (may_be_hidden and statement.hides):
                included.update((statement, *statement.heads))
        if self._star_imports:
            unknown = []  # one of these imports may define them
        referred = {each for each, _ in asked}
        uses = tuple(other for other in self._chosen if other != name and other in referred)
        return Slice(_text(included, bindings), uses, tuple(unknown))

    def _moment(self, name: str) -> float:
        """Return the place in the notebook at which an exercise's check calls the definition.

        The lesson's check cell, `check(name)`, is right below the exercise's cell. When a kernel reaches it, it has run
        every statement above and none below. So for each name that the definition uses, the latest binding above the
        check counts, and a demo below that reuses the name does not. If no check follows the definition, the moment is
        the end of the definition's cell.

        Of the cells that a kernel has run, the last is the one that calls the definition now.
        """
        defined_at = self._chosen[name][-1]
        end = math.nextafter(max(defined_at.order, self._end_of_cell(defined_at)), math.inf)
        after = defined_at.order
        if self._has_run:
            after, end = max(after, self._begin_of_last), math.inf
        return next((each for each in self._checked_at.get(name, []) if each > after), end)

    def _bindings(self, name: str) -> Bindings:
        extenders = self._extenders.get(name, [])
        if name in self._chosen:
            return Bindings(name, self._chosen[name], extenders, is_exercise=True)
        binders = self._binders.get(name, [])
        if all(each.is_import or self._is_library(each.alias) for each in binders):
            extenders = []  # `ops.sort(x)` changes nothing, whether `ops` is imported or `ops = keras.ops`
        return Bindings(name, binders, extenders)

    def _is_library(self, name: str | None) -> bool:
        binders = self._binders.get(name, []) if name else []
        return bool(binders) and all(each.is_import for each in binders)

    def _end_of_cell(self, statement: Statement) -> float:
        return math.nextafter(self._last_in_cell[statement.cell.index], math.inf)

    def _choose(self, name: str) -> list[Statement]:
        """The statements that define an exercise; the one that counts is the last."""
        candidates = [each for each in self._binders.get(name, []) if each.levels[name] > Level.RESULT]
        if not any(self.level(each, name) >= Level.VALUE for each in candidates):
            candidates = [*candidates, *self._in_classes(name)]
        in_block: dict[Block, list[Statement]] = defaultdict(list)
        for each in candidates:
            in_block[each.block].append(each)
        groups: list[list[Statement]] = []
        used: set[Block] = set()
        until = math.inf
        # The best first. Sorted only once, because each may change the one before it, as thousands of `x = x + 1` do.
        for best in sorted(candidates, key=lambda each: self._rank(each, name), reverse=True):
            if best.order >= until or best.block in used:
                continue
            # Both branches of an `if` define the name, and only running it tells which.
            others = [each for each in in_block[best.block] if each.order < until and each is not best]
            groups.append([*others, best])
            if name not in best.names.eager and not best.heads:
                break
            # It changes an earlier definition, as `attention = jit(attention)` and `class Layer(Layer)` do, or it is
            # conditional, so that an earlier one may count.
            until = best.order
            used.add(best.block)
        return [each for group in reversed(groups) for each in group]

    def _rank(self, statement: Statement, name: str) -> tuple[int, bool, bool, float]:
        """The sort key: complete over half written, own cell over others, code over prose, later over earlier."""
        is_own = self._is_own(statement, name) or self._changes_own(statement, name)
        return self.level(statement, name), is_own, statement.cell.kind == "code", statement.order

    def _is_own(self, statement: Statement, name: str) -> bool:
        own = self._own_cells.get(name)
        return own is not None and own.index == statement.cell.index

    def _changes_own(self, statement: Statement, name: str) -> bool:
        """Whether it changes what the own cell defines, as `class Layer(Layer)` does, and no check stands between."""
        own = self._own_cells.get(name)
        begin = self._last_in_cell.get(own.index, math.inf) if own else math.inf
        checks = self._checked_at.get(name, [])
        is_unchecked = bisect_right(checks, begin) == bisect_right(checks, statement.order)
        return begin < statement.order and is_unchecked and name in statement.names.eager

    def _in_classes(self, name: str) -> list[Statement]:
        """Definitions inside classes that are no exercises themselves, each assigned to a top-level name."""
        found = []
        for holder in self._classes.get(name, []):
            if holder.names.binds & self._own_cells.keys():
                continue
            text = f"{name} = {holder.methods[name]}"
            names = Names(frozenset({name}), holder.names.binds, holder.names.binds, frozenset())
            statement = replace(
                holder, names=names, block=Block(text), span=(0, len(text)), heads=(), order=holder.order + 0.5
            )
            statement.levels = {name: Level.DEFINED}
            statement.block.statements.append(statement)
            found.append(statement)
        return found


def _text(included: Collection[Statement], bindings: Mapping[str, Bindings]) -> str:
    """The statements as one module: in the notebook's order, except for those needed earlier."""
    blocks: dict[Block, list[Statement]] = defaultdict(list)
    for statement in sorted(included, key=lambda each: each.order):
        blocks[statement.block].append(statement)
    providers: dict[str, list[Block]] = defaultdict(list)
    for name, its in bindings.items():
        providers[name] = [each.block for each in sorted(its.given, key=lambda each: each.order)]
    placed = _in_order(blocks, providers)
    return "\n\n".join(block.rendered(included) for block in placed) + "\n"


def _in_order(blocks: Mapping[Block, list[Statement]], providers: Mapping[str, list[Block]]) -> list[Block]:
    """The blocks in their own order, except that a name's value comes before the blocks that need it.

    Args:
        blocks: the needed statements of each block.
        providers: for each name, the blocks that give it its value.
    """
    provided: dict[Block, list[str]] = defaultdict(list)
    for name, its_providers in providers.items():
        for block in its_providers:
            provided[block].append(name)
    placed: list[Block] = []
    entered: set[Block] = set()
    begun: set[str] = set()
    # A stack instead of recursion, because a hostile notebook could make that thousands of calls deep.
    waiting: list[Callable[[], None]] = []

    def enter(block: Block, is_early: bool) -> None:
        if block not in entered:
            entered.add(block)
            begun.update(provided[block])
            waiting.append(partial(placed.append, block))
            waiting.extend(partial(provide, name) for name in sorted(_names_before(blocks[block], is_early)))

    def provide(name: str) -> None:
        if name not in begun:
            waiting.extend(partial(enter, block, True) for block in reversed(providers[name]))

    for block in blocks:
        enter(block, False)
        while waiting:
            waiting.pop()()
    return placed


def _names_before(statements: list[Statement], is_early: bool) -> set[str]:
    """The names needed before the statements run; for a block moved forward, also those that its calls may need."""
    return {name for each in statements for name in (each.names.refers if is_early else each.names.eager)}
