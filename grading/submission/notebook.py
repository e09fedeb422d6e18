"""The results of reading a submission: notebooks and their cells, or the reason why there are none."""

from __future__ import annotations

from dataclasses import dataclass

from grading.errors import GradingError
from grading.languages import ENGLISH


class DamagedSubmission(GradingError):
    """A submission from which no notebook can be read; its text is the reason, which the student sees.

    Args:
        to_do: what the instructor can do about it, which no student sees; or "".
    """

    def __init__(self, reason: str, to_do: str = "") -> None:
        super().__init__(reason)
        self.to_do = to_do


@dataclass(frozen=True)
class Limits:
    """How much of a submission is read. Normal submissions are a hundred times smaller.

    Attributes:
        file_bytes: one file on disk, or one unpacked notebook, including outputs, which are then dropped.
        archive_bytes: all files unpacked from one archive, and all files of one submission.
        archive_members: entries of one archive, and files in one student's folder.
        cells: cells of one notebook.
        source_bytes: the texts of all cells of one notebook, as JSON.
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
        id: the cell's id; if it is missing, nbgrader's grade_id; else "".
        kind: "code", "markdown" or "raw".
        index: its number in the notebook, counted from 1, as in messages.
    """

    id: str
    kind: str
    source: str
    index: int


@dataclass(frozen=True)
class Notebook:
    """A notebook's cells without their outputs.

    Attributes:
        path_in_submission: its path in the student's folder or archive; only for display.
        metadata_chapter: the chapter in its metadata, or None.
        notes: what was repaired or left out, for the student and the instructor.
        sha256: the hash of the notebook's bytes, which tells whether a regrade would see the same notebook.
        for_instructor: remarks that no student sees.
        language: the language of its texts, as its metadata say; English if the course does not speak that one.
    """

    path_in_submission: str
    cells: tuple[Cell, ...]
    metadata_chapter: int | None
    notes: tuple[str, ...]
    sha256: str
    for_instructor: tuple[str, ...] = ()
    language: str = ENGLISH
