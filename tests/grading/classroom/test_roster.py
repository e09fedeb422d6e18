"""With a roster, students without a submission are missing, and all others appear under their names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.full_marks import FullMarks
from benchmarks.made_class import made_record
from benchmarks.submissions.layouts import LAYOUTS, NAMESAKES, ROSTER, notebook, roster_for
from grading.classroom import run
from grading.classroom.enrolment import sentences
from grading.classroom.reasons import reasons
from grading.classroom.results import Results
from grading.classroom.roster import Member, read_roster
from grading.classroom.run import grade_class
from grading.cli import app
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.gradebook import canvas_csv, marks, moodle_csv, plain_csv
from grading.report.pages import write_pages
from tests.grading.csv_rows import rows


@pytest.fixture(autouse=True)
def full_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "Grader", FullMarks)


Written = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(text: str) -> Path:
        path = tmp_path / "class.csv"
        path.write_text(text)
        return path

    return write


def status(records: object) -> dict[str, str]:
    return {record["student"]: record["person"]["status"] for record in records}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "first"),
    {
        "our own": (ROSTER, Member("asmith", "Alice Smith", "alice@school.edu", "A")),
        "another order, semicolons, a mark": (
            "\ufeffGroup;E-Mail Address;Last name;First name;Student ID\nA;alice@school.edu;Smith;Alice;asmith\n",
            Member("asmith", "Alice Smith", "alice@school.edu", "A"),
        ),
        "Canvas's gradebook": (
            "Student,ID,SIS User ID,SIS Login ID,Section,Chapter 3 (77)\n"
            '    Points Possible,,,,,23\n"Smith, Alice",1000,s1,asmith,"BERT-01 and BERT-02",\n',
            Member(
                "1000", "Smith, Alice", "", "BERT-01 and BERT-02", ("s1", "asmith"), canvas=("1000", "s1", "asmith")
            ),
        ),
        "Canvas's gradebook, without the school's ids": (
            'Student,ID,Section,Chapter 3 (77)\n    Points Possible,,,23\n"Smith, Alice",1000,A,\n',
            Member("1000", "Smith, Alice", "", "A", canvas=("1000", "", "")),
        ),
        "Canvas's gradebook, with first names and assignments that are posted manually": (
            "LastName,FirstName,ID,SIS Login ID,Section,Chapter 3 (77),Chapter 4 (78)\n"
            ",,,,,Manual Posting (scores hidden from instructors),\n    Points Possible,,,,,23,19\n"
            "Student,Test,999,x1,A,,\nSmith,Alice,1000,asmith,A,,\n",
            Member("1000", "Alice Smith", "", "A", ("asmith",), canvas=("1000", "", "asmith")),
        ),
        "a trial of one's own": ("id,name\n7,Test Student\n", Member("7", "Test Student")),
        "Moodle's participants": (
            '"First name",Surname,"ID number","Email address",Groups\nAlice,Smith,17,alice@school.edu,"A, C"\n',
            Member("17", "Alice Smith", "alice@school.edu", "A, C"),
        ),
        "names alone": ("full name\nAlice Smith\n", Member("Alice Smith", "Alice Smith")),
        "tabs": ("login\tname\nasmith\tAlice Smith\n\n", Member("asmith", "Alice Smith")),
    }.values(),
)
def test_rosters_of_many_forms_are_read_and_kept(text: str, first: Member, written: Written) -> None:
    roster = read_roster(written(text))
    assert roster.members[0] == first
    assert read_roster(written(roster.text())) == roster


@pytest.mark.parametrize(
    ("text", "reason"),
    {
        "nothing": ("", "identifies a student"),
        "no such column": ("colour,size\nred,3\n", r"identifies a student \(colour, size\); its header"),
        "nobody": ("id,name\n\n", "lists no student"),
        "twice": ("id,name\n7,Ada\n8,Bob\n7,Ada\n", "line 4: 7 is already in line 2"),
        "one e-mail": ("id,e-mail\n7,a@b.c\n8,A@b.c\n", "line 3: a@b.c is already in line 2"),
        "too many cells": ("id,name\n7,Smith, Alice\n", "line 2: the line has more cells"),
        "no name": ("id,name,section\n7,Ada,A\n,,B\n", "line 3: the line has no id, no name and no e-mail"),
        "an open quotation mark": ('id,name\n7,"Ada\n', "line 2: unexpected end of data"),
    }.values(),
)
def test_errors_in_a_roster_name_the_line(text: str, reason: str, written: Written) -> None:
    with pytest.raises(GradingError, match=f"class.csv.*{reason}"):
        read_roster(written(text))
    with pytest.raises(GradingError, match=r"none\.csv"):
        read_roster(Path("none.csv"))


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_roster_matches_students_in_every_layout(name: str, tmp_path: Path, written: Written) -> None:
    results = Results(tmp_path / "results", 3)
    found = grade_class(LAYOUTS[name].write_folder(tmp_path), results, roster=written(roster_for(name)))
    shown = status(found)
    assert shown["Nora Nobody"] == "missing"
    if name == NAMESAKES:  # two of one name, and nothing says which is which
        assert sorted(shown.values()) == ["missing"] * 2 + ["same name"] * 4
        return
    assert set(shown) == {"Alice Smith", "Bob O'Neil", "Zoë Weiß", "Nora Nobody"}
    assert set(shown.values()) == {"", "missing"}
    assert shown["Zoë Weiß"] == ("missing" if len(LAYOUTS[name].graded) < 3 else "")
    exported = {row["student"]: row for row in rows(plain_csv(chapter(3), marks(chapter(3), found)))}
    assert exported.keys() == shown.keys()
    assert [exported[student]["email"] for student in sorted(exported)] == [
        "alice@school.edu", "bob@school.edu", "nora@school.edu", "zoe@school.edu"
    ]  # fmt: skip
    full = [row["student"] for row in exported.values() if row["points"] == "23.0"]
    assert len(full) == sum(marker is not None for marker in LAYOUTS[name].graded.values())


def test_a_missing_submission_shows_in_every_table_and_page(tmp_path: Path, written: Written) -> None:
    results = Results(tmp_path / "results", 3)
    records = grade_class(LAYOUTS["Canvas"].write_folder(tmp_path), results, roster=written(ROSTER))
    of = chapter(3)
    graded = {row["student"]: row for row in rows(plain_csv(of, marks(of, records)))}
    assert graded["Nora Nobody"]["problem"] == "missing: nothing was handed in"
    assert (graded["Alice Smith"]["id"], graded["Alice Smith"]["points"]) == ("asmith", "23.0")
    canvas = {row["Student"]: row for row in rows(canvas_csv(of, marks(of, records)))}
    assert canvas["Nora Nobody"]["Chapter 3: Attention"] == ""
    alice = canvas["Alice Smith"]
    assert (alice["ID"], alice["SIS Login ID"], alice["Section"]) == ("1000", "asmith", "A")
    index = write_pages(results.folder, of, records).read_text()
    assert "missing" in index and "Nora Nobody" in index and "3 submissions" in index
    (page,) = (results.folder / "students").glob("Nora-*.html")
    assert "Nothing was handed in." in page.read_text()
    assert sentences(records) == ["Handed in nothing (1): Nora Nobody"]
    assert (results.folder / "roster.csv").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["Canvas", "Gradescope"])
def test_canvas_gets_its_own_ids_back_whatever_the_submissions_came_from(
    name: str, tmp_path: Path, written: Written
) -> None:
    gradebook = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Chapter 3 (77)\n    Points Possible,,,,,23\n"
        '"Smith, Alice",1000,s1,asmith,A,\n"Nobody, Nora",1003,s4,nnobody,A,\n"Ante, Lou",1004,,lante,A,\n'
    )
    results = Results(tmp_path / "results", 3)
    grade_class(LAYOUTS[name].write_folder(tmp_path), results, roster=written(gradebook))
    exported = rows(canvas_csv(chapter(3), marks(chapter(3), results.all())))
    ids = {row["Student"]: (row["ID"], row["SIS User ID"], row["SIS Login ID"], row["Chapter 3: Attention"])
           for row in exported}  # fmt: skip
    assert ids["Smith, Alice"] == ("1000", "s1", "asmith", "23")
    assert ids["Nobody, Nora"] == ("1003", "s4", "nnobody", "")
    assert ids["Ante, Lou"] == ("1004", "", "lante", "")


def test_moodles_worksheet_has_a_row_for_each_known_number(tmp_path: Path, written: Written) -> None:
    results = Results(tmp_path / "results", 3)
    records = grade_class(LAYOUTS["Moodle"].write_folder(tmp_path), results, roster=written(ROSTER))
    table = rows(moodle_csv(chapter(3), marks(chapter(3), records)))
    assert [row["Identifier"] for row in table] == [f"Participant {number}" for number in (12345, 12346, 12347)]


def test_the_roster_is_kept_until_another_one_is_given(tmp_path: Path, written: Written) -> None:
    results = Results(tmp_path / "results", 3)
    folder = LAYOUTS["nbgrader"].write_folder(tmp_path)
    grade_class(folder, results, roster=written(ROSTER))
    assert "Nora Nobody" in status(grade_class(folder, results)) and "Nora Nobody" in status(results.all())
    grade_class(folder, results, roster=written("id,name\nasmith,Alice Smith\n"))
    assert status(results.all()) == {"Alice Smith": "", "boneil": "not on the roster"}


def test_two_submissions_that_claim_one_student_are_reported_and_neither_wins(tmp_path: Path, written: Written) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name in ("asmith", "Alice Smith", "boneil", "stranger"):
        (folder / f"{name}.ipynb").write_bytes(notebook(name))
    results = Results(tmp_path / "results", 3)
    for records in (grade_class(folder, results, roster=written(ROSTER)), results.all()):
        alice = next(record for record in records if record["student"] == "Alice Smith")
        assert alice["earned"] == 0
        assert "2 submissions claim to be this student's" in alice["problem"]
        assert alice["for_instructor"] == ["leave one: Alice Smith, asmith"]
        assert status(records) == {
            "Alice Smith": "claimed twice", "Bob O'Neil": "", "Nora Nobody": "missing", "Zoë Weiß": "missing",
            "stranger": "not on the roster",
        }  # fmt: skip
        assert "Claimed by several submissions (1): Alice Smith" in sentences(records)


def test_a_submission_that_is_removed_counts_in_no_command_until_it_returns(
    tmp_path: Path, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, to, roster = tmp_path / "submissions", tmp_path / "results", written(ROSTER)
    folder.mkdir()
    texts = {name: notebook(name) for name in ("asmith", "Alice Smith")}

    def exported() -> tuple[str, str]:
        """Alice's cell after grading, and what the commands said."""
        graded = CliRunner().invoke(app, ["grade", str(folder), "--to", str(to), "--roster", str(roster)])
        csv = CliRunner().invoke(app, ["export", str(to), "--format", "canvas", "--to", str(to / "marks.csv")])
        assert graded.exit_code == csv.exit_code == 0, graded.output + csv.output
        (alice,) = (row for row in rows((to / "marks.csv").read_text()) if row["Student"] == "Alice Smith")
        return alice["Chapter 3: Attention"], " ".join((graded.output + csv.output).split())

    for name, text in texts.items():
        (folder / f"{name}.ipynb").write_bytes(text)
    cell, said = exported()
    assert cell == "" and "Claimed by several submissions, so none counts until you leave one: Alice Smith" in said
    (folder / "Alice Smith.ipynb").unlink()
    cell, said = exported()
    assert cell == "23" and "so kept but not counted (1): Alice-Smith" in said
    assert status(Results(to, 3).all())["Alice Smith"] == ""
    (folder / "Alice Smith.ipynb").write_bytes(texts["Alice Smith"])
    monkeypatch.setattr(run, "Grader", None)  # nothing is graded again
    assert exported()[0] == ""
    assert status(Results(to, 3).all())["Alice Smith"] == "claimed twice"


