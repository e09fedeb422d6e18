"""What reading a submission gives: notebooks and their cells, or the reason why there are none."""

from __future__ import annotations

from dataclasses import dataclass

from grading.errors import GradingError


class DamagedSubmission(GradingError):
    """A submission from which no notebook can be read; its text is the reason, as the student is told."""


@dataclass(frozen=True)
class Limits:
    """How much of a submission is read. What a student writes in a course is a hundredth of it.

    Attributes:
        file_bytes: one file on disk, or one notebook unpacked. Outputs count here and are then dropped.
        archive_bytes: all that is unpacked from one archive.
        archive_members: entries of one archive, and files of one student's folder.
        cells: cells of one notebook.
        source_bytes: what stands in the cells of one notebook, as JSON.
    """

    file_bytes: int = 200_000_000
    archive_bytes: int = 250_000_000
    archive_members: int = 5_000
    cells: int = 20_000
    source_bytes: int = 50_000_000


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook.

    Attributes:
        id: the cell's id, or nbgrader's grade_id where the id is gone; "" where both are.
        kind: "code", "markdown" or "raw".
        index: its place in the notebook, counted from 1, as messages to people give it.
    """

    id: str
    kind: str
    source: str
    index: int


@dataclass(frozen=True)
class Notebook:
    """A notebook's cells without their outputs.

    Attributes:
        path_in_submission: where it stood in the student's folder or archive; to be shown, never opened.
        metadata_chapter: the chapter that its metadata names, where they do.
        notes: what was mended or left out while it was read.
        sha256: of the notebook's bytes; tells whether a regrade would see the same thing.
    """

    path_in_submission: str
    cells: tuple[Cell, ...]
    metadata_chapter: int | None
    notes: tuple[str, ...]
    sha256: str
