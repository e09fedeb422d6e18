"""Tables of the results, for the terminal and for benchmarks/README.md."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.table import Table

from grading.storage.files import read_text

HERE = Path(__file__).parent
RESULTS = HERE / "results"

Rows = list[dict[str, Any]]

_INTRODUCTION = """\
# Benchmarks

This project and its peers do the same work in one run, and take turns, because machines drift. So trust the ratios
within a table, not single numbers. `make bench` measures everything again and writes this page.
`python -m benchmarks NAME` measures one table, and is the only way to measure `gpu`. The raw numbers are in
`results/`.
"""


def printed(name: str, rows: Rows) -> Table:
    """A table for the terminal."""
    table = Table(title=name)
    for place, column in enumerate(rows[0]):
        table.add_column(column, justify="right" if place else "left")
    for row in rows:
        table.add_row(*map(_cell, row.values()))
    return table


def page(folder: Path, names: Iterable[str]) -> str:
    """The page for the results in a folder, in the order of these names."""
    paths = {name: folder / f"{name}.json" for name in names}
    sections = (_section(name, json.loads(read_text(path))) for name, path in paths.items() if path.exists())
    return "\n".join([_INTRODUCTION, *sections])


def _section(name: str, result: dict[str, Any]) -> str:
    title, _, rest = _about(name).partition("\n")
    machine, rows = result["machine"], result["rows"]
    bfloat16 = {True: " with bfloat16", False: " without bfloat16"}.get(machine.get("bfloat16"), "")  # older: not known
    lines = [f"## {title.rstrip('.')}", ""]
    if rest.strip():
        lines += [rest.strip(), ""]
    lines += [
        f"`python -m benchmarks {name}`, on {machine['cores']} cores{bfloat16}, "
        f"{machine['system']}, {machine['date']}:",
        "",
    ]
    lines += ["| " + " | ".join(rows[0]) + " |", "|---" + "|---:" * (len(rows[0]) - 1) + "|"]
    lines += ["| " + " | ".join(map(_cell, row.values())) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _about(name: str) -> str:
    """The docstring of a benchmark, without importing it, because most of them import their peers."""
    paths = (HERE / f"{name}.py", HERE / name / "__init__.py")
    return ast.get_docstring(ast.parse(read_text(next(path for path in paths if path.exists())))) or ""


def _cell(value: Any) -> str:
    """The text of a value; numbers are rounded to three significant digits, or to an integer from 100 on."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
