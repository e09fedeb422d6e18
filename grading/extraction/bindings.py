"""Finds the statements that give a name its value at a place, as in a kernel that ran the cells from top to bottom."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from grading.extraction.attempts import Level
from grading.extraction.statements import Statement


class Bindings:
    """The statements that give one name its value at different places of a notebook.

    Args:
        name: the name.
        binders: the statements that bind it, in the notebook's order.
        extenders: the statements that set attributes or items of its object, in the same order.
        is_exercise: whether the binders have been chosen as an exercise's definition, which is the same everywhere.

    Attributes:
        given: the statements that `at` has returned so far.
    """

    def __init__(
        self, name: str, binders: Iterable[Statement], extenders: Sequence[Statement], *, is_exercise: bool = False
    ) -> None:
        binders = list(binders)
        if any(each.levels[name] is Level.DEFINED for each in binders):
            # A function's name may be used again for a result once it has been called.
            binders = [each for each in binders if each.levels[name] > Level.RESULT or name not in each.names.eager]
        self._name = name
        self._binders = [each for each in binders if name not in each.counts] or binders
        self._extenders = extenders
        self.given: set[Statement] = set()
        # Only statements that change the definition, such as `half = jit(half)`, mean the definition before them.
        self._changed_at = {each.order for each in self._binders} if is_exercise else None

    @property
    def is_empty(self) -> bool:
        """Whether nothing in the notebook binds the name."""
        return not self._binders

    def at(self, place: float) -> list[Statement]:
        """Return the statements that make the name what it is at a place in the notebook.

        The latest binding before the place wins. If it is conditional or in a loop, the bindings before it are needed,
        too. If the notebook binds the name only below the place, its cells have been moved, and the first binding
        counts.

        Several calls together return all that is needed: a later call stops at statements that an earlier one returned.
        """
        if self._changed_at is not None and place not in self._changed_at:
            place = math.inf
        elif self._binders and self._binders[0].order >= place:
            place = self._end_of_first()
        needed = []
        for binder in _backwards(self._binders, place):
            needed.append(binder)
            if binder in self.given or not any(part.is_condition for part in (binder, *binder.heads)):
                break
        if not all(each.is_import for each in needed):  # changes of a library's modules are no part of a definition
            begin = needed[-1].order
            for extender in _backwards(self._extenders, place):
                if extender.order <= begin or extender in self.given:
                    break
                needed.append(extender)
        self.given.update(needed)
        return needed

    def _end_of_first(self) -> float:
        """The place at which another binding replaces the first one and its changes."""
        first = self._binders[0]
        others = (each for each in self._binders if each.block is not first.block)
        return next((each.order for each in others if self._name not in each.names.eager), math.inf)


def _backwards(statements: Sequence[Statement], place: float) -> Iterator[Statement]:
    """Yield the statements before a place, the latest first."""
    for index in range(bisect_left(statements, place, key=lambda each: each.order) - 1, -1, -1):
        yield statements[index]
