"""Tables as CSV files that people edit by hand or in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grading.errors import GradingError
from grading.storage.files import read_text

if TYPE_CHECKING:
    from _csv import Reader

# Spreadsheets read a cell that begins so as a formula; a student's name must not become one. Where a comma stands in
# decimal numbers, they begin a cell at each semicolon, too, and some do at a tab or a new line, whatever the quotes.
SIGNS = "=+\\-@＝＋－＠"  # for a set of a regular expression
_FORMULA = rf"""['"\s]*[{SIGNS}]"""
_BEGINS_A_FORMULA = re.compile(rf"(^|[;\t\n])(?={_FORMULA})")
_MADE_HARMLESS = re.compile(rf"(^|[;\t\n])'(?={_FORMULA})")


def read_table(
    path: Path, columns: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """Read a table separated by commas, semicolons or tabs; its columns may be in any order.

    Args:
        path: the CSV file, in UTF-8. Columns of other names are ignored.
        columns: the columns that it must have.
        optional: columns whose cells are "" if it does not have them.

    Yields:
        Each row that is not empty.

    Raises:
        GradingError: the file cannot be read, lacks a column, or a line has too few or too many cells.
    """
    _, reader = csv_reader(path)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        missing = [column for column in columns if column not in header]
        if missing:
            raise GradingError(f"{path} has no column {' and no '.join(missing)}; it needs {', '.join(columns)}")
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            place = f"{path}, line {reader.line_num}"
            if len(row) != len(header):
                raise GradingError(
                    f"{place}: the line has {len(row)} cells and the header {len(header)}; was the file cut off?"
                )
            cells = {name: _as_meant(cell.strip()) for name, cell in zip(header, row, strict=True)}
            yield place, {name: cells.get(name, "") for name in (*columns, *optional)}
    except csv.Error as error:
        raise GradingError(f"{path}, line {reader.line_num}: {error}; was the file cut off?") from error


def csv_reader(path: Path) -> tuple[str, Reader]:
    """The text of a table separated by commas, semicolons or tabs, and what reads its lines.

    Raises:
        GradingError: the file cannot be read.
    """
    text = read_text(path).removeprefix("\ufeff")
    header_line = next(iter(text.splitlines()), "")
    return text, csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header_line.count), strict=True)


def table_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """A table as CSV. No text becomes a formula in a spreadsheet; `read_table` reads the same cells."""
    text = io.StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n")
    table.writeheader()
    table.writerows({column: harmless(value) for column, value in row.items()} for row in rows)
    return text.getvalue()


def harmless(value: object) -> object:
    """A cell of which no spreadsheet takes a part for a formula. Numbers stay numbers."""
    if not isinstance(value, str):
        return value
    return _BEGINS_A_FORMULA.sub(r"\1'", value.replace("\r", " "))  # some readers end a row at it


def _as_meant(cell: str) -> str:
    return _MADE_HARMLESS.sub(r"\1", cell)
