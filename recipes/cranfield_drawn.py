"""What chapter 14 draws of the rankers on Cranfield: their quality, and their time."""

from __future__ import annotations

import re
from typing import Any

from course.applications.retrieval.recorded_results import RANKERS_FILE
from course.storage.packed import write_packed

_KNOWN_AS = {"dssm": "DSSM", "maxsim": "MaxSim"}


def keep_drawn(rankers: dict[str, Any]) -> None:
    """Writes for the lesson what is drawn of the results of `recipes/cranfield_rankers.py`."""
    write_packed(RANKERS_FILE, drawn(rankers))


def drawn(rankers: dict[str, Any]) -> dict[str, dict[str, float]]:
    """nDCG@10, its interval and the time of each, by the name that people know it by."""
    return {
        re.sub("|".join(_KNOWN_AS), lambda match: _KNOWN_AS[match[0]], name): {
            "nDCG@10": one["nDCG@10"]["value"],
            "from": one["nDCG@10"]["low"],
            "to": one["nDCG@10"]["high"],
            "ms a query": one["CPU ms a query"],
        }
        for name, one in rankers.items()
    }
