"""Hostile submissions in one class with honest neighbours: in this grader's sandbox, under nbgrader, and under Otter.

*Held* means: the submission earned no more points than its honest part deserves, and neither read nor reached the bait
that we laid out. In this grader, it also means that nothing in its record acts when it is displayed. The last row but
one concerns the class as a whole: honest neighbours that lose points, changed files, connections, markup on a page.
nbgrader and Otter get the released notebook beside this project with its answers, and only the attacks that may run
without a sandbox; there, the checks run in the student's own kernel. If a kernel dies, or a notebook takes longer than
five minutes, they give no marks at all, not even for the right answers in it.
`benchmarks/submissions/hostile` has every attack.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks import hostile_elsewhere
from benchmarks.otter import OtterMissing
from benchmarks.submissions.hostile.trial import Outcome, try_all

_Kinds = dict[str, list[Outcome]]


def measure() -> list[dict[str, Any]]:
    """A row for each kind of attack, and their sums."""
    with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        folders = {who: Path(name) / who for who in ("here", "nbgrader", "Otter")}
        for folder in folders.values():
            folder.mkdir()
        contenders = {"here": _kinds(try_all(folders["here"]))}
        # Each runs in its own process, because the canaries are in its environment.
        others = {who: executor.submit(hostile_elsewhere.UNDER[who], folders[who]) for who in hostile_elsewhere.UNDER}
        for who, outcomes in others.items():
            try:
                contenders[who] = _kinds(outcomes.result())
            except OtterMissing as error:
                print(f"{who} is left out: {error}", file=sys.stderr)
    return [_row(kind, contenders) for kind in contenders["here"]]


def _kinds(outcomes: list[Outcome]) -> _Kinds:
    kinds: _Kinds = defaultdict(list)
    for outcome in outcomes:
        kinds[outcome.attack.kind].append(outcome)
    kinds["all"] = [outcome for of_kind in kinds.values() for outcome in of_kind]
    return kinds


def _row(kind: str, contenders: dict[str, _Kinds]) -> dict[str, Any]:
    row: dict[str, Any] = {"what it does": kind}
    for who, kinds in contenders.items():
        outcomes = kinds.get(kind, [])
        without = [outcome for outcome in outcomes if hostile_elsewhere.NO_MARKS in outcome.faults]
        through = [outcome.attack.name for outcome in outcomes if outcome.faults and outcome not in without]
        row[f"tried {who}"] = len(outcomes)
        row[f"held {who}"] = len(outcomes) - len(without) - len(through)
        if who != "here":
            row[f"no marks, {who}"] = len(without)
        row[f"got through {who}"] = ", ".join(through)
    return row
