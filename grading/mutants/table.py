"""The results of mutants, as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from grading.mutants.survey import Survey


def mutants_table(surveys: Sequence[Survey]) -> Table:
    """A table with a row for each exercise, and the sums."""
    rows = [(one.tried, one.seen, one.equal, len(one.survivors), len(one.mistakes)) for one in surveys]
    sums = [sum(column) for column in zip(*rows, strict=True)]
    table = Table(title="Mutants of the reference answers", show_footer=True)
    table.add_column("exercise", "all")
    for header, footer in zip(("mutants", "killed", "equivalent", "survived", "known mistakes"), sums, strict=True):
        table.add_column(header, str(footer), justify="right")
    for one, row in zip(surveys, rows, strict=True):
        table.add_row(one.exercise, *map(str, row))
    return table
