"""Equivalent mutants, which are as right as the reference, each with the reason.

The file `equivalent_mutants.toml` beside a chapter's checks lists them, and another one in `grading/exercises` lists
those of all chapters. If several mutants share a reason, `…` stands for the parts in which they differ.

[[equal]]
exercise = "gelu"
reason = "a sum does not depend on the order of its terms"
mutants = ["gelu: return 0.5 * x * (1.0 + ops.…) -> return 0.5 * x * (ops.… + 1.0)"]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from grading.judging.exercise import Chapter
from grading.mutants.making import Mutant
from grading.storage.project import PROJECT
from grading.storage.reasons import reasoned_entries

_KEYS = {"exercise", "reason", "mutants"}
_ANYTHING = "…"


@dataclass(frozen=True)
class Equal:
    """One or more equivalent mutants.

    Attributes:
        exercise: the name of an exercise, or `…` for any.
        change: the `change` of a mutant, with `…` for anything.
        reason: why this makes no difference.
    """

    exercise: str
    change: str
    reason: str

    def covers(self, mutant: Mutant) -> bool:
        return _fits(self.exercise, mutant.exercise) and _fits(self.change, mutant.change)


def _fits(pattern: str, text: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split(_ANYTHING))), text, re.DOTALL) is not None


def equivalent_mutants(of: Chapter) -> list[Equal]:
    """The equivalent mutants of a chapter, those listed for all chapters included.

    Raises:
        GradingError: a file does not have the format described above.
    """
    own = read_equal(equal_path(of))
    of.require(one.exercise for one in own if one.exercise != _ANYTHING)
    return [*read_equal(EVERYWHERE), *own]


def unused(known: Iterable[Equal], made: Collection[Mutant]) -> list[Equal]:
    """The entries that match no mutant."""
    return [one for one in known if not any(map(one.covers, made))]


EVERYWHERE = PROJECT / "grading" / "exercises" / "equivalent_mutants.toml"


def equal_path(of: Chapter) -> Path:
    return EVERYWHERE.parent / of.package / EVERYWHERE.name


def read_equal(path: Path) -> list[Equal]:
    if not path.exists():
        return []
    return [
        Equal(entry["exercise"], change, entry["reason"])
        for entry in reasoned_entries(path, "equal", _KEYS)
        for change in entry["mutants"]
    ]
