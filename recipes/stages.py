"""The parts of a recipe, one after the other: what an earlier start has finished is not done again."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from recipes.stopwatch import Stopwatch


def run_stages(stages: Mapping[str, list[str]], times: Path) -> dict[str, float]:
    """Runs each part that is not finished, and ends with a message where one fails.

    Args:
        stages: the arguments of `python -m course` for each part, in their order.
        times: the file that says which parts are finished, and how long each took; beside it is what they made.

    Returns:
        The seconds of each part.
    """
    stopwatch, console = Stopwatch(times), Console(stderr=True)
    for stage, arguments in stages.items():
        if stage in stopwatch.finished:
            continue
        console.rule(stage)
        if not stopwatch.run(stage, [sys.executable, "-m", "course", *arguments]):
            raise SystemExit(f"{stage} failed, as it says above. What was done before is kept in {times.parent}.")
    return stopwatch.seconds
