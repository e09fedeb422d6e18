"""The numbers for chapter 14's plot of the rankers on Cranfield: their quality and their latency."""

from __future__ import annotations

import re
from typing import Any

from course.applications.retrieval.recorded_results import RANKERS_FILE
from course.storage.packed import write_packed

_KNOWN_AS = {"dssm": "DSSM", "maxsim": "MaxSim"}


def keep_drawn(rankers: dict[str, Any]) -> None:
    """Writes the numbers of the lesson's plot, from the results of `recipes/cranfield_rankers.py`."""
    write_packed(RANKERS_FILE, drawn(rankers))


def drawn(rankers: dict[str, Any]) -> dict[str, dict[str, float]]:
    """nDCG@10 with its interval, and the latency, by each ranker's usual name."""
    return {
        re.sub("|".join(_KNOWN_AS), lambda match: _KNOWN_AS[match[0]], name): {
            "nDCG@10": result["nDCG@10"]["value"],
            "from": result["nDCG@10"]["low"],
            "to": result["nDCG@10"]["high"],
            "ms a query": result["CPU ms a query"],
        }
        for name, result in rankers.items()
    }
