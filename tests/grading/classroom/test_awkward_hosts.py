"""The real grader on unusual hosts: no home, few open files, an ordinary user, a path in other alphabets."""

from __future__ import annotations

import csv
import html
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grading.sample_class.make import expected, submissions
from grading.sandbox import kernel
from grading.storage.project import PROJECT

SUBMISSIONS = submissions(3)
EXPECTED = expected(3)
STUDENTS = {"ada": "Ада Лавлейс", "dmitri": "ディミトリ (2)", "grace": "Grace O'Hopper, née Murray"}


def as_an_ordinary_user() -> None:
    """Takes all privileges from this process; what belongs to root belongs to the user that it is then."""
    soft = min(200, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, soft))
    if os.geteuid() == 0:
        kernel.unshare(kernel.CLONE_NEWUSER)
        for file, line in (("setgroups", "deny"), ("uid_map", "1000 0 1"), ("gid_map", "1000 0 1")):
            Path(f"/proc/self/{file}").write_text(line)


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    folder = tmp_path / "出された 課題"
    folder.mkdir()
    for sample, student in STUDENTS.items():
        shutil.copy(SUBMISSIONS / f"{sample}.ipynb", folder / f"{student}.ipynb")
    return folder


def test_a_class_is_graded_as_anywhere_else(submissions: Path, tmp_path: Path) -> None:
    results = tmp_path / "Ergebnisse März" / "класс №3 – εὖ"
    code = "import os; assert os.geteuid(); from grading.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "grade", str(submissions), "--to", str(results)],
        cwd=tmp_path, env={"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin"},
        preexec_fn=as_an_ordinary_user, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    grades = {row["student"]: float(row["points"]) for row in csv.DictReader((results / "grades.csv").open())}
    assert grades == {student: EXPECTED[sample]["points"] for sample, student in STUDENTS.items()}
    for student in STUDENTS.values():
        assert student in done.stdout and student in html.unescape((results / "index.html").read_text())
    assert len(list((results / "students").iterdir())) == len(STUDENTS)
