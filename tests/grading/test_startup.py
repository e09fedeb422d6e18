"""Commands that need no framework start without one and print no logs. Each runs in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grading.sample_class.make import submissions
from grading.storage.project import PROJECT

FRAMEWORKS = ("tensorflow", "keras", "torch", "jax")
SUBMISSIONS = submissions(1)
SOLVED = PROJECT / "notebooks" / "solved" / "01_tokenization.ipynb"

# Runs a command, and prints at its end the frameworks that it imported.
RUN = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps([name for name in {frameworks} if name in sys.modules])))
sys.argv = ["program", *sys.argv[1:]]
{code}
"""


def run(code: str, *arguments: str, folder: Path = PROJECT) -> tuple[list[str], subprocess.CompletedProcess[str]]:
    """The frameworks that were imported, and the whole process."""
    program = RUN.format(frameworks=FRAMEWORKS, code=code)
    environment = {"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin", "MY_BERT": "", "COLUMNS": "200"}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    return json.loads(done.stdout.splitlines()[-1]), done


def grading(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of `python -m grading` that must import no framework, say nothing on the side, and succeed."""
    imported, done = run("from grading.cli import main; main()", *arguments)
    assert (done.returncode, done.stderr, imported) == (0, "", [])
    return done


@pytest.mark.parametrize(
    "command", ["", "build", "release", "grade", "report", "export", "gradebook", "check", "audit", "sample-class"]
)
def test_help_imports_no_framework(command: str) -> None:
    assert "Usage" in grading(*filter(None, [command]), "--help").stdout


@pytest.mark.parametrize("command", ["", "prepare", "pretrain", "finetune", "evaluate", "predict"])
def test_help_of_the_course_imports_no_framework(command: str) -> None:
    imported, done = run("from course.cli import main; main()", *filter(None, [command]), "--help")
    assert "Usage" in done.stdout
    assert (done.stderr, imported) == ("", [])


def test_the_version_is_the_projects() -> None:
    assert f'version = "{grading("--version").stdout.splitlines()[0]}"' in (PROJECT / "pyproject.toml").read_text()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded class of chapter 1, whose exercises are plain Python."""
    to = tmp_path_factory.mktemp("class")
    _, done = run("from grading.cli import main; main()", "grade", str(SUBMISSIONS), "--to", str(to))
    assert (to / "grades.csv").exists(), done.stderr
    return to


def test_a_class_that_has_not_changed_is_graded_without_a_framework(results: Path) -> None:
    before = (results / "grades.csv").read_bytes()
    imported, done = run("from grading.cli import main; main()", "grade", str(SUBMISSIONS), "--to", str(results))
    assert (done.returncode, imported) == (0, [])
    assert (results / "grades.csv").read_bytes() == before


def test_what_is_graded_is_written_down_without_a_framework(results: Path, tmp_path: Path) -> None:
    grading("report", str(results))
    grading("export", str(results), "--to", str(tmp_path / "marks.csv"), "--format", "canvas")
    assert (tmp_path / "marks.csv").exists()


def test_marks_reach_nbgrader_without_a_framework(results: Path, tmp_path: Path) -> None:
    code = "from grading.cli import main; main()"
    imported, done = run(code, "gradebook", str(results), "--course", str(tmp_path / "course"))
    assert (done.returncode, imported) == (0, []), done.stderr
    assert (tmp_path / "course" / "gradebook.db").exists()


def test_a_notebook_of_chapter_1_is_checked_without_a_framework() -> None:
    assert "✓ pack_pair" in grading("check", str(SOLVED)).stdout


FIRST_CHECK = """
import linecache
cells = {cell["id"]: "".join(cell["source"]) for cell in json.load(open(sys.argv[1]))["cells"]}
for name, source in cells.items():
    if name == "setup" or name.startswith("given-") or name.endswith("-basic-tokenize") and name[:4] != "task":
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        exec(compile(source, name, "exec"), globals())
"""


def test_the_first_check_of_the_course_imports_no_framework() -> None:
    imported, done = run(FIRST_CHECK, str(SOLVED))
    assert "✓ basic_tokenize: 5.5 of 5.5 points" in done.stdout
    assert (done.stderr, imported) == ("", [])


def test_checks_are_registered_without_a_framework_and_without_the_library() -> None:
    code = """
from grading.exercises.registry import chapters
library = [name for name in sys.modules if name.startswith("course.") and "environment" not in name]
print(len(chapters()), library)
"""
    imported, done = run(code)
    assert (done.stdout.splitlines()[0], imported) == ("15 []", [])
