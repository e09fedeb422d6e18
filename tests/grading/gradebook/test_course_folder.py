"""nbgrader's course folder: formgrader finds what belongs to its marks, and nothing that was collected is lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from benchmarks.made_class import ATTENTION, CAUSAL, LAYER, SPLIT, made_record, write_records
from grading.classroom.submission_record import TWICE, SubmissionRecord
from grading.cli import app
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.gradebook import marks
from grading.gradebook.course_folder import released_notebook, write_course
from grading.submission import Person


def hand_in(submissions: Path, body: str) -> None:
    """Ada's notebook, with one exercise written."""
    notebook = released_notebook(chapter(3))
    (cell,) = [cell for cell in notebook.cells if cell.id == "exercise-causal-mask"]
    cell.source = f"def causal_mask(length):\n    return {body}"
    submissions.mkdir(exist_ok=True)
    nbformat.write(notebook, submissions / "ada.ipynb")


def write(course: Path, submissions: Path | None) -> Path:
    """Writes the course folder. Returns Ada's part of `submitted/`."""
    notebook = released_notebook(chapter(3))
    write_course(course, chapter(3), notebook, marks(chapter(3), [made_record("ada")]), submissions)
    return course / "submitted" / "ada" / "03_attention"


def test_a_resubmission_is_shown(tmp_path: Path) -> None:
    for body in ("first_try(length)", "second_try(length)"):
        hand_in(tmp_path / "submissions", body)
        submitted = write(tmp_path / "course", tmp_path / "submissions") / "03_attention.ipynb"
        assert body in submitted.read_text()
        nbformat.validate(nbformat.read(submitted, as_version=4))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("03_attention.ipynb", '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'),
        ("03_attention.ipynb", "[" * 100_000),
        ("03_attention.ipynb", '{"metadata": 3}'),
        ("03_attention.ipynb", "\ud800"),
        ("homework.ipynb", "{}"),
    ],
    ids=["a notebook", "nested", "no notebook", "no text", "another name"],
)
def test_collected_files_stay(name: str, content: str, tmp_path: Path) -> None:
    hand_in(tmp_path / "submissions", "later(length)")
    folder = tmp_path / "course" / "submitted" / "ada" / "03_attention"
    folder.mkdir(parents=True)
    collected = content.encode(errors="surrogatepass")
    (folder / name).write_bytes(collected)
    assert write(tmp_path / "course", tmp_path / "submissions") == folder
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {name: collected}


def test_formgrader_finds_notebooks_with_the_students_code(new_gradebook: Path, tmp_path: Path) -> None:
    """Through the interface that formgrader's own pages call."""
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    course = tmp_path / "course"
    course.mkdir()
    shutil.copy(new_gradebook, course)
    write_records(tmp_path / "results", [made_record("dmitri", {ATTENTION: 5}), made_record("ada")])
    command = ["gradebook", str(tmp_path / "results"), "--course", str(course)]
    handed_in = released_notebook(chapter(3))
    (cell,) = [cell for cell in handed_in.cells if cell.id == "exercise-scaled-dot-product-attention"]
    cell.source = "def scaled_dot_product_attention(query, key, value, mask=None):\n    return my_own_softmax(query)"
    handed_in.cells[0].source = "A diary."
    (tmp_path / "submissions").mkdir()
    nbformat.write(handed_in, tmp_path / "submissions" / "dmitri.ipynb")
    result = CliRunner().invoke(app, [*command, "--submissions", str(tmp_path / "submissions")])
    assert result.exit_code == 0, result.output

    api = NbGraderAPI(CourseDirectory(config=Config({"CourseDirectory": {"root": str(course)}})))
    (assignment,) = api.get_assignments()
    assert (assignment["name"], assignment["average_score"], assignment["max_score"]) == ("03_attention", 20.5, 23)
    assert assignment["num_submissions"] == 2
    handed_in = nbformat.read(course / "submitted" / "dmitri" / "03_attention" / "03_attention.ipynb", as_version=4)
    assert "my_own_softmax" in str(handed_in) and "diary" not in str(handed_in)
    shown = {notebook["student"]: notebook for notebook in api.get_notebook_submissions("03_attention", "03_attention")}
    assert {student: notebook["score"] for student, notebook in shown.items()} == {"dmitri": 18, "ada": 23}

    graded = nbformat.read(course / "autograded" / "dmitri" / "03_attention" / "03_attention.ipynb", as_version=4)
    nbformat.validate(graded)
    cells = {cell.id: cell for cell in graded.cells}
    assert "my_own_softmax" in cells["exercise-scaled-dot-product-attention"].source
    assert "diary" not in str(graded)
    assert "1 of 6 points" in cells["check-scaled-dot-product-attention"].outputs[0].data["text/plain"]
    with pytest.raises(GradingError, match="folder"):
        write_course(course, chapter(3), graded, marks(chapter(3), [made_record("../../ada")]), None)


