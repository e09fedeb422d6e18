"""python -m benchmarks [NAME ...]: measures, prints the tables, and keeps them in benchmarks/README.md."""

from __future__ import annotations

import importlib
import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.page import page, printed
from grading.storage.files import write_file

HERE = Path(__file__).parent
# In the order of the page. Each module has `measure`, which returns the rows of its table.
NAMES = (
    "structure",
    "faults",
    "mistakes",
    "mutants",
    "rewrites",
    "seed_sensitivity",
    "releases",
    "grading",
    "grading_chapters",
    "classes",
    "layouts",
    "hostile",
    "damage",
    "reading",
    "crash_recovery",
    "loaded_host",
    "training",
    "epoch",
    "packing",
    "inference",
    "step_cost",
    "gpu",
    "tokenization",
    "masking",
    "resume",
    "search",
    "search_vectors",
    "memory",
)
# Without a GPU this only rehearses, and would overwrite the results that were measured on one.
BY_NAME_ALONE = frozenset({"gpu"})


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help=f"What to measure: {', '.join(NAMES)}. All by default, but gpu.")
    ] = None,
) -> None:
    """Compares this project with its peers, on the same work in one run. Run nothing else on the machine meanwhile."""
    console = Console()
    if unknown := set(names or ()) - set(NAMES):
        raise typer.BadParameter(f"there is no {', '.join(sorted(unknown))}; there is {', '.join(NAMES)}")
    for name in names or [name for name in NAMES if name not in BY_NAME_ALONE]:
        module = importlib.import_module(f"benchmarks.{name}")
        with console.status(f"Measuring: {name}"):
            rows = module.measure()
        machine = {
            "cores": os.cpu_count(),
            "bfloat16": _has_bfloat16(),
            "system": platform.platform(terse=True),
            "date": datetime.now(UTC).date().isoformat(),
        }
        result = {"machine": machine, "rows": rows}
        write_file(HERE / "results" / f"{name}.json", json.dumps(result, indent=2) + "\n")
        console.print(printed(name, rows))
    write_file(HERE / "README.md", page(HERE / "results", NAMES))


def _has_bfloat16() -> bool:
    """Whether the processor computes with bfloat16, as Linux says."""
    about = Path("/proc/cpuinfo")
    return about.exists() and not {"avx512_bf16", "amx_bf16", "bf16"}.isdisjoint(about.read_text().split())


if __name__ == "__main__":
    typer.run(main)