def test_names_that_the_wrong_system_gave_are_gone_after_the_right_one(tmp_path: Path, written: Written) -> None:
    folder, results = LAYOUTS["Canvas"].write_folder(tmp_path), Results(tmp_path / "results", 3)
    grade_class(folder, results, system="plain")
    records = grade_class(folder, results, system="canvas", roster=written(ROSTER))
    assert status(results.all()) == status(records)


def test_a_student_whom_several_submissions_claim_has_no_mark_in_other_systems(
    tmp_path: Path, written: Written
) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name in ("asmith", "Alice Smith", "boneil"):
        (folder / f"{name}.ipynb").write_bytes(notebook(name))
    of = chapter(3)
    found = marks(of, grade_class(folder, Results(tmp_path / "results", 3), roster=written(ROSTER)))
    canvas = {row["Student"]: row["Chapter 3: Attention"] for row in rows(canvas_csv(of, found))}
    assert (canvas["Alice Smith"], canvas["Bob O'Neil"]) == ("", "23")
    assert "asmith" not in {row["Username"] for row in rows(moodle_csv(of, found))}


def test_a_number_of_another_system_is_not_taken_for_the_rosters(tmp_path: Path, written: Written) -> None:
    roster = written("id,name\n12345,Mallory Other\n")
    records = grade_class(LAYOUTS["Moodle"].write_folder(tmp_path), Results(tmp_path / "results", 3), roster=roster)
    assert status(records)["Mallory Other"] == "missing"
    assert status(records)["Alice Smith"] == "not on the roster"


