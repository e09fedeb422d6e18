"""Hostile submissions, graded in the real sandbox in one class with honest neighbours.

Held means: no point more than the honest part of it earns, nothing read or reached that was laid out for it to find,
and nothing in its record that does something where it is shown. The last kind is what the class as a whole must not
see: honest neighbours that lose points, files that are changed, connections, markup on a page.
`tests/grading/hostile` has every one of them.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.grading.hostile.trial import Outcome, try_all


def measure() -> list[dict[str, Any]]:
    """A row for each kind of attack, and their sums."""
    kinds: dict[str, list[Outcome]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for outcome in try_all(Path(folder)):
            kinds[outcome.attack.kind].append(outcome)
    rows = [_row(kind, outcomes) for kind, outcomes in kinds.items()]
    return [*rows, _row("all", [outcome for outcomes in kinds.values() for outcome in outcomes])]


def _row(kind: str, outcomes: list[Outcome]) -> dict[str, Any]:
    through = [outcome.attack.name for outcome in outcomes if outcome.faults]
    return {
        "what it does": kind,
        "tried": len(outcomes),
        "held": len(outcomes) - len(through),
        "got through": ", ".join(through),
    }
