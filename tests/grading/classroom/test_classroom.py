"""Chapter 3's sample class, graded in the real sandbox: all get the expected results, and nothing is lost."""

from __future__ import annotations

import copy
import errno
import json
import os
import shutil
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from grading.classroom import run
from grading.classroom.grader import Grader
from grading.classroom.results import Results
from grading.classroom.run import grade_class, likeliest_chapter
from grading.classroom.similarity import similar_pairs, starter_fingerprints
from grading.classroom.submission_record import SubmissionRecord
from grading.cli import app
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.gradebook import marks, plain_csv
from grading.report.pages import write_pages
from grading.sample_class.make import expected, submissions
from grading.storage.files import write_file
from grading.submission import find_submissions

pytestmark = pytest.mark.long

SUBMISSIONS = submissions(3)
EXPECTED = expected(3)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Results, dict[str, SubmissionRecord]]:
    results = Results(tmp_path_factory.mktemp("class") / "results", 3)
    records = grade_class(SUBMISSIONS, results)
    return results, {record["student"]: record for record in records}


@pytest.fixture
def no_grader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test in which a submission is graded again."""

    def refuse(self: Grader, *args: object) -> None:
        raise AssertionError("a submission was graded again")

    monkeypatch.setattr(Grader, "prepare", refuse)


def test_the_class_has_all_kinds_of_students() -> None:
    full = chapter(3).points
    assert len(EXPECTED) == 20
    assert sum(expected["points"] == full for expected in EXPECTED.values()) == 3
    assert sum(bool(expected["mistakes"]) for expected in EXPECTED.values()) == 13


@pytest.mark.parametrize("student", EXPECTED)
def test_every_student_gets_what_is_expected(student: str, graded) -> None:
    _, records = graded
    record, expected = records[student], EXPECTED[student]
    assert {exercise["name"]: exercise["earned"] for exercise in record["exercises"]} == expected["exercises"]
    assert record["earned"] == expected["points"]
    for exercise in record["exercises"]:
        said = [mistake["sentence"] for mistake in exercise["mistakes"]]
        if exercise["name"] in expected["mistakes"]:
            assert expected["mistakes"][exercise["name"]] in said


def test_students_without_a_mistake_get_no_diagnosis(graded) -> None:
    _, records = graded
    for student in ("ada", "boris", "chiara", "petra", "rosa"):
        assert not any(exercise["mistakes"] for exercise in records[student]["exercises"])


def test_one_mistake_is_paid_for_once(graded) -> None:
    _, records = graded
    layer = next(e for e in records["farid"]["exercises"] if e["name"] == "MultiHeadAttention")
    assert layer["passed"]
    assert "right with a correct `split_heads`" in layer["checks"][0]["message"]


def test_crashes_and_hangs_are_said_in_words(graded) -> None:
    _, records = graded
    messages = {
        student: [check["message"] for exercise in records[student]["exercises"] for check in exercise["checks"]]
        for student in ("quentin", "rosa")
    }
    assert any("no answer within" in message for message in messages["rosa"])
    assert any("ended" in message or "crashed" in message for message in messages["quentin"])
    assert {student for student, record in records.items() if record["crashes"]} == {"quentin", "rosa"}
    for record in records.values():
        assert sum(exercise.get("crashes", 0) for exercise in record["exercises"]) == record["crashes"]


def test_code_that_the_whole_class_shares_is_not_suspicious(graded) -> None:
    _, records = graded
    solutions = {student: record["fingerprints"] for student, record in records.items()}
    assert len(solutions["ada"]["MultiHeadAttention"]) > 60
    assert not similar_pairs(solutions, starter_fingerprints(chapter(3)))


def test_a_hostile_submission_gains_nothing_and_is_flagged(graded) -> None:
    results, records = graded
    refused = {exercise["name"]: exercise["refused"] for exercise in records["trudy"]["exercises"]}
    assert {"exec", "open", "subprocess.run"} <= set(refused["scaled_dot_product_attention"])
    assert refused["MultiHeadAttention"] == ["keras.layers.MultiHeadAttention"]
    assert not (SUBMISSIONS.parent / "grades.csv").exists()
    assert {path.name for path in results.folder.iterdir()} == {"records", "secret"}


def test_results_and_their_secret_are_readable_by_their_owner_alone(graded) -> None:
    results, _ = graded
    assert results.folder.stat().st_mode & 0o077 == 0
    assert (results.folder / "secret").stat().st_mode & 0o077 == 0
    assert Results(results.folder, 3).secret == results.secret


@pytest.mark.usefixtures("no_grader")
def test_results_among_the_submissions_are_refused_before_they_count_as_a_student(tmp_path: Path) -> None:
    shutil.copy(SUBMISSIONS / "ada.ipynb", tmp_path)
    with pytest.raises(GradingError, match="name another folder"):
        grade_class(tmp_path, Results(tmp_path / "results", 3))
    assert [path.name for path in tmp_path.iterdir()] == ["ada.ipynb"]


@pytest.mark.usefixtures("no_grader")
def test_a_second_run_grades_nobody_and_gives_the_same_records(graded) -> None:
    results, records = graded
    assert {r["student"]: r for r in grade_class(SUBMISSIONS, Results(results.folder, 3))} == records


def test_a_changed_submission_is_graded_again(graded, tmp_path: Path) -> None:
    results, _ = graded
    submissions, copy = tmp_path / "submissions", tmp_path / "results"
    submissions.mkdir()
    shutil.copytree(results.folder, copy)
    for student in ("ada", "grace"):
        shutil.copy(SUBMISSIONS / f"{student}.ipynb", submissions)
    shutil.copy(SUBMISSIONS / "ada.ipynb", submissions / "grace.ipynb")
    graded_now = []
    records = grade_class(
        submissions, Results(copy, 3), progress=lambda record, done, total: graded_now.append((done, total))
    )
    assert [record["earned"] for record in records] == [23, 23]
    assert graded_now == [(1, 2), (2, 2)]


def test_an_interrupted_run_resumes_and_gives_the_same_records(tmp_path: Path, graded) -> None:
    earlier, records = graded
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    students = ("grace", "mateo", "quentin")  # a mistake, an error and a crash
    for student in students:
        shutil.copy(SUBMISSIONS / f"{student}.ipynb", submissions)
    results = Results(tmp_path / "results", 3)
    write_file(results.folder / "secret", earlier.secret.hex())

    def stop(record: SubmissionRecord, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade_class(submissions, results, jobs=1, progress=stop)
    assert len(results.all()) == 1
    again = []
    finished = grade_class(submissions, results, progress=lambda record, done, total: again.append(record["student"]))
    assert len(again) == 3
    assert list(finished) == [records[name] for name in students]


def test_bad_input_costs_itself_only(tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    shutil.copy(SUBMISSIONS / "ada.ipynb", submissions)
    (submissions / "empty.ipynb").write_text("")
    (submissions / "text.ipynb").write_text("I forgot to export it.")
    (submissions / "zip.zip").write_bytes(b"PK\x03\x04 not really")
    other = {"cells": [{"cell_type": "code", "source": "def gelu(x): ...", "metadata": {}, "outputs": []}]}
    (submissions / "other.ipynb").write_text(json.dumps({**other, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}))
    (submissions / "unreadable.ipynb").symlink_to("/nowhere")
    records = {record["student"]: record for record in grade_class(submissions, Results(tmp_path / "results", 3))}
    assert records.pop("ada")["earned"] == 23
    assert set(records) >= {"empty", "text", "zip", "other"}
    for student, record in records.items():
        assert record["earned"] == 0, student
        assert record["problem"], student
    assert "chapter 3" in records["other"]["problem"]


def test_a_folder_with_nothing_to_grade_is_named(tmp_path: Path) -> None:
    with pytest.raises(GradingError, match=str(tmp_path)):
        grade_class(tmp_path, Results(tmp_path / "results", 3))
    result = CliRunner().invoke(app, ["grade", str(tmp_path / "none"), "--to", str(tmp_path / "results")])
    assert result.exit_code != 0


def test_a_full_disk_ends_the_run_with_a_clear_error_and_no_half_file(
    graded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, _ = graded
    shutil.copytree(results.folder / "records", tmp_path / "records")
    full = Results(tmp_path, 3)
    (tmp_path / "secret").write_text(b"of another class".hex())  # so that none of the records is of these inputs

    def no_space(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_space)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(GradingError, match="No space left"):
        grade_class(SUBMISSIONS, full, jobs=1)
    assert sorted(tmp_path.rglob("*")) == before


def test_pages_and_table_hold_what_was_graded(graded, tmp_path: Path) -> None:
    _, records = graded
    index = write_pages(tmp_path, chapter(3), list(records.values()))
    assert len(list((tmp_path / "students").iterdir())) == len(records)
    assert "The scores are not divided by √d_k." in index.read_text()
    (tmp_path / "grades.csv").write_text(plain_csv(chapter(3), marks(chapter(3), records.values())))
    table = pd.read_csv(tmp_path / "grades.csv").set_index("student")
    assert table.loc["elif", "scaled_dot_product_attention"] == 3.5
    assert table["points"].to_dict() == {student: expected["points"] for student, expected in EXPECTED.items()}


def test_names_of_students_are_never_markup_or_formulas(graded, tmp_path: Path) -> None:
    _, records = graded
    evil = {**records["ada"], "student": "=HYPERLINK(1)<script>alert(1)</script>/../x"}
    index = write_pages(tmp_path, chapter(3), [evil])
    pages = [index, *(tmp_path / "students").iterdir()]
    assert len(pages) == 2
    assert not any("<script>alert" in page.read_text() for page in pages)
    assert "'=HYPERLINK" in plain_csv(chapter(3), marks(chapter(3), [evil]))


def test_the_chapter_of_a_class_is_found() -> None:
    assert likeliest_chapter(SUBMISSIONS) == 3


def test_without_isolation_nothing_is_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grading.sandbox import client
    from grading.sandbox.host import SandboxUnavailable

    def unavailable(*_: object) -> None:
        raise SandboxUnavailable("no namespaces")

    monkeypatch.setattr(client, "choose_backend", unavailable)
    with pytest.raises(SandboxUnavailable):
        run.grade_class(SUBMISSIONS, Results(tmp_path, 3))
    assert not list(tmp_path.rglob("*.json"))


def test_regrading_one_exercise_keeps_the_points_of_the_others(
    graded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, records = graded
    monkeypatch.setattr(Grader, "prepare", lambda self, number: None)
    monkeypatch.setattr(Grader, "grade", lambda self, file, number: records[file.student])
    submissions, results = tmp_path / "submissions", Results(tmp_path / "results", 3)
    submissions.mkdir()
    for student in ("dmitri", "hiro"):
        shutil.copy(SUBMISSIONS / f"{student}.ipynb", submissions)
    (dmitri, _) = find_submissions(submissions)
    wrong = copy.deepcopy(records["dmitri"])  # an earlier grader saw it otherwise, and hiro not at all
    for exercise in wrong["exercises"]:
        exercise["earned"] = 0.5
    results.write(dmitri, wrong)
    first, second = grade_class(submissions, results, regrade=["causal_mask"])
    earned = {exercise["name"]: exercise["earned"] for exercise in first["exercises"]}
    assert earned == {**dict.fromkeys(chapter(3).exercises, 0.5), "causal_mask": 1}
    assert (first["earned"], second["earned"]) == (3.5, records["hiro"]["earned"])
    assert list(results.all()) == [first, second]
    with pytest.raises(GradingError, match="no exercise 'gelu'"):
        grade_class(submissions, results, regrade=["gelu"])
