"""Which observations are told first: what explains most of what failed, and says most of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from grading.judging.behaviour.observation import ENOUGH, Observation, Seen
from grading.judging.behaviour.sessions import Watching
from grading.judging.exercise import Check
from grading.judging.probing import Outcome


class Kind(IntEnum):
    """What an observation is of; the first says most."""

    VALUES = 0
    EXCHANGE = 1
    PART = 2
    DEPENDENCE = 3
    CONDITION = 4
    PLACES = 5


@dataclass(frozen=True)
class Observed:
    """What was observed.

    Attributes:
        observation: in words.
        explains: the keys of the checks in which it was seen.
        kind: what it is of.
    """

    observation: Observation
    explains: frozenset[str]
    kind: Kind


@dataclass
class Look:
    """A check that fails, looked at more closely.

    Attributes:
        is_looked_into: whether its inputs were changed.
        is_under_conditions: whether it was run under conditions.
        seen_in_parts: what holds of some part of its answer.
        seen: what holds of all of it; with `Kind.PART`, of which part.
    """

    check: Check
    outcome: Outcome
    wanted: Outcome
    watching: Watching
    parameters: dict[str, np.ndarray] = field(default_factory=dict)
    is_looked_into: bool = False
    is_under_conditions: bool = False
    seen_in_parts: set[Observation] = field(default_factory=set)
    seen: dict[Kind, Seen] = field(default_factory=lambda: {kind: {} for kind in Kind})


def ranked(looks: Sequence[Look], looked_into: Mapping[Kind, set[str]], comparable: set[str]) -> list[Observed]:
    """What explains half of the checks first, by its kind; of one kind, what explains most, then what was found first.

    Args:
        looks: what was seen.
        looked_into: in which checks each kind was looked for. What was seen in all of these explains the others, too.
        comparable: all checks that may be explained.
    """
    found: list[tuple[bool, int, int, int, Observed]] = []
    for kind in Kind:
        every = dict.fromkeys(observation for look in looks for observation in look.seen[kind])
        for place, observation in enumerate(every):
            keys = {look.check.key for look in looks if observation in look.seen[kind]}
            evidence = sum(look.seen[kind].get(observation, 0) for look in looks)
            if kind is Kind.VALUES:
                keys |= {look.check.key for look in looks if observation in look.seen_in_parts}
            if looked_into[kind] and keys >= looked_into[kind]:
                keys = comparable
            if evidence >= ENOUGH:
                is_rare = 2 * len(keys) < len(comparable)
                found.append((is_rare, kind, -len(keys), place, Observed(observation, frozenset(keys), kind)))
    return [observed for *_, observed in sorted(found, key=lambda entry: entry[:4])]
