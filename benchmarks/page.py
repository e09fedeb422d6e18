"""Tables of what was measured: for the terminal, and for benchmarks/README.md."""

from __future__ import annotations

from typing import Any

from rich.table import Table

Rows = list[dict[str, Any]]

_INTRODUCTION = """\
# Benchmarks

This project and its peers do the same work in one run, and take turns, because machines drift. So trust the ratios
within a table, not single figures. `make bench` measures anew and writes this page; `python -m benchmarks NAME`
measures one table, and for `gpu` that is the only way. The raw numbers are in `results/`.
"""


def printed(name: str, rows: Rows) -> Table:
    """A table for the terminal."""
    table = Table(title=name)
    for place, column in enumerate(rows[0]):
        table.add_column(column, justify="right" if place else "left")
    for row in rows:
        table.add_row(*map(_cell, row.values()))
    return table


def page(results: dict[str, dict[str, Any]]) -> str:
    """The page of all results that are kept, by name."""
    return "\n".join([_INTRODUCTION, *(_section(name, result) for name, result in results.items())])


def _section(name: str, result: dict[str, Any]) -> str:
    title, _, rest = result["about"].strip().partition("\n")
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


def _cell(value: Any) -> str:
    """Numbers with the digits that mean something."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