@pytest.mark.parametrize("name", ["Zoë Weiß", "weiss_zoe", "Weiß, Zoe", "WEISSZOË", "zoe", "zoe@school.edu", "ZWEISS"])
def test_a_name_is_recognised_in_all_common_forms(name: str, tmp_path: Path, written: Written) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"{name}.ipynb").write_bytes(notebook("zoe"))
    records = grade_class(tmp_path / "in", Results(tmp_path / "results", 3), roster=written(ROSTER))
    assert status(records)["Zoë Weiß"] == ""


@pytest.mark.parametrize("name", ["علی\u200cرضا رضایی", "ශ්\u200dරී පෙරේරා", "\u200fמשה כהן"])
def test_marks_that_no_reader_sees_do_not_keep_a_name_from_its_roster(
    name: str, tmp_path: Path, written: Written
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"{name}.ipynb").write_bytes(notebook("a"))
    records = grade_class(tmp_path / "in", Results(tmp_path / "results", 3), roster=written(f"id,name\n7,{name}\n"))
    assert [(record["person"]["id"], record["person"]["status"]) for record in records] == [("7", "")]


def test_a_login_counts_over_the_beginning_of_another_students_e_mail(tmp_path: Path, written: Written) -> None:
    roster = "id,name,email,login\ns1,John Smith,js@x.edu,jsmith\ns2,Jane Smith,jsmith@x.edu,janes\n"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "jsmith.ipynb").write_bytes(notebook("john"))
    records = grade_class(tmp_path / "in", Results(tmp_path / "results", 3), roster=written(roster))
    assert status(records) == {"Jane Smith": "missing", "John Smith": ""}


