"""Decides which statements an exercise's definition needs, and in which order they can run."""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from grading.definitions.attempts import Level
from grading.definitions.scopes import Names
from grading.definitions.statements import Block, Statement
from grading.submission import Cell

_ALWAYS_THERE = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}


@dataclass(frozen=True)
class Slice:
    """An exercise's definition with all that it refers to.

    Attributes:
        source: a module's text.
        uses: other exercises of which it includes the definitions.
        unknown: names that it refers to and that nothing in the notebook defines.
    """

    source: str
    uses: tuple[str, ...]
    unknown: tuple[str, ...]


class Slicer:
    """A notebook's statements by the names that they have to do with.

    Args:
        statements: in the notebook's order.
        own_cells: for each exercise, its own cell, or None where there is no such cell.
    """

    def __init__(self, statements: Iterable[Statement], own_cells: Mapping[str, Cell | None]) -> None:
        self._own_cells = own_cells
        self._binders: dict[str, list[Statement]] = defaultdict(list)
        self._extenders: dict[str, list[Statement]] = defaultdict(list)
        self._classes: dict[str, list[Statement]] = defaultdict(list)
        self._star_imports: list[Statement] = []
        for statement in statements:
            for name in statement.names.binds:
                self._binders[name].append(statement)
            for name in statement.names.extends:
                self._extenders[name].append(statement)
            for name in statement.methods:
                self._classes[name].append(statement)
            if statement.is_star_import:
                self._star_imports.append(statement)
        self._chosen = {name: self._choose(name) for name in own_cells}

    def definition(self, name: str) -> Statement | None:
        """The statement that counts as the exercise's definition, if only as a stub."""
        chosen = self._chosen[name]
        return chosen[-1] if chosen else None

    def level(self, statement: Statement, name: str) -> Level:
        """How much of a definition of `name` the statement is, seen in its notebook."""
        level = statement.levels[name]
        if level is not Level.VALUE:
            return level
        named = self._binders.get(statement.alias or "", [])
        names_function = any(other.levels[statement.alias or ""] is Level.DEFINED for other in named)
        return Level.DEFINED if names_function or self._is_own(statement, name) else Level.VALUE

    def slice(self, name: str) -> Slice:
        """The definition of an exercise, with all that it refers to, directly or not."""
        included: set[Statement] = set()
        unknown: list[str] = []
        seen: set[str] = set()
        waiting = [name]
        defined_at = max((each.order for each in self._chosen[name]), default=0.0)
        while waiting:
            current = waiting.pop()
            if current in seen:
                continue
            seen.add(current)
            needed = self._needed_for(current)
            if not needed and current not in _ALWAYS_THERE:
                unknown.append(current)
            if any(each.is_import and each.order < defined_at for each in needed):
                # Later cells may use an import's name for something else, as in `layers = [...]`.
                needed = [each for each in needed if each.is_import or each.order < defined_at]
            for statement in needed:
                for part in (statement, *statement.heads):
                    if part not in included:
                        included.add(part)
                        waiting += part.names.refers
        if unknown and self._star_imports:
            unknown = []  # one of these imports may bring them
            for statement in self._star_imports:
                included.update((statement, *statement.heads))
        uses = tuple(other for other in self._chosen if other != name and other in seen and self._chosen[other])
        return Slice(self._text(included), uses, tuple(sorted(unknown)))

    def _choose(self, name: str) -> list[Statement]:
        """The statements that define an exercise; the one that counts is the last."""
        candidates = [each for each in self._binders.get(name, []) if each.levels[name] > Level.RESULT]
        if not any(self.level(each, name) >= Level.VALUE for each in candidates):
            candidates += self._in_classes(name)
        chosen: list[Statement] = []
        while candidates:
            best = max(candidates, key=lambda each: self._rank(each, name))
            # Both branches of an `if` define the name, and only running it tells which.
            chosen = [each for each in candidates if each.block is best.block and each is not best] + [best, *chosen]
            if name not in best.names.eager and not best.heads:
                break
            # It changes an earlier definition, as `attention = jit(attention)` and `class Layer(Layer)` do, or it
            # stands under a condition, without which an earlier one holds.
            candidates = [each for each in candidates if each.order < best.order and each.block is not best.block]
        return chosen

    def _rank(self, statement: Statement, name: str) -> tuple[int, bool, bool, float]:
        """Complete over half written, the exercise's own cell over others, code over prose, later over earlier."""
        is_own = self._is_own(statement, name)
        return self.level(statement, name), is_own, statement.cell.kind == "code", statement.order

    def _is_own(self, statement: Statement, name: str) -> bool:
        own = self._own_cells.get(name)
        return own is not None and own.index == statement.cell.index

    def _in_classes(self, name: str) -> list[Statement]:
        """Definitions that stand in a class which is no exercise itself, each brought to the top by an assignment."""
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

    def _needed_for(self, name: str) -> list[Statement]:
        """The statements that make the name what it is when a definition uses it."""
        if name in self._chosen:
            binders = self._chosen[name]
        else:
            binders = self._binders.get(name, [])
            if any(each.levels[name] is Level.DEFINED for each in binders):
                # A function's name may be used again for a result once it has been called.
                binders = [each for each in binders if each.levels[name] not in (Level.VALUE, Level.RESULT)]
            binders = [each for each in binders if not each.is_loop] or binders
        if not binders or all(each.is_import for each in binders):
            return binders  # what changes a library's modules is no part of a definition
        first = min(each.order for each in binders)
        return binders + [each for each in self._extenders.get(name, []) if each.order > first]

    def _text(self, included: set[Statement]) -> str:
        """The statements as one module: in the notebook's order, except for what is needed before it comes."""
        blocks: dict[Block, list[Statement]] = defaultdict(list)
        for statement in sorted(included, key=lambda each: each.order):
            blocks[statement.block].append(statement)
        placed: list[Block] = []
        entered: set[Block] = set()
        for block in blocks:
            waiting = [(block, False, False)]
            while waiting:
                current, is_early, is_ready = waiting.pop()
                if is_ready:
                    placed.append(current)
                if current in entered:
                    continue
                entered.add(current)
                waiting.append((current, is_early, True))
                for name in sorted(_names_before(blocks[current], is_early)):
                    providers = [each.block for each in self._needed_for(name) if each in included]
                    if not entered.intersection(providers):
                        waiting += [(provider, True, False) for provider in reversed(providers)]
        texts = [block.rendered(included) for block in placed]
        return "\n\n".join(dict.fromkeys(texts)) + "\n"


def _names_before(statements: list[Statement], is_early: bool) -> set[str]:
    """What has to be there before the statements run; of what is pulled to the front, anything it may call as well."""
    return {name for each in statements for name in (each.names.refers if is_early else each.names.eager)}
