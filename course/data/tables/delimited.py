"""Read CSV and TSV files: find the delimiter, whether quotation marks quote, and the rows."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from course.data.tables.opened import kind_of, opened
from course.errors import CourseError

_ROWS_LOOKED_AT = 50
_LONGEST_CELL = 2**31 - 1  # the default of `csv` is 131,072 characters


@dataclass(frozen=True)
class Delimited:
    """How to read a file of cells.

    Attributes:
        path: the file.
        delimiter: the character between two cells.
        quoting: `csv.QUOTE_MINIMAL`, or `csv.QUOTE_NONE` if quotation marks are part of the text.
        names: the names of its columns; numbers, from 1 on, if the file has no header.
        has_header: whether its first row names the columns.
    """

    path: Path
    delimiter: str
    quoting: Literal[0, 3]
    names: tuple[str, ...]
    has_header: bool

    def rows(self) -> Iterator[list[str]]:
        """Yield the cells of each row except the header; empty lines are skipped.

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
    """Find out how to read a .csv or .tsv file.

    The delimiter (comma, semicolon or tab) is the one with which the first row has the columns that are asked for. If
    these are numbers, they are positions in a file without a header, unless the first row has these numbers in these
    places, has numbers that count up or nothing but numbers, or has fewer cells than such a number. In a .tsv file, it
    is the tab wherever the tab gives the columns.

    Args:
        path: the file.
        columns: names, or numbers from 1 on.

    Raises:
        CourseError: the file has no such column; or its rows differ in length, however delimiters and quotation marks
            are read.
    """
    is_tsv = kind_of(path) == ".tsv"
    firsts = {mark: first_rows(path, mark, 1) for mark in ("\t,;" if is_tsv else ",;\t")}
    headers = {mark: [cell.strip() for cell in rows[0]] if rows else [] for mark, rows in firsts.items()}
    for mark, header in headers.items():
        if _is_header(header, columns):
            return _with_quoting(path, mark, _unique_names(header), has_header=True)
    if _are_positions(columns):
        widths = {mark: _width(first_rows(path, mark, _ROWS_LOOKED_AT)) for mark in firsts}
        most = max(map(int, columns))
        mark = "\t" if is_tsv and most <= widths["\t"] else max(widths, key=lambda mark: widths[mark])
        if most <= widths[mark]:
            names = tuple(str(number) for number in range(1, widths[mark] + 1))
            return _with_quoting(path, mark, names, has_header=False)
    header = max(headers.values(), key=len)
    missing = ", ".join(column for column in columns if column not in header)
    raise CourseError(
        f"{path} has no column {missing}. Its first row is {_listed(header)}; where that is no header, "
        "name columns by their numbers, from 1 on."
    )


def _is_header(cells: Sequence[str], columns: Sequence[str]) -> bool:
    """Return whether the first row names these columns; a number in it may as well be a cell, such as a class."""
    if not all(column in cells for column in columns):
        return False
    if not _are_positions(columns) or max(map(int, columns)) > len(cells):
        return True
    in_place = all(cells[int(column) - 1] == column for column in columns)
    numbers = [int(cell) for cell in cells if cell.isdecimal()]
    count_up = len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return in_place or count_up or all(not cell or cell.isdecimal() for cell in cells)


def _are_positions(columns: Sequence[str]) -> bool:
    return bool(columns) and all(column.isdecimal() and int(column) > 0 for column in columns)


def first_rows(path: Path, delimiter: str, count: int) -> list[list[str]]:
    """Return the cells of the first non-empty rows; errors after them go unnoticed.

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
    """Decide about quotation marks: in a file with tabs they are text if only then all rows have the same length."""
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
    """Return the number of cells in each row; 0 if they differ."""
    widths = {len(row) for row in rows}
    return widths.pop() if len(widths) == 1 else 0


def _unique_names(header: Sequence[str]) -> tuple[str, ...]:
    """Make the names unique: of two columns with the same name, the first keeps it."""
    seen: dict[str, int] = {}
    names = []
    for name in header:
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def _listed(header: Sequence[str]) -> str:
    return ", ".join(f"{name:.30}" for name in header) or "empty"