def test_who_was_not_graded_yet_is_said_and_not_only_missing(tmp_path: Path, written: Written) -> None:
    folder, results = LAYOUTS["nbgrader"].write_folder(tmp_path), Results(tmp_path / "results", 3)
    grade_class(folder, results, roster=written(ROSTER))
    (bob,) = results.folder.rglob("boneil-*.json")
    bob.unlink()
    for command in (["export", "--to", str(tmp_path / "marks.csv")], ["report"]):
        done = CliRunner().invoke(app, [command[0], str(results.folder), *command[1:]])
        said = " ".join(done.output.split())
        assert (
            done.exit_code == 0 and "so shown as missing (1): boneil. Unless you deleted it, run `grade` again" in said
        )


def test_namesakes_of_two_sections_have_the_same_names_with_and_without_a_section(
    tmp_path: Path, written: Written
) -> None:
    folder, results = tmp_path / "in", Results(tmp_path / "results", 3)
    folder.mkdir()
    for name in ("ann1", "ann2"):
        (folder / f"{name}.ipynb").write_bytes(notebook(name))
    records = grade_class(folder, results, roster=written("id,name,section\nann1,Ann Lee,A\nann2,Ann Lee,B\n"))
    assert [*status(records)] == ["Ann Lee (ann1)", "Ann Lee (ann2)"]
    assert [*status(results.all("A"))] == ["Ann Lee (ann1)"]


def test_students_with_the_same_name_stay_separate(tmp_path: Path) -> None:
    records = grade_class(LAYOUTS["Moodle, without folders"].write_folder(tmp_path), Results(tmp_path / "results", 3))
    assert list(status(records)) == ["Alice Smith (Alice Smith_12345)", "Alice Smith (Alice Smith_12346)"]


