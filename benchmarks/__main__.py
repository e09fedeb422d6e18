"""python -m benchmarks: runs every benchmark, prints its table, and keeps the raw numbers in benchmarks/results/."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import grading

RESULTS = Path(__file__).parent / "results"
BENCHMARKS = {"grading": grading.measure}


def main() -> None:
    console = Console()
    for name, measure in BENCHMARKS.items():
        rows = measure()
        table = Table(title=name)
        for column in rows[0]:
            table.add_column(column, justify="left" if column == "contender" else "right")
        for row in rows:
            table.add_row(*(f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()))
        console.print(table)
        machine = {
            "cores": os.cpu_count(),
            "system": platform.platform(terse=True),
            "date": datetime.now(UTC).date().isoformat(),
        }
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.json").write_text(json.dumps({"machine": machine, "rows": rows}, indent=2) + "\n")


main()
