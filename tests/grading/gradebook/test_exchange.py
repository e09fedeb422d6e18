"""JupyterHub's way: nbgrader's own commands hand out the bundle, collect it, and give back what the grader found."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from grading.cli import app
from grading.release import release_for
from grading.release.bundle import written_files
from grading.submission.cell_ids import exercise_cell_id
from tests.grading.release.type_in import reference

pytestmark = pytest.mark.long

NAME, STUDENT = "03_attention", "ada"


@pytest.fixture
def nbgrader(tmp_path: Path) -> Callable[..., str]:
    """Runs a command of nbgrader as the instructor, or as a student with a folder of their own."""
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    settings = f'c = get_config()\nc.Exchange.root = "{exchange}"\nc.CourseDirectory.course_id = "bert"\n'
    # nbgrader starts alembic by its name.
    path = f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}"

    def run(folder: str, *words: str) -> str:
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        config = tmp_path / f"{folder}-config"
        config.mkdir(exist_ok=True)
        (config / "nbgrader_config.py").write_text(settings)
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *words],
            cwd=place,
            env={**os.environ, "PATH": path, "HOME": str(place), "JUPYTER_CONFIG_DIR": str(config)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    return run


def test_a_chapter_goes_out_and_comes_back_through_the_exchange(nbgrader: Callable[..., str], tmp_path: Path) -> None:
    course, home = tmp_path / "course", tmp_path / STUDENT
    release_for("github", 3, course / "release" / NAME, "visible", lambda: written_files(3))
    nbgrader("course", "release_assignment", NAME)

    nbgrader(STUDENT, "fetch_assignment", NAME)
    path = home / NAME / f"{NAME}.ipynb"
    assert (home / NAME / "course" / "attention.py").is_file()
    notebook = nbformat.read(path, as_version=4)
    answers = {**reference(3), "causal_mask": "def causal_mask(length):\n    return 1 / 0"}
    cells = {cell.id: cell for cell in notebook.cells}
    for name, answer in answers.items():
        cells[exercise_cell_id(name)].source = answer
    nbformat.write(notebook, path)
    nbgrader(STUDENT, "submit", NAME)

    nbgrader("course", "collect", NAME)
    for command in (
        ["grade", str(course / "submitted"), "--to", str(tmp_path / "results")],
        ["gradebook", str(tmp_path / "results"), "--course", str(course)],
    ):
        assert CliRunner().invoke(app, command, catch_exceptions=False).exit_code == 0

    nbgrader("course", "generate_feedback", NAME)
    nbgrader("course", "release_feedback", NAME)
    nbgrader(STUDENT, "fetch_feedback", NAME)
    (page,) = home.rglob("feedback/**/*.html")
    text = page.read_text()
    assert "(Score: 22.0 / 23.0)" in text and "ZeroDivisionError" in text