def test_students_of_one_name_are_told_apart_by_what_the_system_gives(tmp_path: Path, written: Written) -> None:
    worksheet = (
        "Identifier,Full name,Email address\nParticipant 12345,Alice Smith,a@b.c\nParticipant 12346,Alice Smith,\n"
    )
    folder = LAYOUTS[NAMESAKES].write_folder(tmp_path)
    records = list(grade_class(folder, Results(tmp_path / "results", 3), roster=written(worksheet)))
    assert [(record["person"]["id"], record["person"]["number"], record["person"]["status"]) for record in records] == [
        ("12345", "12345", ""), ("12346", "12346", "")
    ]  # fmt: skip


def test_whose_a_submission_of_two_namesakes_is_is_asked_and_answered_in_the_roster(
    tmp_path: Path, written: Written
) -> None:
    folder, results = LAYOUTS[NAMESAKES].write_folder(tmp_path), Results(tmp_path / "results", 3)
    records = grade_class(folder, results, roster=written("id,name\nas1,Alice Smith\nas2,Alice Smith\n"))
    assert set(status(records).values()) == {"same name"}
    assert not [
        row for row in rows(moodle_csv(chapter(3), marks(chapter(3), records))) if row.get("Username") in ("as1", "as2")
    ]
    asked = [reason.text for record in records for reason in reasons(record) if reason.kind == "same name"]
    assert any(
        "Alice Smith_12345 may be by as1 or as2" in text and "column `login` of the roster" in text for text in asked
    )
    write_pages(results.folder, chapter(3), records)
    pages = "".join(path.read_text() for path in (results.folder / "students").iterdir())
    assert "nothing says by whom" in pages and "roster" not in pages and "as1" not in pages.replace("(as1)", "")
    told = "id,name,login\nas1,Alice Smith,Alice Smith_12346\nas2,Alice Smith,12345\n"
    records = grade_class(folder, results, roster=written(told))
    found = {one["person"]["id"]: (one["person"]["number"], one["person"]["status"]) for one in records}
    assert found == {"as1": ("12346", ""), "as2": ("12345", "")}


def test_a_section_alone_is_graded_shown_and_exported(tmp_path: Path, written: Written) -> None:
    folder, to = LAYOUTS["nbgrader"].write_folder(tmp_path), tmp_path / "results"
    (folder / "submitted" / "zweiss" / "03_attention").mkdir(parents=True)
    (folder / "submitted" / "zweiss" / "03_attention" / "03_attention.ipynb").write_bytes(notebook("zoe"))
    results = Results(to, 3)
    with pytest.raises(GradingError, match="--section needs a roster"):
        grade_class(folder, results, section="A")
    graded: list[str] = []
    records = grade_class(
        folder, results, roster=written(ROSTER), section="A",
        progress=lambda record, done, total: graded.append(record["student"]),
    )  # fmt: skip
    assert sorted(graded) == ["asmith", "boneil"]
    assert list(status(records)) == ["Alice Smith", "Bob O'Neil"]
    grade_class(folder, results)
    exported = CliRunner().invoke(app, ["export", str(to), "--section", "B", "--to", str(to / "b.csv")])
    assert exported.exit_code == 0
    assert [row["student"] for row in rows((to / "b.csv").read_text())] == ["Nora Nobody", "Zoë Weiß"]
    with pytest.raises(GradingError, match="no section 'C'; it has A, B"):
        results.all("C")


def test_the_command_names_the_system_skipped_files_and_missing_students(tmp_path: Path, written: Written) -> None:
    path = LAYOUTS["Canvas, several attempts"].write_archive(tmp_path, wrapped=False)
    to, roster = tmp_path / "results", written(ROSTER)
    result = CliRunner().invoke(app, ["grade", str(path), "--to", str(to), "--roster", str(roster), "--from", "canvas"])
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.split())
    assert "a download from Canvas, 2 students" in said
    assert "Not understood, so not graded: notes from the course.ipynb" in said
    assert "Handed in nothing (2): Nora Nobody, Zoë Weiß" in said
    assert "Nora Nobody" in (to / "grades.csv").read_text()


def test_results_of_an_older_version_are_refused(tmp_path: Path) -> None:
    record = dict(made_record("alice"))
    del record["person"]
    (tmp_path / "records" / "03").mkdir(parents=True)
    (tmp_path / "records" / "03" / "alice.json").write_text(json.dumps({"key": "", "record": record}))
    with pytest.raises(GradingError, match="delete it and grade again"):
        Results(tmp_path, 3).all()