def test_one_exercise_again_leaves_code_cards_points_and_maxima_of_the_others(
    new_gradebook: Path, tmp_path: Path
) -> None:
    from nbgrader.api import Gradebook

    course, results = tmp_path / "course", tmp_path / "results"
    course.mkdir()
    shutil.copy(new_gradebook, course)
    hand_in(tmp_path / "submissions", "my_own(length)")

    def write(record: SubmissionRecord, *options: object) -> dict[str, nbformat.NotebookNode]:
        write_records(results, [record])
        command = ["gradebook", str(results), "--course", str(course), *map(str, options)]
        CliRunner().invoke(app, command, catch_exceptions=False)
        graded = nbformat.read(course / "autograded" / "ada" / "03_attention" / "03_attention.ipynb", as_version=4)
        nbformat.validate(graded)
        return {cell.id: cell for cell in graded.cells}

    before = made_record("ada", {SPLIT: 2, ATTENTION: 5})
    write(before, "--submissions", tmp_path / "submissions", "--drop", LAYER)
    cells = write(made_record("ada", {CAUSAL: 1}), "--only", SPLIT)
    assert "my_own(length)" in cells["exercise-causal-mask"].source
    cards = {name: cells[f"check-{name}"].outputs[0].data["text/plain"] for name in ("split-heads", "causal-mask")}
    assert "2 of 2 points" in cards["split-heads"] and "1 of 1 point" in cards["causal-mask"]
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        ada = gradebook.find_submission("03_attention", "ada")
        assert (ada.score, ada.max_score) == (8, 13)


def test_formgrader_shows_the_code_of_the_run_before_if_it_gets_no_other(tmp_path: Path) -> None:
    hand_in(tmp_path / "submissions", "first_try(length)")
    shown = tmp_path / "course" / "autograded" / "ada" / "03_attention" / "03_attention.ipynb"
    write(tmp_path / "course", None)
    assert "first_try" not in shown.read_text()
    write(tmp_path / "course", tmp_path / "submissions")
    write(tmp_path / "course", None)
    assert "first_try" in shown.read_text()
    hand_in(tmp_path / "submissions", "second_try(length)")
    write(tmp_path / "course", tmp_path / "submissions")
    assert "second_try" in shown.read_text() and "first_try" not in shown.read_text()
    shown.write_text("[" * 100_000)
    write(tmp_path / "course", None)
    nbformat.validate(nbformat.read(shown, as_version=4))


def test_code_is_shown_if_the_first_student_has_no_submission_of_their_own(tmp_path: Path) -> None:
    hand_in(tmp_path, "my_own(length)")
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    (tmp_path / "ada.ipynb").rename(submissions / "lovelaceada_1_9000_03_attention.ipynb")
    contested = made_record("Ann", problem="2 submissions claim to be this student's, so none counts")
    contested["person"]["submission"], contested["person"]["status"] = "", TWICE
    from_elsewhere = made_record("s2", person=Person("gradescope", "Ben", "s2"))
    ada = made_record("lovelaceada_1", person=Person("canvas", "lovelaceada", "1"))
    counted = marks(chapter(3), [contested, from_elsewhere, ada])
    write_course(tmp_path / "course", chapter(3), released_notebook(chapter(3)), counted, submissions)
    shown = tmp_path / "course" / "autograded" / "lovelaceada_1" / "03_attention" / "03_attention.ipynb"
    assert "my_own(length)" in shown.read_text()


