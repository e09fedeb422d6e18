"""What became of an exercise's checks in one place, before anything is said of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from grading.judging.comparison import Difference
from grading.judging.exercise import Check
from grading.judging.expectations import Expectations
from grading.judging.probing import Outcome
from grading.judging.proxies import Session
from grading.judging.weight_layouts import LayoutSearch


@dataclass(frozen=True, eq=False)
class CheckResult:
    """One check: what it was worth, what it earned, and what is wrong where it earned nothing.

    Attributes:
        follows: whether what came back is right for the student's own earlier definitions, which were marked
            already: one mistake is paid for once.
    """

    check: Check
    difference: Difference | None
    follows: bool = False

    @property
    def passed(self) -> bool:
        return self.difference is None

    @property
    def earned(self) -> float:
        return self.check.points if self.passed else 0.0


class Place(NamedTuple):
    """Where checks run, and what they compare with there."""

    session: Session
    expectations: Expectations


@dataclass
class Trial:
    """What became of the checks of one exercise in one place."""

    place: Place
    layout_search: LayoutSearch = field(default_factory=LayoutSearch)
    results: dict[str, CheckResult] = field(default_factory=dict)
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    hopeless: Difference | None = None
    is_not_written: bool = False

    def failed(self, check: Check) -> bool:
        """Whether the check was run, and failed."""
        return check.key in self.outcomes and not self.results[check.key].passed
