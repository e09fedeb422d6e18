"""When students handed in: from the download where a system's clock says so, and the instructor's file over that."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.made_class import made_record, write_records
from benchmarks.submissions.layouts import LAYOUTS, notebook
from grading.cli import app
from grading.errors import GradingError
from grading.gradebook import read_lateness
from grading.gradebook.lateness import read_time
from grading.submission import Person, find_submissions

DUE = "2026-11-01T00:00+01:00"


def times_in(name: str, to: Path) -> dict[str, str]:
    found = find_submissions(LAYOUTS[name].write_folder(to))
    return {file.student: "late" if file.person.late else file.person.submitted for file in found}


@pytest.mark.parametrize(
    ("name", "times"),
    {
        "Canvas": {"smithalice_1000": "", "oneilbob_1001": "late", "weißzoë_1002": ""},
        "Canvas, several attempts": {"smithalice_1000": "late", "oneilbob_1001": ""},
        "Gradescope": {
            "asmith": "2026-11-01T11:00:00+00:00",
            "007": "2026-11-01T12:00:00+00:00",
            "zoe@school.edu": "2026-11-01T12:00:00+00:00",
        },
        "Blackboard": {"asmith": "2026-11-01T18:30:00", "bob_o": "2026-11-01T12:00:00"},
        "Brightspace": {"Alice Smith_12345": "2026-11-01T12:00:00", "Bob O'Neil_12346": "2026-10-31T23:59:00"},
        "nbgrader": {"asmith": "", "boneil": ""},  # `nbgrader submit` writes the time on the student's side
        "GitHub Classroom": {"asmith": "", "bob-oneil": "", "zoe": ""},  # a commit has the time that its author gives
        "Moodle": {"Alice Smith_12345": "", "Bob O'Neil_12346": "", "Zoë Weiß_12347": ""},
    }.items(),
)
def test_a_download_gives_the_times_of_the_systems_own_clock(name: str, times: dict[str, str], tmp_path: Path) -> None:
    assert times_in(name, tmp_path) == times


def test_what_a_students_code_prints_is_no_time(tmp_path: Path) -> None:
    folder = LAYOUTS["Gradescope"].write_folder(tmp_path)
    metadata = folder / "submission_metadata.yml"
    printed = "  :results:\n    output: |-\n      :created_at: 2020-01-01 00:00:00.0 Z\n"
    text = metadata.read_text().replace("  :created_at: 2026-11-01 11", f"{printed}  :created_at: 2026-11-01 11")
    metadata.write_text(
        text.replace("output: |-\n", "output: |-\n      \u2028  :created_at: 2020-01-01 00:00:00.0 Z\n")
    )
    asmith = next(file for file in find_submissions(folder) if file.student == "asmith")
    assert asmith.person.submitted == "2026-11-01T11:00:00+00:00"


def test_a_students_file_name_is_no_time(tmp_path: Path) -> None:
    for name in (
        "oneilbob_1001_9001_x_LATE_1000_9000_03.ipynb",
        "jonesmal_LATE_1002_9002_Chapter 3_mjones_attempt_2020-01-01-12-00-00_03.ipynb",
    ):
        (tmp_path / name).write_bytes(notebook(name))
    assert [(file.person.late, file.person.submitted) for file in find_submissions(tmp_path)] == [
        (True, ""),
        (False, ""),
    ]


def test_late_days_follow_from_the_download_and_the_deadline() -> None:
    lateness = read_lateness(None, 3, free_days=1, percent=10, deadline=read_time(DUE))
    late = lateness.of(["ada"], "2026-11-02T12:00:00")  # a time without a zone is in that of the deadline
    assert late and (late.days, late.free, lateness.penalty(late, 20.0)) == (2, 1, 2.0)
    utc = lateness.of(["ada"], "2026-10-31T23:30:00+00:00")  # half an hour late in Berlin
    assert utc and utc.days == 1
    assert lateness.of(["ada"], "") is None and lateness.due == read_time(DUE)
    with pytest.raises(GradingError, match="write the deadline with one"):
        read_lateness(None, 3, deadline=read_time("2026-11-01T00:00")).of(["ada"], "2026-11-02T12:00:00+00:00")


def test_the_file_of_times_counts_over_the_download_and_may_only_extend(tmp_path: Path) -> None:
    times = tmp_path / "times.csv"
    times.write_text(
        "student,chapter,due,submitted\n"
        "ada,2,2026-10-01T00:00Z,2026-10-01T01:00Z\n"
        f"ada,3,{DUE},2026-11-01T01:00+01:00\n"
        "bob,3,2026-11-05T00:00+01:00,\n"
        "cleo,4,2026-12-01T00:00Z,2026-12-02T00:00Z\n"  # later, so it takes no free day from chapter 3
        "dora,2,2026-10-01T00:00Z,2026-10-02T00:00Z\n"
    )
    lateness = read_lateness(times, 3, free_days=1, percent=10, deadline=read_time(DUE))
    ada, bob, cleo = (lateness.of([name], "2026-11-04T12:00:00+01:00") for name in ("ada", "bob", "cleo"))
    assert ada and bob and cleo
    assert [(late.days, late.free) for late in (ada, bob, cleo)] == [(1, 0), (0, 0), (4, 1)]
    dora = lateness.of(["dora"], "2026-11-01T12:00:00")
    assert dora and (dora.days, dora.free) == (1, 0)
    with pytest.raises(GradingError, match="or none, and --due as well"):
        read_lateness(times, 3, deadline=read_time("2026-11-01T00:00"))
    with pytest.raises(GradingError, match="lists one student as ada and as bob"):
        lateness.of(["ada", "bob"], "")


@pytest.mark.parametrize("deadline", [DUE, None])
def test_a_row_that_only_extends_grants_no_free_day_twice(deadline: str | None, tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text(
        "student,chapter,due,submitted\n"
        "ada,2,2026-11-02T00:00+01:00,2026-11-02T12:00+01:00\n"  # after the deadline, and before Ada's own
        "ada,3,2026-11-05T00:00+01:00,\n"
        "ben,3,2026-10-20T00:00+01:00,\n"
        "ben,2,2026-10-25T00:00+01:00,2026-10-25T12:00+01:00\n"  # after Ben's own
    )
    due = read_time(deadline) if deadline else None
    lateness = read_lateness(tmp_path / "times.csv", 3, free_days=1, deadline=due)
    ada, ben = lateness.of(["ada"], "2026-11-05T12:00+01:00"), lateness.of(["ben"], "2026-10-20T12:00+01:00")
    assert ada and ben and [(late.days, late.free) for late in (ada, ben)] == [(1, 0), (1, 1)]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    people = {
        "ada": Person("brightspace", "ada", "1", submitted="2026-11-01T12:00:00"),
        "bob": Person("canvas", "bob", "2", late=True),
        "cleo": Person("moodle", "cleo", "3"),
        "dan": Person("moodle", "dan", "4"),
        "4": Person("gradescope", "", "4"),
    }
    write_records(tmp_path / "results", [made_record(name, person=person) for name, person in people.items()])
    return tmp_path / "results"


def test_the_command_counts_late_days_and_says_whose_time_is_unknown(results: Path, tmp_path: Path) -> None:
    to = tmp_path / "marks.csv"
    command = ["export", str(results), "--to", str(to), "--due", DUE, "--late-percent", "10"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "does not say when, and counted as on time until --times says when: bob" in said
    assert "so counted as on time: 4, cleo, dan" in said
    rows = {row["student"]: row for row in csv.DictReader(to.open())}
    assert (rows["ada"]["submitted"], rows["ada"]["late_days"]) == ("2026-11-01T12:00:00+01:00", "1")
    assert (rows["bob"]["submitted"], rows["bob"]["penalty"], rows["cleo"]["submitted"]) == ("late", "0.0", "")
    CliRunner().invoke(app, [*command, "--anonymous"], catch_exceptions=False)
    assert "2026-11-01" not in to.read_text() and ",1,0,2.3," in to.read_text()


def test_without_a_file_of_times_a_chapter_says_that_it_has_its_own_free_days(results: Path, tmp_path: Path) -> None:
    command = ["export", str(results), "--to", str(tmp_path / "marks.csv"), "--free-days", "2"]
    warning = "The free days are those of this chapter alone, because no --times lists the other chapters"
    assert warning in " ".join(CliRunner().invoke(app, [*command, "--due", DUE]).output.split())
    (tmp_path / "times.csv").write_text(f"student,due,submitted\nada,{DUE},{DUE}\n")
    listed = CliRunner().invoke(app, [*command, "--times", str(tmp_path / "times.csv")])
    assert listed.exit_code == 0 and "chapter alone" not in " ".join(listed.output.split())


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("adda,2026-11-01T23:59,2026-11-01T12:00", "lists adda, who is not in the class; did you mean ada?"),
        ("zzz,2026-11-01T23:59,2026-11-01T12:00", "lists zzz, who is not in the class; correct the line"),
        (
            "ada,2026-11-01T23:59,2026-11-01T12:00\n1,2026-11-01T23:59,2026-11-01T12:00",
            "lists one student as ada and as 1; leave one",
        ),
        ("ada,2026-11-01", "line 2: the line has 2 cells and the header 3"),
        ("4,2026-11-01T23:59,2026-11-01T12:00", "lists 4, which may be 4 or dan; write one of these instead"),
    ],
)
def test_a_row_of_times_that_fits_nobody_is_an_error(row: str, complaint: str, results: Path, tmp_path: Path) -> None:
    (tmp_path / "times.csv").write_text(f"student,due,submitted\n{row}\n")
    command = ["export", str(results), "--to", str(tmp_path / "out.csv"), "--times", str(tmp_path / "times.csv")]
    assert complaint in str(CliRunner().invoke(app, command).exception)


@pytest.mark.parametrize(
    ("due", "complaint"),
    [
        ("Sunday", "'Sunday'"),
        ("2026-03-01", "'2026-03-01' has no time of day"),
        ("20260301 ", "'20260301' has no time of day"),
        ("2026-W09-7", "'2026-W09-7' has no time of day"),
    ],
)
def test_a_deadline_that_is_no_time_is_refused(due: str, complaint: str, results: Path, tmp_path: Path) -> None:
    command = ["export", str(results), "--to", str(tmp_path / "out.csv"), "--due", due]
    said = str(CliRunner().invoke(app, command).exception)
    assert complaint in said and said.endswith("; write times as 2026-03-01T23:59+01:00")
