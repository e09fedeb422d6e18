"""A chapter that does not exist is refused, and 0 is not taken for "not given"."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.made_class import made_record, write_records
from grading.cli import app
from grading.semester.take import make_course


@pytest.mark.parametrize(
    "command",
    [
        "audit --chapter 0",
        "mutants 0",
        "hunt 0",
        "sample-class 0",
        "grade {folder} --to {folder}/new --chapter 0",
        "report {folder} --chapter 0",
        "export {folder} --to {folder}/marks.csv --chapter 0",
        "feedback {folder} --to {folder}/pages --for folder --chapter 0",
        "gradebook {folder} --course {folder}/course --chapter 0",
        "defence {folder} ada --chapter 0",
    ],
    ids=lambda command: command.split()[0],
)
def test_there_is_no_chapter_0(command: str, tmp_path: Path) -> None:
    write_records(tmp_path, [made_record("ada")])
    before = sorted(tmp_path.rglob("*"))
    done = CliRunner().invoke(app, [word.format(folder=tmp_path) for word in command.split()])
    assert "there is no chapter 0" in str(done.exception)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_course_has_no_chapter_0(tmp_path: Path) -> None:
    make_course(tmp_path / "course", [3])
    command = ["course", "export", str(tmp_path / "course"), "--to", str(tmp_path / "marks.csv"), "--chapter", "0"]
    assert "chapter 0 is not in course.toml" in str(CliRunner().invoke(app, command).exception)
