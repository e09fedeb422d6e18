"""Classify the rows of a table, and write them to another table."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

from course.classification import TextClassifier
from course.data.tables.opened import kind_of
from course.data.tables.table import Row, any_text, as_text, read_table
from course.errors import CourseError
from course.evaluation.measures import probabilities
from course.storage.atomic import atomic_file
from course.training.classifier_file import Reader
from course.training.logits import predict_logits

_ROWS_AT_ONCE = 4096
_KINDS = (".csv", ".tsv", ".jsonl")


def classify_table(
    model: TextClassifier,
    reader: Reader,
    table: Path,
    text: Sequence[str],
    to: Path,
    progress: Callable[[int], None] = lambda done: None,
) -> int:
    """Write the rows of a table, each with its predicted class and the probability of every class.

    The new columns are `predicted`, and `P(class)` for each class. From .jsonl to .jsonl, the fields keep their values.
    Memory does not grow with the table.

    Args:
        model, reader: from `load_classifier`.
        table: the file to read: .csv, .tsv, .jsonl or .parquet, each also .gz.
        text: its columns with the texts, as many as the classifier reads.
        to: the file to write, atomically: .csv, .tsv or .jsonl.
        progress: called with the number of finished rows.

    Returns:
        The number of rows.

    Raises:
        CourseError: the table cannot be read or has no such columns, or has one of the new ones; or the other one
            cannot be written, or would lose a field that the first row lacks.
    """
    if to.suffix.lower() not in _KINDS:
        raise CourseError(f"{to} cannot be written as a table. Wanted: a name with {', '.join(_KINDS)}.")
    reader = reader.of_columns(text)
    rows = read_table(table, text, everything=True)
    done = 0
    with atomic_file(to) as draft, draft.open("w", encoding="utf-8", newline="", errors="replace") as file:
        write = _writer(file, kind_of(to))
        while part := list(islice(rows, _ROWS_AT_ONCE)):
            for row in _classified(model, reader, part, as_numbers=kind_of(to) == ".jsonl"):
                write(row)
            done += len(part)
            progress(done)
        if not done:
            raise CourseError(f"{table} has no rows.")
    return done


def _classified(model: TextClassifier, reader: Reader, rows: list[Row], as_numbers: bool) -> Iterator[Row]:
    inputs = reader.read(*([as_text(row[column]) for row in rows] for column in reader.text_columns))
    for row, shares in zip(rows, probabilities(predict_logits(model, inputs)), strict=True):
        numbers = [round(float(share), 4) if as_numbers else f"{share:.4f}" for share in shares]
        class_columns = {f"P({name})": number for name, number in zip(reader.class_names, numbers, strict=True)}
        new = {"predicted": reader.class_names[shares.argmax()], **class_columns}
        if taken := row.keys() & new:
            raise CourseError(f"the table has a column {min(taken)} already. Rename it, so that it is not lost.")
        yield {**row, **new}


def _writer(file: IO[str], kind: str) -> Callable[[Row], object]:
    if kind == ".jsonl":
        return lambda row: file.write(json.dumps(row, ensure_ascii=False) + "\n")
    columns: list[str] = []
    table = csv.writer(file, delimiter="\t" if kind == ".tsv" else ",")

    def write(row: Row) -> None:
        if not columns:
            columns.extend(row)
            table.writerow(columns)
        if more := row.keys() - set(columns):
            raise CourseError(f"a row has {min(more)}, which the first row has not. Write to a .jsonl, which keeps it.")
        table.writerow([any_text(row.get(column)) for column in columns])

    return write
