"""Grading a class of 50 in other chapters: the sample class of each, repeated.

Chapter 1 is plain Python. In the others, students build layers from those of earlier chapters, and train them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks.grading import this_grader
from grading.exercises.registry import chapter

CHAPTERS = (1, 4, 5, 7, 8)
CLASS_SIZE = 50


def measure() -> list[dict[str, Any]]:
    """A row for each chapter: submissions, and seconds in all and for each."""
    rows = []
    for number in CHAPTERS:
        of = chapter(number)
        with tempfile.TemporaryDirectory() as folder:
            rows.append({"chapter": f"{number} {of.title}", **this_grader(of, CLASS_SIZE, Path(folder))})
    return rows