def test_formgrader_counts_a_class_that_nbgrader_collected(new_gradebook: Path, tmp_path: Path, times: Path) -> None:
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    course, results = tmp_path / "course", tmp_path / "results"
    course.mkdir()
    shutil.copy(new_gradebook, course)
    write_records(results, [*map(made_record, ("ada", "dmitri", "grace", "rosa")), made_record("zoe", {LAYER: 3})])
    collected = course / "submitted" / "zoe" / "03_attention"
    collected.mkdir(parents=True)
    (collected / "timestamp.txt").write_text("2026-02-28 10:20:30 UTC")
    (collected / "homework.ipynb").write_text("{}")
    # The file of times says that Ada handed in later than nbgrader knows.
    of_ada = course / "submitted" / "ada" / "03_attention"
    shutil.copytree(collected, of_ada)
    command = ["gradebook", str(results), "--course", str(course), "--times", str(times), "--late-percent", "10"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    api = NbGraderAPI(CourseDirectory(config=Config({"CourseDirectory": {"root": str(course)}})))
    submissions = {submission["student"]: submission for submission in api.get_submissions("03_attention")}
    assert all(submission["autograded"] for submission in submissions.values())
    assert {student: submission["score"] for student, submission in submissions.items()} == {
        "ada": 23,
        "dmitri": 23,
        "grace": 23,
        "rosa": 23,
        "zoe": 20,
    }
    with api.gradebook as gradebook:
        assert gradebook.find_submission("03_attention", "ada").late_submission_penalty == 6.9
    for folder in (collected, of_ada):
        assert {path.name: path.read_text() for path in folder.iterdir()} == {
            "timestamp.txt": "2026-02-28 10:20:30 UTC",
            "homework.ipynb": "{}",
        }
    assert submissions["ada"]["timestamp"] == "2026-02-28T10:20:30"
    assert submissions["grace"]["timestamp"] == "2026-03-05T12:01:00"
    assert api.get_assignment("03_attention", released=[])["num_submissions"] == 5
    times.write_text(times.read_text().replace("2026-03-05T12:01", "2026-03-05T12:02"))  # a correction
    CliRunner().invoke(app, command, catch_exceptions=False)
    of_grace = course / "submitted" / "grace" / "03_attention" / "timestamp.txt"
    assert of_grace.read_text() == "2026-03-05 12:02:00 UTC\n"
    (collected / "timestamp.txt").write_text("yesterday evening")
    with pytest.raises(GradingError, match="does not contain a time"):
        CliRunner().invoke(app, command, catch_exceptions=False)


def test_formgrader_shows_the_time_in_the_download(new_gradebook: Path, tmp_path: Path) -> None:
    from nbgrader.api import Gradebook

    course, results = tmp_path / "course", tmp_path / "results"
    course.mkdir()
    shutil.copy(new_gradebook, course)
    person = Person("gradescope", "Ada", "s1", submitted="2026-11-01T12:00:00+01:00")
    write_records(results, [made_record("ada", person=person)])
    done = CliRunner().invoke(app, ["gradebook", str(results), "--course", str(course)])
    assert done.exit_code == 0, done.output
    noted = course / "submitted" / "ada" / "03_attention" / "timestamp.txt"
    assert noted.read_text() == "2026-11-01 11:00:00 UTC\n"
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        assert gradebook.find_submission("03_attention", "ada").timestamp.isoformat() == "2026-11-01T11:00:00"


def test_a_flagged_submission_needs_a_look_in_formgrader_until_it_had_one(new_gradebook: Path, tmp_path: Path) -> None:
    from nbgrader.api import Gradebook

    course, results = tmp_path / "course", tmp_path / "results"
    course.mkdir()
    shutil.copy(new_gradebook, course)
    database = f"sqlite:///{course}/gradebook.db"

    def write(*records: SubmissionRecord) -> str:
        shutil.rmtree(results, ignore_errors=True)
        write_records(results, records)
        result = CliRunner().invoke(app, ["gradebook", str(results), "--course", str(course)])
        assert result.exit_code == 0, result.output
        return result.output

    def needed() -> dict[str, set[str]]:
        with Gradebook(database) as gradebook:
            submissions = gradebook.assignment_submissions("03_attention")
            return {
                submission.student.id: {g.name for n in submission.notebooks for g in n.grades if g.needs_manual_grade}
                for submission in submissions
            }

    crashed, read_with_care = made_record("ada", crashes=1), made_record("dmitri")
    read_with_care["notes"] = ["its cells have no ids"]
    ready_made = made_record("zoe", {LAYER: 10})
    ready_made["exercises"][-1]["refused"] = ["keras.layers.MultiHeadAttention"]
    said = write(crashed, read_with_care, ready_made)
    commands = said.splitlines()[-2:]
    assert commands[0].split() == ["cd", str(course)] and commands[1].split()[1:2] == ["lab"]
    layer, first = "check-multi-head-attention", "check-scaled-dot-product-attention"
    assert needed() == {"ada": {first}, "dmitri": set(), "zoe": {layer}}

    with Gradebook(database) as gradebook:
        notebook = gradebook.find_submission_notebook("03_attention", "03_attention", "zoe")
        assert notebook.flagged
        next(grade for grade in notebook.grades if grade.name == layer).needs_manual_grade = False
        notebook.flagged = False
        gradebook.db.commit()
    write(crashed, read_with_care, ready_made)
    assert needed() == {"ada": {first}, "dmitri": set(), "zoe": set()}
    write(made_record("ada"), read_with_care, {**ready_made, "crashes": 2})
    assert needed() == {"ada": set(), "dmitri": set(), "zoe": {layer, first}}
