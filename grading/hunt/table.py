"""The calls and findings of the hunt, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from grading.hunt.findings import BEHAVIOUR, SHAPE, Key
from grading.hunt.search import Hunted

_KINDS = (BEHAVIOUR, SHAPE)


def tried_table(hunted: Sequence[Hunted]) -> Table:
    """A table with a row for each chapter, and the sums of calls and findings."""
    rows = [
        (one.chapter, one.callables, one.calls, *(sum(finding.by == by for finding in one.findings) for by in _KINDS))
        for one in hunted
    ]
    table = Table(title="Callables of bundles, tried in place of exercises still to be written", show_footer=True)
    table.add_column("chapter", "all", justify="right")
    table.add_column("callables", justify="right")
    for place, header in enumerate(("calls", "found by behaviour", "found by shape"), 2):
        table.add_column(header, str(sum(row[place] for row in rows)), justify="right")
    for row in rows:
        table.add_row(*map(str, row))
    return table


def found_table(hunted: Sequence[Hunted], known: Mapping[Key, str]) -> Table:
    """A table with a row for each finding, and the reason why it is no leak."""
    table = Table(title="Findings")
    for header in ("exercise", "by", "share", "callable", "reason"):
        table.add_column(header, justify="right" if header == "share" else "left")
    for one in (finding for chapter in hunted for finding in chapter.findings):
        reason = known.get(one.key, "[red]none[/red]")
        table.add_row(one.exercise, one.by, f"{one.share:.0%}", one.written.replace("[", r"\["), reason)
    return table
