"""Contenders, each in a process of its own, that take turns: what slows the machine down for a while slows down all.

A contender is a function that makes ready and gives back a function that does its work once; this one is called again
and again, and may say how much it did. Peers need other libraries, and memory is measured a process at a time.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from grading.storage.project import PROJECT

# Ours, theirs, and how many times as fast as theirs ours shall be. Names are those of functions.
Goal = tuple[str, str, float]

# Does the work once, and says how much that was, in whatever is counted.
Work = Callable[[], float]


@dataclass
class Times:
    """What came of a contender.

    Attributes:
        speeds: of each turn, in what is counted a second.
        megabytes: the most memory that its process had.
        device_megabytes: the most memory of a card that it had, where its module says so.
    """

    speeds: list[float] = field(default_factory=list)
    megabytes: float = 0.0
    device_megabytes: float = 0.0

    @property
    def speed(self) -> float:
        """The median."""
        return statistics.median(self.speeds)


def take_turns(
    module: str, goals: Sequence[Goal], turns: int, environment: dict[str, str] | None = None
) -> dict[str, Times]:
    """Lets all contenders of some goals work, one after the other, for some rounds.

    Args:
        module: the name of the module that has them, each a function of this name that returns its `Work`.
        goals: who is to be compared.
        turns: how often each works. Once more comes before that, and does not count.
        environment: variables for their processes.
    """
    contenders = sorted({name for goal in goals for name in goal[:2]})
    variables = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", **(environment or {})}
    processes = {
        name: subprocess.Popen(
            [sys.executable, "-m", "benchmarks.turns", module, name],
            cwd=PROJECT,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for name in contenders
    }
    times = {name: Times() for name in contenders}
    try:
        for turn in range(turns + 1):
            for name, process in processes.items():
                answer = _ask(name, process)
                times[name].megabytes = answer["megabytes"]
                times[name].device_megabytes = answer["device_megabytes"]
                if turn:
                    times[name].speeds.append(answer["amount"] / answer["seconds"])
    finally:
        for process in processes.values():
            process.kill()
            process.communicate()
    return times


def goal_rows(times: dict[str, Times], goals: Sequence[Goal], unit: str) -> list[dict[str, Any]]:
    """For each goal a row: who against whom, both speeds, how many times as fast, and whether that is enough.

    The ratio is the median of the turns; its spread goes from the first to the third quartile.
    """
    rows = []
    for ours, theirs, goal in goals:
        ratios = [our / their for our, their in zip(times[ours].speeds, times[theirs].speeds, strict=True)]
        low, ratio, high = statistics.quantiles(ratios, n=4, method="inclusive")
        rows.append(
            {
                "contender": ours.replace("_", " "),
                "against": theirs.replace("_", " "),
                unit: times[ours].speed,
                f"their {unit}": times[theirs].speed,
                "times as fast": ratio,
                "spread": f"{low:.2f} - {high:.2f}",
                "goal": goal,
                "met": "yes" if ratio >= goal else "no",
                "MB": round(times[ours].megabytes),
                "their MB": round(times[theirs].megabytes),
            }
        )
    return rows


def _ask(name: str, process: subprocess.Popen[str]) -> dict[str, float]:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write("go\n")
        process.stdin.flush()
        while not (line := process.stdout.readline()).startswith("{"):  # libraries print what they like
            if not line:
                raise EOFError
    except (BrokenPipeError, EOFError):
        raise SystemExit(f"{name} ended by itself; run `python -m benchmarks.turns MODULE {name}` to see why") from None
    return json.loads(line)


def _serve(module: str, name: str) -> None:
    """Works whenever a line comes in, and says how long it took."""
    contenders = importlib.import_module(module)
    work: Work = getattr(contenders, name)()
    for _ in sys.stdin:
        start = time.perf_counter()
        amount = work()
        seconds = time.perf_counter() - start
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        on_card = getattr(contenders, "device_megabytes", float)()
        answer = {"amount": amount, "seconds": seconds, "megabytes": megabytes, "device_megabytes": on_card}
        print("\n" + json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve(*sys.argv[1:])
