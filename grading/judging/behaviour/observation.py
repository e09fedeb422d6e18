"""A true statement about what the student's code does, and a question that it raises."""

from __future__ import annotations

from dataclasses import dataclass

# Fewer numbers than this may agree by chance.
ENOUGH = 6


@dataclass(frozen=True)
class Observation:
    """What was seen, as a student is told it. Two that say the same are one, in whichever check they were seen.

    Attributes:
        sentence: what the code does. It is true whatever the mistake is, and names none.
        question: what to look at.
    """

    sentence: str
    question: str


# How many numbers speak for an observation.
Seen = dict[Observation, int]


def in_all(seen: list[Seen]) -> Seen:
    """What was seen everywhere, with all that speaks for it."""
    if not seen:
        return {}
    everywhere = [observation for observation in seen[0] if all(observation in other for other in seen)]
    return {observation: sum(other[observation] for other in seen) for observation in everywhere}
