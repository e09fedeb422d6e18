"""The hunt's findings. A file lists those that are no leak, each with the reason:

[[found]]
by = "behaviour"
exercise = "accuracy"
reason = "chapter 8 counts with it, and students have already written that chapter"
callables = ["course.classification.accuracy"]
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from grading.storage.reasons import reasoned_entries

BEHAVIOUR, SHAPE = "behaviour", "shape"
KNOWN = Path(__file__).with_name("findings.toml")
# Kind, exercise, callable.
Key = tuple[str, str, str]
_KEYS = {"by", "exercise", "reason", "callables"}


@dataclass(frozen=True)
class Finding:
    """A callable that solves an exercise, or is built like its answer.

    Attributes:
        by: `BEHAVIOUR` or `SHAPE`.
        exercise: the exercise's name.
        held: the callable's dotted name.
        share: the part of the points that it earns, or of the answer's runs that it shares, 0 to 1.
        written: the call as a student would write it.
    """

    by: str
    exercise: str
    held: str
    share: float
    written: str

    @property
    def key(self) -> Key:
        """The key under which the file lists it."""
        return self.by, self.exercise, self.held


def read_known(path: Path = KNOWN) -> dict[Key, str]:
    """The reasons why findings are no leak, by the findings' keys.

    Raises:
        GradingError: the file does not have the format described above.
    """
    return {
        (entry["by"], entry["exercise"], held): entry["reason"]
        for entry in reasoned_entries(path, "found", _KEYS)
        for held in entry["callables"]
    }


def unlisted(findings: Collection[Finding], known: Collection[Key]) -> list[Finding]:
    """The findings without a reason."""
    return [finding for finding in findings if finding.key not in known]


def outdated(findings: Collection[Finding], known: Collection[Key]) -> list[Key]:
    """The keys that are listed but no longer found."""
    return sorted(set(known) - {finding.key for finding in findings})
