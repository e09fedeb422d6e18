"""Reads classifiers' predictions for test rows, as `python -m course evaluate` writes them."""

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
    """A row for each test text: its "label", and the predictions of each seed and of the "baseline"."""
    return read_rows(classifier / "evaluation" / "predictions.csv")


def seeds_of(rows: Rows) -> list[str]:
    """The columns of the seeds."""
    return [name for name in rows[0] if name.startswith("seed-")]


def right_of(rows: Rows, name: str) -> np.ndarray:
    """1 where the prediction in a column is right, else 0: (rows,)."""
    return np.array([row[name] == row["label"] for row in rows], "float64")


def share_right(rows: Rows) -> np.ndarray:
    """The share of the seeds that get each row right: (rows,)."""
    return np.mean([right_of(rows, name) for name in seeds_of(rows)], axis=0)
