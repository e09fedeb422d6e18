"""What classifiers have said of test rows, as `python -m course evaluate` writes it."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

Rows = list[dict[str, str]]


def read_rows(path: Path) -> Rows:
    """The rows of a table that the course wrote."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_predictions(classifier: Path) -> Rows:
    """A row for each test text: its "label", and what each seed and "tfidf" said of it."""
    return read_rows(classifier / "evaluation" / "predictions.csv")


def seeds_of(rows: Rows) -> list[str]:
    """The columns of the seeds."""
    return [name for name in rows[0] if name.startswith("seed-")]


def right_of(rows: Rows, name: str) -> np.ndarray:
    """(rows,), 1 where a column says what is true, and 0 elsewhere."""
    return np.array([row[name] == row["label"] for row in rows], "float64")


def share_right(rows: Rows) -> np.ndarray:
    """(rows,), the share of the seeds that get each right."""
    return np.mean([right_of(rows, name) for name in seeds_of(rows)], axis=0)
