"""nbgrader's `autograde`, in a course folder of its own, on the notebooks of chapter 3."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from nbgrader.api import Gradebook

from grading.judging.exercise import Chapter
from grading.storage.project import PROJECT
from grading.submission.cell_ids import check_cell_id

_ASSIGNMENT, _NOTEBOOK = "chapter", "03_attention"


def make_course(folder: Path, cell_seconds: int = 300) -> None:
    """Makes a course folder with the chapter released in it. nbgrader stops a cell after `cell_seconds`."""
    source = folder / "source" / _ASSIGNMENT
    source.mkdir(parents=True)
    shutil.copy(PROJECT / "notebooks" / "solved" / f"{_NOTEBOOK}.ipynb", source)
    (folder / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'benchmark'\nc.Execute.timeout = {cell_seconds}\n"
    )
    _run(folder, "generate_assignment", _ASSIGNMENT, "--force").check_returncode()


def hand_in(folder: Path, student: str, notebook: str) -> None:
    """Writes a student's notebook to the place where `autograde` looks for it."""
    submitted = folder / "submitted" / student / _ASSIGNMENT
    submitted.mkdir(parents=True)
    (submitted / f"{_NOTEBOOK}.ipynb").write_text(notebook)


def autograde(folder: Path, student: str, seconds: float | None = None) -> subprocess.CompletedProcess:
    """Grades one student. The return code is not 0 if the notebook could not be run to its end.

    Raises:
        subprocess.TimeoutExpired: nbgrader took longer than `seconds`.
    """
    return _run(folder, "autograde", _ASSIGNMENT, "--student", student, seconds=seconds)


def graded_notebook(folder: Path, student: str) -> Path:
    """The path of the notebook that `autograde` writes; it does not exist if the student gets no marks."""
    return folder / "autograded" / student / _ASSIGNMENT / f"{_NOTEBOOK}.ipynb"


def points(folder: Path, student: str, chapter: Chapter) -> dict[str, float]:
    """The points of each exercise of a student who has marks."""
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        notebook = gradebook.find_submission_notebook(_NOTEBOOK, _ASSIGNMENT, student)
        scores = {grade.name: grade.auto_score or 0.0 for grade in notebook.grades}
    return {name: scores[check_cell_id(name)] for name in chapter.exercises}


def _run(folder: Path, *command: str, seconds: float | None = None) -> subprocess.CompletedProcess:
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # it looks for alembic
    environment = os.environ | {"PATH": programs, "PYTHONPATH": str(PROJECT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
        timeout=seconds,
    )
