"""Downloads of eight systems in eleven layouts: which students are found, and under which name the marks go out again.

Each download is read as a folder and as the archive that the system gives; the numbers are of both. "right notebook"
counts the students whose last attempt was taken, or nothing if that attempt holds no notebook. "right name" counts
those who are in the exported table with the name and the e-mail address of the school's roster. In one layout two
students have one name, and nothing distinguishes them: neither may get the other's row of the roster.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.full_marks import FullMarks
from benchmarks.submissions.layouts import LAYOUTS, NAMESAKES, Layout, roster_for
from grading.classroom import run
from grading.classroom.reading import read_submission
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter
from grading.gradebook import marks, plain_csv
from grading.submission import SubmissionFile, find

CHAPTER = 3


def measure() -> list[dict[str, Any]]:
    """A row for each layout, and their sums."""
    rows = [_row(name, layout) for name, layout in LAYOUTS.items()]
    counted = list(rows[0])[2:]
    return [*rows, {"layout": "all", "system": "", **{column: sum(row[column] for row in rows) for column in counted}}]


def _row(name: str, layout: Layout) -> dict[str, Any]:
    row: Counter[str] = Counter()
    people = {line["name"]: line["e-mail"] for line in csv.DictReader(io.StringIO(roster_for(name)))}
    for archive in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            path = layout.write_archive(Path(folder), wrapped=False) if archive else layout.write_folder(Path(folder))
            files = {file.student: file for file in find(path).submissions}
            graded = {student: _marker(file) for student, file in files.items()}
            exported = _exported(path, roster_for(name), Path(folder))
        row["students"] += len(layout.graded)
        row["found"] += len(files.keys() & layout.graded.keys())
        row["found beside"] += len(files.keys() - layout.graded.keys())
        row["right notebook"] += len(graded.items() & layout.graded.items())
        row["several attempts"] += len(layout.attempts)
        row["of these noted"] += sum(bool(files[student].notes) for student in layout.attempts)
        row["on the roster"] += 0 if name == NAMESAKES else len(layout.graded)
        row["right name"] += sum(exported.get(person) == address for person, address in people.items())
    return {"layout": name, "system": layout.system, **row}


def _marker(file: SubmissionFile) -> str | None:
    """The first line of a notebook, which identifies the attempt."""
    notebook = read_submission(file, CHAPTER).notebook
    return notebook.cells[0].source.splitlines()[0].removeprefix("# ") if notebook else None


def _exported(path: Path, roster: str, folder: Path) -> dict[str, str]:
    """E-mail addresses in the exported table, by the names of the students who submitted."""
    (folder / "class.csv").write_text(roster)
    with mock.patch.object(run, "Grader", FullMarks):
        records = grade_class(path, Results(folder / "results", CHAPTER), roster=folder / "class.csv")
    table = csv.DictReader(io.StringIO(plain_csv(chapter(CHAPTER), marks(chapter(CHAPTER), records))))
    missing = {record["student"] for record in records if record["person"]["status"] == "missing"}
    return {row["student"]: row["email"] for row in table if row["student"] not in missing}
