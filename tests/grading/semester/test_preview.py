"""What a regrade would change is shown for each student, and nothing is changed before it is applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.made_class import CAUSAL, LAYER, SPLIT, made_record
from grading.classroom import run
from grading.classroom.submission_record import SubmissionRecord
from grading.errors import GradingError
from grading.semester.course import Course
from grading.submission import SubmissionFile, read_files
from tests.grading.classroom.quick_grader import QuickGrader
from tests.grading.semester.test_course import make
from tests.grading.semester.test_course import run as run_command


class StandIn(QuickGrader):
    """Takes the points that a submission names away."""

    strict = False

    def grade(self, file: SubmissionFile, number: int) -> SubmissionRecord:
        handed_in = read_files(file)
        lost = dict.fromkeys(bytes(handed_in.contents[0][1]).decode().split(), 1.0)
        record = made_record(file.student, {**lost, **({SPLIT: 2.0} if self.strict else {})}, number=number)
        return {**record, "submission_sha256": handed_in.sha256}


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_preview_names_each_change_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "Grader", StandIn)
    course, submissions = tmp_path / "course", tmp_path / "submissions"
    make(course)
    submissions.mkdir()
    for student, text in {"ada": LAYER, "王伟": CAUSAL}.items():
        (submissions / f"{student}.ipynb").write_text(text)
    run_command("course", "grade", course, 3, submissions)
    run_command("override", course, "王伟", SPLIT, 1.5, "--why", "seen in person")
    before = contents(course)
    monkeypatch.setattr(StandIn, "strict", True)
    regrade = ("course", "grade", course, 3, submissions, "--regrade", SPLIT)
    said = run_command(*regrade, "--preview")
    assert f"ada: {SPLIT}: 2 -> 0\n" in said
    assert f"王伟: {SPLIT}: 2 -> 0, but 1.5 given by hand stay\n" in said
    assert "2 would change" in said
    assert contents(course) == before
    run_command(*regrade)
    points = {standing.student: standing.marks[3].points for standing in Course(course).standings()}  # type: ignore[union-attr]
    assert points == {"ada": 20, "王伟": 21.5}


def test_a_regrade_of_a_download_leaves_what_a_later_one_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "Grader", StandIn)
    course, first, second = tmp_path / "course", tmp_path / "first", tmp_path / "second"
    make(course)
    for folder, works in ((first, {"ada": "", "ben": LAYER}), (second, {"ben": ""})):
        folder.mkdir()
        for student, work in works.items():
            (folder / f"{student}.ipynb").write_text(work)

    def points() -> dict[str, float]:
        return {standing.student: standing.marks[3].points for standing in Course(course).standings()}  # type: ignore[union-attr]

    assert "Graded from" not in run_command("course", "grade", course, 3, first)
    said = run_command("course", "grade", course, 3, second)
    assert f"Graded from {first} before; the files here count now (1): ben\n" in said
    assert points() == {"ada": 23, "ben": 23}
    monkeypatch.setattr(StandIn, "strict", True)
    regrade = ("course", "grade", course, 3, first, "--regrade", SPLIT)
    assert "\n1 would change" in run_command(*regrade, "--preview")
    said = run_command(*regrade)
    assert f"Graded from {second} with other contents, so left as they are" in said and "(1): ben\n" in said
    assert points() == {"ada": 21, "ben": 23}
    run_command("course", "grade", course, 3, second, "--regrade", SPLIT)
    assert points() == {"ada": 21, "ben": 21}
    run_command("course", "grade", course, 3, first)  # without --regrade, the one graded last counts
    assert points() == {"ada": 21, "ben": 20}


def test_a_preview_needs_an_exercise_and_results(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "submissions").mkdir()
    words = ("course", "grade", tmp_path, 3, tmp_path / "submissions", "--preview")
    with pytest.raises(GradingError, match="name an exercise with --regrade"):
        run_command(*words)
    with pytest.raises(GradingError, match="cannot copy the results of chapter 3"):
        run_command(*words, "--regrade", SPLIT)
