"""Read your own table, a row at a time: .csv, .tsv, .jsonl or .parquet, each also .gz."""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from course.data.tables.delimited import delimited, first_rows
from course.data.tables.opened import is_compressed, kind_of, opened, opened_bytes
from course.errors import CourseError, how_to_install

TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
_ROWS_AT_ONCE = 1024

Row = dict[str, Any]


def read_table(path: Path, columns: Sequence[str], everything: bool = False) -> Iterator[Row]:
    """Yield the rows of a table, in order. Memory does not grow with the file.

    Args:
        path: the file; its suffix, in any case, says what kind it is.
        columns: one column to read, or more; in a .csv or .tsv file without a header, their numbers, from 1 on.
        everything: whether all other columns are read, too. The cells of a .jsonl file then keep their JSON values.

    Yields:
        The cells of a row, by the names of their columns, as text. A missing cell is "".

    Raises:
        CourseError: the file does not exist, is damaged or of another kind, has no such column, or has cells there that
            are not text.
    """
    if not path.is_file():
        raise CourseError(f"there is no file {path}. Name a table: {', '.join(TABLES)}, or one of them with .gz.")
    if not columns:
        raise CourseError(f"{path} is a table: name the columns to read. {_likely_columns(path)}")
    kind = kind_of(path)
    if kind in (".csv", ".tsv"):
        table = delimited(path, columns)
        for cells in table.rows():
            row = dict(zip(table.names, cells, strict=True))
            yield row if everything else {column: row[column] for column in columns}
    elif kind == ".jsonl":
        yield from _rows_of_jsonl(path, columns, everything)
    elif kind == ".parquet":
        yield from _rows_of_parquet(path, columns, everything)
    else:
        raise _no_table(path)


def column_names(path: Path) -> list[str]:
    """Return the likely names of a table's columns, to show them to a person.

    Raises:
        CourseError: the file cannot be read, or is of another kind.
    """
    kind = kind_of(path)
    if kind in (".csv", ".tsv"):
        return max((row for mark in ",;\t" for row in first_rows(path, mark, 1)), key=len, default=[])
    if kind == ".jsonl":
        return list(next((row for _, row in _objects(path)), {}))
    if kind != ".parquet":
        raise _no_table(path)
    with opened_parquet(path) as file:
        return list(file.schema_arrow.names)


def _no_table(path: Path) -> CourseError:
    return CourseError(f"{path} is no table that can be read. Wanted: {', '.join(TABLES)}, or one of them with .gz.")


def as_text(value: Any) -> str:
    """Return a cell as text: "" if it is missing, numbers as Python writes them, and half a surrogate pair as "?".

    Raises:
        ValueError: it is a list, a record, or anything else that is not text.
    """
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value).encode("utf-8", "replace").decode()
    raise ValueError(f"must be text or a number, not {type(value).__name__}")


def any_text(value: Any) -> str:
    """Return a cell that is only passed on as text: a list or a record as JSON."""
    try:
        return as_text(value)
    except ValueError:
        return json.dumps(value, ensure_ascii=False, default=str)


def _likely_columns(path: Path) -> str:
    return f"It seems to have {', '.join(f'{name:.30}' for name in column_names(path)) or 'none'}."


def _rows_of_jsonl(path: Path, columns: Sequence[str], everything: bool) -> Iterator[Row]:
    seen: set[str] = set()
    first: list[str] = []
    for line, row in _objects(path):
        first = first or list(row)
        seen.update(column for column in columns if column in row)
        try:
            cells = {name: as_text(row.get(name)) for name in columns}
        except ValueError as error:
            raise CourseError(f"{path}, line {line}: a cell {error}.") from error
        yield {**row, **cells, **row} if everything else cells  # first the row, for its order
    if missing := [column for column in columns if column not in seen]:
        columns_there = f"Its first line has {', '.join(first)}." if first else "It is empty."
        raise CourseError(f"{path} has no column {', '.join(missing)}. {columns_there}")


def _objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with opened(path) as text:
        for number, line in enumerate(text, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise CourseError(f"{path}, line {number}, is not JSON: {error}.") from error
            if not isinstance(row, dict):
                raise CourseError(f"{path}, line {number}, must be an object, not {type(row).__name__}.")
            yield number, row


def _rows_of_parquet(path: Path, columns: Sequence[str], everything: bool) -> Iterator[Row]:
    with opened_parquet(path) as file:
        names = list(file.schema_arrow.names)
        if missing := [column for column in columns if column not in names]:
            raise CourseError(f"{path} has no column {', '.join(missing)}. It has {', '.join(names)}.")
        for batch in file.iter_batches(_ROWS_AT_ONCE, columns=names if everything else list(dict.fromkeys(columns))):
            for row in batch.to_pylist():
                try:
                    cells = {name: as_text(row[name]) for name in columns}
                except ValueError as error:
                    raise CourseError(f"{path}: a cell {error}.") from error
                yield {name: any_text(value) for name, value in row.items()} | cells if everything else cells


@contextmanager
def opened_parquet(path: Path) -> Iterator[Any]:
    """Open a Parquet file to read. A .gz file is first unpacked to disk.

    Raises:
        CourseError: it cannot be read, or pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise CourseError(f"{path}: Parquet needs pyarrow. {how_to_install('parquet')}") from error
    with opened_bytes(path) as raw, tempfile.TemporaryFile() as unpacked:
        if is_compressed(path):
            shutil.copyfileobj(raw, unpacked)
        try:
            with pyarrow.parquet.ParquetFile(unpacked if is_compressed(path) else raw) as file:
                yield file
        except pyarrow.ArrowException as error:
            raise CourseError(f"{path} is not a whole Parquet file ({error}).") from error
