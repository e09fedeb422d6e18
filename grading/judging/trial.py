"""What became of an exercise's checks in one place, before anything is said of it."""

from __future__ import annotations

from collections.abc import Callable
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
        beside: the earlier exercises that had to be the course's own for it to pass. What is wrong with the student's
            was counted there: one mistake is paid for once.
    """

    check: Check
    difference: Difference | None
    beside: tuple[str, ...] = ()

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


class Way(NamedTuple):
    """A way to run a solution.

    Attributes:
        place: defines it where the checks that count run, and returns that place.
        public: the same where the inputs are those that students know, so that what is said of a failed check holds
            nothing of hidden ones; None where none are hidden.
        given: the earlier exercises of which it uses the course's own definitions in place of the student's.
    """

    place: Callable[[], Place]
    public: Callable[[], Place] | None = None
    given: tuple[str, ...] = ()


@dataclass
class Trial:
    """What became of the checks of one exercise in one place."""

    place: Place
    layout_search: LayoutSearch = field(default_factory=LayoutSearch)
    results: dict[str, CheckResult] = field(default_factory=dict)
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    hopeless: Difference | None = None
    is_not_written: bool = False

    @property
    def passed(self) -> bool:
        return all(result.passed for result in self.results.values())

    def failed(self, check: Check) -> bool:
        """Whether the check was run, and failed."""
        return check.key in self.outcomes and not self.results[check.key].passed
