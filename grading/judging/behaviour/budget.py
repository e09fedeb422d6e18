"""How much may be tried: counted, not timed, so that the same code is told the same on any machine."""

from __future__ import annotations

import math
import time

from grading.judging.behaviour.sessions import Arrays, Watching

# For most functions this is more than there is to look at and to try, for a whole BERT a handful of runs.
CALLS_TO_LOOK_AT, CALLS_TO_TRY, CALLS_UNDER_CONDITIONS = 24, 80, 60
# A student's code that takes so long all the same, because it sleeps, is left alone.
SECONDS = 15.0


class Budget:
    """What may be spent on runs of probes.

    Args:
        calls: how many calls of a plain function.
        seconds: after which nothing more is tried.
    """

    def __init__(self, calls: int, seconds: float = math.inf) -> None:
        self._left = calls
        self._until = time.monotonic() + seconds

    def pays(self, cost: int) -> bool:
        """Whether there is enough left for one more run, which is spent."""
        self._left -= cost
        return self._left >= 0 and time.monotonic() < self._until


def cost_of(watching: Watching, parameters: Arrays) -> int:
    """What one run of a probe costs: its calls, and more where a layer of many weights is called."""
    return max(len(watching.calls), 1) + len(parameters) // 4
