"""What the hunt finds, and what is known of it: findings that are no leak stand in a file, each with the reason.

[[found]]
by = "behaviour"
exercise = "accuracy"
reason = "it is what chapter 8 counts with, and that chapter comes before"
callables = ["course.classification.accuracy"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from grading.errors import GradingError
from grading.storage.files import read_text

BEHAVIOUR, SHAPE = "behaviour", "shape"
KNOWN = Path(__file__).with_name("findings.toml")
# Kind, exercise, callable.
Key = tuple[str, str, str]
_KEYS = {"by", "exercise", "reason", "callables"}


@dataclass(frozen=True)
class Finding:
    """A callable that does an exercise's work, or is built as its answer is.

    Attributes:
        by: whether its behaviour shows it, or its shape.
        exercise: the exercise's name.
        held: the callable's dotted name.
        share: the part of the points that it earns, or of the answer's runs that it shares: 0 to 1.
        written: how it would be called.
    """

    by: str
    exercise: str
    held: str
    share: float
    written: str

    @property
    def key(self) -> Key:
        """What it is listed under."""
        return self.by, self.exercise, self.held


def read_known(path: Path = KNOWN) -> dict[Key, str]:
    """The reasons why findings are no leak, by the findings' keys.

    Raises:
        GradingError: the file is not as described above.
    """
    try:
        entries = tomllib.loads(read_text(path)).get("found", [])
    except tomllib.TOMLDecodeError as error:
        raise GradingError(f"{path} is not TOML: {error}") from error
    reasons: dict[Key, str] = {}
    for number, entry in enumerate(entries, 1):
        if set(entry) != _KEYS or not entry["reason"].strip():
            raise GradingError(f"{path}, entry {number}: it has {sorted(entry)}; wanted {', '.join(sorted(_KEYS))}")
        for held in entry["callables"]:
            reasons[entry["by"], entry["exercise"], held] = entry["reason"]
    return reasons


def unlisted(findings: Collection[Finding], known: Collection[Key]) -> list[Finding]:
    """The findings without a reason."""
    return [one for one in findings if one.key not in known]


def outdated(findings: Collection[Finding], known: Collection[Key]) -> list[Key]:
    """What is listed and no longer found."""
    return sorted(set(known) - {one.key for one in findings})
