"""Runs the parts of a recipe in order, and skips those that an earlier start has finished."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from recipes.stopwatch import Stopwatch


def run_stages(stages: Mapping[str, list[str]], times: Path) -> dict[str, float]:
    """Runs each part that is not finished, and exits with a message if one fails.

    Args:
        stages: the arguments of `python -m course` for each part, in their order.
        times: the file with the finished parts and the time that each took; their outputs are in the same folder.

    Returns:
        The seconds of each part.
    """
    stopwatch, console = Stopwatch(times), Console(stderr=True)
    for stage, arguments in stages.items():
        if stage in stopwatch.finished:
            continue
        console.rule(stage)
        if not stopwatch.run(stage, [sys.executable, "-m", "course", *arguments]):
            raise SystemExit(f"{stage} failed; see the message above. Earlier results are kept in {times.parent}.")
    return stopwatch.seconds
