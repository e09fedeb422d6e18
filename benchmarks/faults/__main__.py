"""python -m benchmarks.faults [NAME ...]: tries some or all of the faults, in any checkout."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.faults.trial import Tree
from benchmarks.faults.trying import FAULTS, KEPT, rows, try_all
from benchmarks.page import printed
from grading.storage.project import PROJECT


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Faults, or words of their names; all by default.")] = None,
    tree: Annotated[Path, typer.Option(help="The checkout to copy.")] = PROJECT,
    to: Annotated[Path, typer.Option(help="The file of the results; a run reuses those that are there.")] = KEPT,
    python: Annotated[Path | None, typer.Option(help="Interpreter for the tests; by default the checkout's.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many faults at a time.")] = 2,
) -> None:
    """Puts faults into copies of the code and prints which tests see each. Exits with 1 if no test sees one of them."""
    own = tree.resolve() / ".venv" / "bin" / "python"
    chosen = tuple(fault for fault in FAULTS if not names or any(name in fault.name for name in names))
    if not chosen:
        raise typer.BadParameter(f"no fault has a name with {', '.join(names or ())}")
    results = try_all(Tree(tree, python or (own if own.exists() else Path(sys.executable))), chosen, to, jobs)
    Console().print(printed("faults", rows(results)))
    raise typer.Exit(0 if all(result["failed"] for result in results.values()) else 1)


if __name__ == "__main__":
    typer.run(main)
