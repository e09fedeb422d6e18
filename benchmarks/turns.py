"""Runs contenders in turns, each in its own process, so that a temporary slowdown of the machine affects all of them.

A contender is a function that prepares its work and returns a function that does it once. The benchmark calls this
function repeatedly, and it returns how much it did. Separate processes let peers use other libraries, and measure the
memory of each.
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

# The function names of ours and theirs, and how many times as fast ours should be.
Goal = tuple[str, str, float]

# Does the work once, and returns how much it did, in the unit of the benchmark.
Work = Callable[[], float]


@dataclass
class Times:
    """The measurements of a contender.

    Attributes:
        speeds: the amount of work per second, for each turn.
        megabytes: the peak memory of its process.
        device_megabytes: its peak memory on a GPU, if its module reports that.
    """

    speeds: list[float] = field(default_factory=list)
    megabytes: float = 0.0
    device_megabytes: float = 0.0

    @property
    def speed(self) -> float:
        """The median speed."""
        return statistics.median(self.speeds)


def take_turns(
    module: str, goals: Sequence[Goal], turns: int, environment: dict[str, str] | None = None
) -> dict[str, Times]:
    """Runs all contenders of some goals, one after the other, for several rounds.

    Args:
        module: the name of the module whose functions are the contenders; each returns its `Work`.
        goals: the comparisons.
        turns: how many turns each has, after one for warm-up.
        environment: environment variables for their processes.
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
    """A row for each goal: the two contenders, their speeds and the ratio, and whether it meets the goal.

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
        while not (line := process.stdout.readline()).startswith("{"):  # skips what libraries print
            if not line:
                raise EOFError
    except (BrokenPipeError, EOFError):
        raise SystemExit(f"{name} ended by itself; run `python -m benchmarks.turns MODULE {name}` to see why") from None
    return json.loads(line)


def _serve(module: str, name: str) -> None:
    """Does the work once per input line, and prints the amount, the time and the memory."""
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
