"""The history of a training: rows of measurements, as a table and a picture."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from course.errors import CourseError
from course.storage.outputs import write_table
from course.training.curves import draw_curves

if TYPE_CHECKING:
    from course.plots import Picture

Row = dict[str, float]
HELD_OUT = "held_out_"  # prefix of the names of measurements on held-out documents


class History:
    """A table in a file, and its picture beside it. Both are written atomically.

    Args:
        folder: where history.csv and curves.png are.
        until: rows of later steps are left out, because a killed run resumes from its last checkpoint.

    Raises:
        CourseError: the file is not a history.
    """

    def __init__(self, folder: Path, until: int) -> None:
        self.folder = folder
        self.rows = [row for row in self._read() if row["step"] <= until]

    def add(self, row: Row) -> None:
        """Add a row and write the table.

        Raises:
            CourseError: the file cannot be written.
        """
        self.rows.append(row)
        columns = {name: None for row in self.rows for name in row}  # some rows measure more than others
        write_table(self.folder / "history.csv", [{**columns, **row} for row in self.rows])

    def draw(self) -> Picture | None:
        """Draw the losses, as `draw_curves` does.

        Raises:
            CourseError: a file cannot be written.
        """
        known = {
            "masked_lm_loss": "masked words",
            "next_sentence_loss": "next sentences",
            "discriminator_loss": "replaced words",
        }
        names = {name: said for name, said in known.items() if name in self.rows[0]}
        measured = {said: [row.get(HELD_OUT + name, math.nan) for row in self.rows] for name, said in names.items()}
        measured = {said: values for said, values in measured.items() if not np.isnan(values).all()}
        return draw_curves(
            self.folder,
            {said: [row[name] for row in self.rows] for name, said in names.items()},
            beside={said: (f"{said}, held out", values) for said, values in measured.items()},
            title="Pretraining",
            x_label="step",
            x=[row["step"] for row in self.rows],
            panels=True,  # on one scale, the larger loss would hide the fall of the smaller one
        )

    def _read(self) -> Iterator[Row]:
        path = self.folder / "history.csv"
        if path.exists():
            try:
                with path.open(newline="", encoding="utf-8") as file:
                    for row in csv.DictReader(file):
                        measured = {name: float(value) for name, value in row.items() if value != ""}
                        yield {**measured, "step": int(row["step"])}
            except (csv.Error, KeyError, TypeError, ValueError) as error:
                raise CourseError(
                    f"{path} is not a history of a training ({error}): each row must have a step, and only numbers. "
                    "Delete it to resume without its rows."
                ) from error
