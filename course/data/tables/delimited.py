"""CSV and TSV: which mark stands between the cells, whether quotes are quotes, and the rows."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from course.data.tables.opened import opened
from course.errors import CourseError

_ROWS_LOOKED_AT = 50
_LONGEST_CELL = 2**31 - 1  # the module's own limit is 131,072 characters


@dataclass(frozen=True)
class Delimited:
    """How a file of cells is to be read.

    Attributes:
        path: the file.
        delimiter: what stands between two cells.
        quoting: `csv.QUOTE_MINIMAL`, or `csv.QUOTE_NONE` where a quotation mark is a part of the text.
        names: of its columns. They are numbers, from 1 on, where the file has no header.
        has_header: whether its first row names the columns.
    """

    path: Path
    delimiter: str
    quoting: Literal[0, 3]
    names: tuple[str, ...]
    has_header: bool

    def rows(self) -> Iterator[list[str]]:
        """The cells of each row but the header; empty lines are none.

        Raises:
            CourseError: a row has more or fewer cells than the first one, or a quotation mark is never closed.
        """
        with _cells(self.path, self.delimiter, self.quoting) as rows:
            for number, row in enumerate(row for row in rows if row):
                if len(row) != len(self.names):
                    raise CourseError(
                        f"{self.path} is no table: line {rows.line_num}: {len(row)} cells, where the first row has "
                        f"{len(self.names)}."
                    )
                if number or not self.has_header:
                    yield row


def delimited(path: Path, columns: Sequence[str]) -> Delimited:
    """Finds out how to read a .csv or .tsv file.

    Commas, semicolons and tabs are told apart by the columns that are asked for: under one of them the first row has
    these names. Columns that are numbers, where no column is called so, are places in a file without a header.

    Args:
        path: the file.
        columns: names, or numbers from 1 on.

    Raises:
        CourseError: there is no such column; or no mark, and no reading of quotation marks, gives rows of one length.
    """
    firsts = {mark: first_rows(path, mark, 1) for mark in ",;\t"}
    headers = {mark: [cell.strip() for cell in rows[0]] if rows else [] for mark, rows in firsts.items()}
    for mark, header in headers.items():
        if all(column in header for column in columns):
            return _with_quoting(path, mark, _told_apart(header), has_header=True)
    if columns and all(column.isdecimal() and int(column) > 0 for column in columns):
        widths = {mark: _width(first_rows(path, mark, _ROWS_LOOKED_AT)) for mark in ",;\t"}
        mark, width = max(widths.items(), key=lambda item: item[1])  # of equals, the first
        if max(map(int, columns)) <= width:
            names = tuple(str(number) for number in range(1, width + 1))
            return _with_quoting(path, mark, names, has_header=False)
    header = max(headers.values(), key=len)
    missing = ", ".join(column for column in columns if column not in header)
    raise CourseError(
        f"{path} has no column {missing}. Its first row is {_listed(header)}; where that is no header, "
        "name columns by their numbers, from 1 on."
    )


def first_rows(path: Path, delimiter: str, count: int) -> list[list[str]]:
    """The cells of the first rows that have any, without complaint about what comes behind them.

    Raises:
        CourseError: the file cannot be read.
    """
    with opened(path, newline="") as text:
        csv.field_size_limit(_LONGEST_CELL)
        return list(islice((row for row in csv.reader(text, delimiter=delimiter) if row), count))


@contextmanager
def _cells(path: Path, delimiter: str, quoting: Literal[0, 3]) -> Iterator[Any]:
    with opened(path, newline="") as text:
        csv.field_size_limit(_LONGEST_CELL)
        rows = csv.reader(text, delimiter=delimiter, quoting=quoting, strict=True)
        try:
            yield rows
        except csv.Error as error:
            raise CourseError(f"{path} is no table: line {rows.line_num}: {error}.") from error


def _with_quoting(path: Path, delimiter: str, names: tuple[str, ...], *, has_header: bool) -> Delimited:
    """In files with tabs, many a quotation mark is text. Such a file has rows of one length without quoting alone."""
    quoted = Delimited(path, delimiter, csv.QUOTE_MINIMAL, names, has_header)
    if delimiter != "\t":
        return quoted
    plain = Delimited(path, delimiter, csv.QUOTE_NONE, names, has_header)
    return plain if not _is_regular(quoted) and _is_regular(plain) else quoted


def _is_regular(table: Delimited) -> bool:
    try:
        for _ in table.rows():
            pass
    except CourseError:
        return False
    return True


def _width(rows: list[list[str]]) -> int:
    """How many cells each row has; 0 where they differ."""
    widths = {len(row) for row in rows}
    return widths.pop() if len(widths) == 1 else 0


def _told_apart(header: Sequence[str]) -> tuple[str, ...]:
    """Of two columns with one name, the first keeps it."""
    seen: dict[str, int] = {}
    names = []
    for name in header:
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def _listed(header: Sequence[str]) -> str:
    return ", ".join(f"{name:.30}" for name in header) or "empty"
