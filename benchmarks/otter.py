"""Runs Otter-Grader in its own environment, because its requirements differ from ours. It is made once, in build/otter.

Each exercise gets a test in Otter's own form, which asks the exercise's check for its points, as our check cells do
under nbgrader. `otter run` is Otter's way to grade without Docker.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import venv
import zipfile
from pathlib import Path

import nbformat

from grading.judging.exercise import Chapter
from grading.storage.project import PROJECT
from grading.submission.cell_ids import check_cell_id

ENVIRONMENT = PROJECT / "build" / "otter"
_VERSION = "otter-grader>=6.1,<7"
_PROGRAM = ENVIRONMENT / "bin" / "otter"

_TEST = """\
import os

from otter.test_files import test_case

OK_FORMAT = False
name = "{name}"
points = {points}


@test_case(points={points})
def test_{name}(env):
    os.environ["NBGRADER_EXECUTION"] = "validate"  # makes the check return its points instead of showing them
    assert env["check"](env["{name}"]) == {points}
"""


class OtterMissing(Exception):
    """Otter cannot be installed here; the message gives the reason."""


def install() -> None:
    """Makes Otter's environment, in which a kernel also finds this project and what it needs.

    Raises:
        OtterMissing: pip cannot install it.
    """
    if _PROGRAM.exists():
        return
    venv.create(ENVIRONMENT, with_pip=True)
    pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet", "--prefer-binary", _VERSION]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(ENVIRONMENT)
        reason = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"pip ended with {done.returncode}"
        raise OtterMissing(f"`pip install '{_VERSION}'` failed: {reason}")
    (packages,) = ENVIRONMENT.glob("lib/python*/site-packages")
    # Comes after Otter's own packages on the path, so that those are found first.
    (packages / "course.pth").write_text(f"{sysconfig.get_path('purelib')}\n{PROJECT}\n")


def write_autograder(path: Path, chapter: Chapter) -> None:
    """Writes Otter's zip file for a chapter, with a test for each exercise."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("otter_config.json", json.dumps({"print_summary": False, "logo": False}))
        for name, exercise in chapter.exercises.items():
            archive.writestr(f"tests/{name}.py", _TEST.format(name=name, points=exercise.points))


def write_submission(notebook: str, to: Path, chapter: Chapter) -> None:
    """Writes a student's notebook without the check cells, which Otter's tests replace."""
    content = nbformat.reads(notebook, as_version=4)
    checks = {check_cell_id(name) for name in chapter.exercises}
    content.cells = [cell for cell in content.cells if cell.id not in checks]
    nbformat.write(content, to)


def run(submission: Path, autograder: Path, folder: Path, seconds: float | None = None) -> None:
    """Grades one submission with `otter run`, which writes `results.json` into the folder.

    Raises:
        subprocess.SubprocessError: Otter failed, or took longer than `seconds`.
    """
    programs = os.pathsep.join([str(_PROGRAM.parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": programs, "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [str(_PROGRAM), "run", "--no-logo", "-a", str(autograder), "-o", str(folder), str(submission)]
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True, timeout=seconds)


def points(results: str) -> dict[str, float]:
    """The points of each exercise, from the text of a `results.json`."""
    return {test["name"]: test.get("score", 0.0) for test in json.loads(results)["tests"]}
