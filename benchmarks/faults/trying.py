"""Tries faults, and reuses the results of earlier runs on the same code."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.faults import in_grader, in_library
from benchmarks.faults.fault import Fault
from benchmarks.faults.trial import Tree
from grading.errors import GradingError
from grading.storage.files import write_file
from grading.storage.project import PROJECT

KEPT = PROJECT / "build" / "faults.json"
FAULTS = (*in_library.FAULTS, *in_grader.FAULTS)
_SHOWN = 3  # tests of each fault
Results = dict[str, dict[str, Any]]  # by the name of the fault


def measure() -> list[dict[str, Any]]:
    """A row for each fault, and the number that tests see."""
    results = try_all(Tree(PROJECT, Path(sys.executable)), FAULTS, KEPT)
    if problems := [f"{name}: {result['problem']}" for name, result in results.items() if result["problem"]]:
        raise SystemExit("\n".join(problems))
    return rows(results)


def rows(results: Results) -> list[dict[str, Any]]:
    """The table: each fault, how many tests see it, how many of these `make test` runs, and the first of them."""
    table = [
        {
            "fault": name,
            "kind": result["kind"],
            "seen by": len(result["failed"]),
            "of make test": len(result["quick"]),
            "first test": result["problem"] or next(iter(result["failed"]), "not seen"),
        }
        for name, result in results.items()
    ]
    seen, quickly = (sum(1 for row in table if row[by]) for by in ("seen by", "of make test"))
    sums = {"fault": f"all {len(table)}", "kind": "", "seen by": seen, "of make test": quickly, "first test": ""}
    return [*table, sums]


def try_all(tree: Tree, faults: tuple[Fault, ...], kept: Path, jobs: int = 2) -> Results:
    """Tries faults, or reuses the results of an earlier run on the same code.

    Args:
        tree: the checkout.
        faults: the faults to try.
        kept: the file of the results, written after each fault, so that a killed run can resume.
        jobs: how many run in parallel.
    """
    bench = _Bench(tree, kept)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    executor = ThreadPoolExecutor(jobs)
    try:
        futures = {fault.name: executor.submit(bench.result, fault) for fault in faults}
        with Progress(*columns, console=Console(stderr=True)) as progress:
            for _ in progress.track(as_completed(futures.values()), len(faults), description="Faults"):
                pass
        return {name: future.result() for name, future in futures.items()}
    finally:
        executor.shutdown(cancel_futures=True)  # an interrupt waits only for the faults that are running


class _Bench:
    """The results of faults, and of their tests without a fault, by a key of the code and the tests."""

    def __init__(self, tree: Tree, kept: Path) -> None:
        self._tree = tree
        self._digest = tree.digest()
        self._kept = kept
        self._known: dict[str, dict[str, Any]] = json.loads(kept.read_text()) if kept.exists() else {}
        self._lock = threading.Lock()
        self._selections: dict[str, threading.Lock] = {}

    def result(self, fault: Fault) -> dict[str, Any]:
        """The tests that see the fault, or the reason why there is no result."""
        key = self._key(fault)
        if key not in self._known:
            self._keep(key, {"name": fault.name, "kind": fault.kind, **self._found(fault)})
        return self._known[key]

    def _found(self, fault: Fault) -> dict[str, Any]:
        nothing: dict[str, Any] = {"problem": "", "run": 0, "failed": [], "quick": [], "seconds": 0.0}
        try:
            if fails := self._without(fault)["failed"]:
                return {**nothing, "problem": f"fails without any fault: {', '.join(fails[:_SHOWN])}"}
            trial = self._tree.try_tests(fault)
        except GradingError as error:
            return {**nothing, "problem": str(error)}
        return {
            **nothing,
            "run": trial.run,
            "failed": trial.failed,
            "quick": trial.quick,
            "seconds": round(trial.seconds, 1),
        }

    def _without(self, fault: Fault) -> dict[str, Any]:
        """The result of the same tests without a fault, run once for all faults that share them."""
        key = self._key((self._tree.tests(fault), fault.only))
        with self._lock:
            selection = self._selections.setdefault(key, threading.Lock())
        with selection:
            if key not in self._known:
                trial = self._tree.try_tests(fault, with_it=False)
                result = {"run": trial.run, "failed": trial.failed, "seconds": round(trial.seconds, 1)}
                self._keep(key, {"without a fault": [*fault.tests, fault.only], **result})
            return self._known[key]

    def _key(self, what: Any) -> str:
        return hashlib.sha256(f"{self._digest}/{what!r}".encode()).hexdigest()[:24]

    def _keep(self, key: str, found: dict[str, Any]) -> None:
        with self._lock:
            self._known[key] = found
            write_file(self._kept, json.dumps(self._known, indent=1, ensure_ascii=False) + "\n")
