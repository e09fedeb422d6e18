"""A course's folder: who is who, what counts, what is given by hand, and files that do not fit."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.full_marks import FullMarks
from benchmarks.made_class import ATTENTION, CAUSAL, LAYER, SPLIT, made_record, write_records
from benchmarks.submissions.layouts import notebook
from grading.classroom import run as grading_run
from grading.classroom.submission_record import MISSING, SubmissionRecord
from grading.cli import app
from grading.errors import GradingError
from grading.semester.course import Course, Standing, chapter_folder
from grading.semester.page import overviews, write_page
from grading.semester.spreadsheets import canvas_csv, course_csv
from grading.semester.take import make_course
from grading.storage.files import write_file
from grading.submission import Person
from tests.grading.csv_rows import rows

ROSTER = (
    "id,name,email,login,section\ns1,Ada Lovelace,ada@u.edu,alovelace,A\ns2,王伟,wei1@u.edu,,A\ns3,王伟,wei2@u.edu,,B\n"
)
WORDPIECE, PAIRS = "wordpiece_tokenize", "sentence_pairs"
SETTINGS = """\
version = 1
name = "Autumn"
{more}
[late]
free_days = 2
percent = 10

[[chapters]]
number = 1
weight = 40
due = 2026-10-01T12:00:00

[[chapters]]
number = 3
weight = 60
due = 2026-11-01T12:00:00
"""


def make(folder: Path, *records: SubmissionRecord, roster: str = "", more: str = "") -> Course:
    """A course of chapters 1 and 3 with these records."""
    write_file(folder / "course.toml", SETTINGS.format(more=more))
    if roster:
        write_file(folder / "roster.csv", roster)
    for number in {record["chapter"] for record in records}:
        to = chapter_folder(folder, number)
        write_file(to / "secret", "00")
        write_records(to, [record for record in records if record["chapter"] == number])
    course = Course(folder)
    with course.locked():
        course.join(course.graded)
    return course


def run(*words: object) -> str:
    done = CliRunner().invoke(app, [*map(str, words)], catch_exceptions=True)
    if isinstance(done.exception, GradingError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def by_name(course: Course) -> dict[str, Standing]:
    return {standing.student: standing for standing in course.standings()}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


# Who is who --------------------------------------------------------------------------------------------------


def test_one_person_in_two_systems_is_one_where_the_email_or_the_schools_id_says_so(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        made_record("s1", person=Person("gradescope", "Ada L", "s1", "other@u.edu"), number=1),
        made_record("lovelace_9", {LAYER: 10}, person=Person("blackboard", "", "alovelace")),
        made_record("wei", person=Person("gradescope", "Wei W", "77", "WEI2@u.edu")),
        roster=ROSTER,
    )
    assert by_name(course).keys() == {"Ada Lovelace", "王伟 (s2)", "王伟 (s3)"}
    ada = next(person for person in course.people.persons if person.id == "s1")
    assert ada.known_as == ("gradescope:s1", "blackboard:alovelace")
    assert {name: one.total for name, one in by_name(course).items()} == {
        "Ada Lovelace": round(40 + 60 * 13 / 23, 2),
        "王伟 (s2)": 0,
        "王伟 (s3)": 60,
    }


def test_the_same_name_is_only_proposed_until_the_instructor_confirms_it(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        made_record("lovelaceada_1", person=Person("canvas", "lovelaceada", "1"), number=1),
        made_record("Ada Lovelace_5", person=Person("moodle", "Ada Lovelace", "5")),
    )
    assert {standing.total for standing in course.standings()} == {40, 60}
    (proposal,) = course.people.proposals
    assert proposal.sentence == "Ada Lovelace (moodle:5) may be canvas:1: the same name"
    assert "may be canvas:1" in run("course", "people", tmp_path)
    edit(tmp_path / "people.csv", "canvas:1: the same name,", ",canvas:1")
    assert [standing.total for standing in course.standings()] == [100]
    assert course.people.proposals == []
    edit(tmp_path / "people.csv", ",canvas:1\n", ",nobody\n")
    assert {standing.total for standing in course.standings()} == {40, 60}
    assert course.people.proposals == []


def test_a_number_of_canvass_own_roster_makes_one_person_if_the_names_agree(tmp_path: Path) -> None:
    roster = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",1815,s1,ada,A\n"Wei, W",7,s2,wei,A\n'
    course = make(
        tmp_path,
        made_record("lovelaceada_1815", person=Person("canvas", "lovelaceada", "1815")),
        made_record("nobodynora_7", person=Person("canvas", "nobodynora", "7")),
        roster=roster,
    )
    ada, wei, nora = course.standings()
    assert (ada.student, ada.person.known_as, ada.total) == ("Lovelace, Ada", ("canvas:1815",), 100)
    assert (wei.student, wei.total, nora.student) == ("Wei, W", 0, "nobodynora")
    assert course.people.proposals == []
    table = rows(canvas_csv(course, course.standings(), course.graded))
    assert [row["ID"] for row in table[1:]].count("1815") == 1


def test_an_email_or_an_id_that_the_roster_has_only_later_is_proposed(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        made_record("9", person=Person("gradescope", "Ada L", "9", "Ada@u.edu")),
        made_record("wwei", person=Person("blackboard", "", "s2")),
    )
    write_file(tmp_path / "roster.csv", ROSTER)
    assert {proposal.sentence for proposal in course.people.proposals} == {
        "Ada L (gradescope:9) may be s1: the same e-mail",
        "wwei (blackboard:s2) may be s2: the same id or login",
    }
    run("course", "people", tmp_path, "--confirm")
    assert {name: one.total for name, one in by_name(course).items()} == {
        "Ada Lovelace": 100,
        "王伟 (s2)": 100,
        "王伟 (s3)": 0,
    }


def test_all_proposals_that_name_one_person_can_be_confirmed_at_once(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        made_record("lovelaceada_1", person=Person("canvas", "lovelaceada", "1"), number=1),
        made_record("王伟_2", person=Person("canvas", "王伟", "2"), number=1),
        roster=ROSTER,
    )
    assert {proposal.others for proposal in course.people.proposals} == {("s1",), ("s2", "s3")}
    run("course", "people", tmp_path, "--confirm")
    assert [proposal.others for proposal in course.people.proposals] == [("s2", "s3")]
    assert by_name(course)["Ada Lovelace"].total == 100


@pytest.mark.parametrize("roster", [ROSTER, ""], ids=["roster", "no roster"])
def test_namesakes_whom_one_system_numbers_are_not_confirmed_as_one(roster: str, tmp_path: Path) -> None:
    ada = [
        Person("canvas", "lovelaceada", "1"),
        Person("moodle", "Ada Lovelace", "5"),
        Person("canvas", "adalovelace", "2"),
    ]
    ben = [Person("canvas", "Ben", "3"), Person("moodle", "Ben", "6")]
    made = [made_record(f"{person.name}_{person.number}", person=person) for person in (*ada, *ben)]
    course = make(tmp_path, *made, roster=roster and f"{roster}s4,Ben,,,\n")
    before = {proposal.person.id for proposal in course.people.proposals}
    run("course", "people", tmp_path, "--confirm")
    assert {proposal.person.id for proposal in course.people.proposals} == before - {"canvas:3", "moodle:6"}
    assert len(before) == (5 if roster else 3)


def test_namesakes_whom_one_system_numbers_are_not_proposed(tmp_path: Path) -> None:
    wei = [made_record(f"王伟_{number}", person=Person("canvas", "王伟", number)) for number in ("1", "2")]
    course = make(tmp_path, *wei)
    assert course.people.proposals == []
    assert by_name(course).keys() == {"王伟 (canvas:1)", "王伟 (canvas:2)"}


def test_a_file_cannot_take_the_id_of_a_person_whom_only_a_system_knows(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        made_record("ada", person=Person("canvas", "ada", "1")),
        made_record("canvas:1", {LAYER: 10}),
    )
    assert len(course.standings()) == 2


def test_a_handle_that_the_instructor_moved_stays_where_it_is(tmp_path: Path) -> None:
    record = made_record("a", person=Person("gradescope", "Ada", "9", "ada@u.edu"))
    course = make(tmp_path, record, roster=ROSTER)
    lines = [line.replace("gradescope:9", "") for line in (tmp_path / "people.csv").read_text().splitlines()]
    (tmp_path / "people.csv").write_text("\n".join([*lines, "other,Another Ada,,,gradescope:9,,"]))
    with course.locked():
        course.join([3])
    assert {name: one.total for name, one in by_name(course).items()}["Another Ada"] == 100


def test_a_name_never_becomes_a_formula_and_is_read_back(tmp_path: Path) -> None:
    course = make(tmp_path, made_record("a", person=Person("gradescope", "=1+1", "9")))
    assert "'=1+1" in (tmp_path / "people.csv").read_text()
    assert [person.name for person in course.people.persons] == ["=1+1"]


def test_two_submissions_of_one_person_in_a_chapter_count_for_nothing_until_one_is_left(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        made_record("s1", person=Person("gradescope", "", "s1")),
        made_record("alovelace", person=Person("blackboard", "", "alovelace")),
        roster=ROSTER,
    )
    assert by_name(course)["Ada Lovelace"].total == 0
    assert "2 submissions claim to be this student" in write_page(course).read_text()


def test_a_removed_submission_counts_no_more_and_those_of_other_downloads_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_run, "Grader", FullMarks)
    course = make(tmp_path / "course", roster=ROSTER)
    first, second = tmp_path / "first", tmp_path / "second"
    for path in (first / "s1.ipynb", first / "alovelace.ipynb", second / "s3.ipynb"):
        write_file(path, notebook(path.stem))

    def totals() -> dict[str, float]:
        return {name: standing.total for name, standing in by_name(course).items()}

    run("course", "grade", course.folder, 3, first)
    said = run("course", "export", course.folder, "--format", "canvas", "--to", tmp_path / "marks.csv")
    ada = next(row for row in rows((tmp_path / "marks.csv").read_text()) if row["Student"] == "Ada Lovelace")
    assert ada["Chapter 3: Attention"] == "" and "none counts until you leave one: Ada Lovelace" in said
    run("course", "grade", course.folder, 3, second)
    assert totals() == {"Ada Lovelace": 0, "王伟 (s2)": 0, "王伟 (s3)": 100}
    (first / "s1.ipynb").unlink()
    assert "not counted (1): s1" in run("course", "grade", course.folder, 3, first)
    assert totals() == {"Ada Lovelace": 100, "王伟 (s2)": 0, "王伟 (s3)": 100}


# What counts -------------------------------------------------------------------------------------------------


def test_free_days_are_shared_by_the_chapters_and_an_extension_moves_the_deadline(tmp_path: Path) -> None:
    everybody = [made_record(name, number=number) for name in ("ada", "ben", "cleo") for number in (1, 3)]
    course = make(tmp_path, *everybody)
    write_file(
        tmp_path / "times.csv",
        "student,chapter,due,submitted\n"
        "ada,1,,2026-10-02T12:00:00\nada,3,,2026-11-03T11:00:00\n"  # one free day, then one free and one charged
        "ben,1,2026-10-08T12:00:00,2026-10-08T12:00:00\nben,3,,2026-12-24T12:00:00\n"  # never late; lost by far
        "file:cleo,1,,2026-09-30T00:00:00\n",
    )
    totals = {name: one.total for name, one in by_name(Course(course.folder)).items()}
    assert totals == {"ada": 40 + 60 * 0.9, "ben": 40, "cleo": 100}


def test_the_downloads_time_counts_unless_the_file_gives_another(tmp_path: Path) -> None:
    submitted = {"ada": "2026-10-05T11:00:00", "ben": "2026-10-09T12:00:00", "cleo": ""}
    records = [made_record(student, number=1) for student in submitted]
    for record in records:
        record["person"]["submitted"] = submitted[record["student"]]
        record["person"]["late"] = True
    course = make(tmp_path, *records)
    write_file(tmp_path / "times.csv", "student,chapter,due,submitted\nben,1,2026-10-06T12:00:00,\n")
    # Four days late, and three after the extension; two of them are free.
    assert {name: one.total for name, one in by_name(course).items()} == {"ada": 80, "ben": 90, "cleo": 100}
    page = write_page(course).read_text()
    assert page.count("on time, until times.csv says when it was submitted") == 1  # Cleo's


def test_a_downloads_time_with_a_zone_asks_for_a_deadline_with_one(tmp_path: Path) -> None:
    record = made_record("ada", number=1)
    record["person"]["submitted"] = "2026-10-05T11:00:00+00:00"
    with pytest.raises(GradingError, match=r"write its `due` with one, as in 2026-10-01T12:00:00\+01:00"):
        make(tmp_path, record).standings()


def test_the_lowest_chapter_is_left_out_and_the_rest_makes_the_total(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        *[made_record("ada", {WORDPIECE: 4.0}, number=1), made_record("ada", {LAYER: 2.3})],
        *[made_record("ben", number=1), made_record("ben", {LAYER: 2.3})],
        made_record("cleo", number=1),
        more="drop_lowest = 1.0",
    )
    table = by_name(course)
    assert {name: (set(one.left_out), one.total) for name, one in table.items()} == {
        "ada": ({1}, 90.0),
        "ben": ({3}, 100.0),
        "cleo": ({3}, 100.0),
    }


def test_a_course_so_far_counts_the_graded_chapters_alone(tmp_path: Path) -> None:
    assert [standing.total for standing in make(tmp_path, made_record("ada", number=1)).standings()] == [100]
    page = write_page(Course(tmp_path)).read_text()
    assert "1 of 2 chapters graded" in page and "100 % so far" in page


def test_dropped_exercises_and_extra_credit_are_the_courses_own(tmp_path: Path) -> None:
    make(tmp_path, made_record("ada", {ATTENTION: 6, SPLIT: 1}))
    edit(tmp_path / "course.toml", "number = 3\n", f'number = 3\ndrop = ["{ATTENTION}"]\nextra = ["{SPLIT}"]\n')
    (ada,) = Course(tmp_path).standings()
    mark = ada.marks[3]
    assert mark and (mark.points, mark.out_of) == (16, 15)


def test_tables_and_pages_of_a_chapter_show_what_counts_in_the_course(tmp_path: Path) -> None:
    make(tmp_path, {**made_record("ada"), "language": "ru"}, made_record("ada", number=1), made_record("ben"))
    edit(tmp_path / "course.toml", "number = 3\n", f'number = 3\ndrop = ["{ATTENTION}"]\nextra = ["{SPLIT}"]\n')
    write_file(
        tmp_path / "times.csv",
        "student,chapter,submitted\nada,1,2026-10-02T12:00:00\nada,3,2026-11-03T12:00:00\n",
    )
    folder = chapter_folder(tmp_path, 3)
    for command in (["course", "report", tmp_path, "--pages"], ["report", folder], ["report", folder, "--anonymous"]):
        run(*command)
        to = folder / "anonymous" if "--anonymous" in command else folder
        table = rows((to / "grades.csv").read_text())
        # Of Ada's two late days, one is free, because the other free day went to chapter 1.
        assert {(row["points"], row["out_of"], row["free_days"]) for row in table} == {
            ("15.3", "15.0", "1"),
            ("17.0", "15.0", ""),
        }
        assert ("submitted" in table[0]) is (to == folder)
        pages = [path.read_text() for path in (to / "students").iterdir()]
        (page,) = [page for page in pages if "15.3" in page]
        assert "1.7" in page and page.count("Это упражнение не учитывается.") == 1
        assert any("<strong>15.3 of 15 points.</strong>" in path.read_text() for path in (to / "review").iterdir())


def test_a_chapters_exports_feedback_and_gradebook_count_as_the_course_does(
    new_gradebook: Path, tmp_path: Path
) -> None:
    from nbgrader.api import Gradebook

    make(tmp_path, *map(made_record, ("ada", "ben")), made_record("ada", number=1), roster="id,name\nada,A\nben,A\n")
    edit(tmp_path / "course.toml", "number = 3\n", f'number = 3\ndrop = ["{ATTENTION}"]\nextra = ["{SPLIT}"]\n')
    write_file(
        tmp_path / "times.csv",
        "student,chapter,submitted\nada,1,2026-10-02T12:00:00\nada,3,2026-11-03T12:00:00\n",
    )
    folder, to = chapter_folder(tmp_path, 3), tmp_path / "to"
    to.mkdir()
    shutil.copy(new_gradebook, to)
    run("report", folder)
    said = run("export", folder, "--to", to / "marks.csv")
    assert (to / "marks.csv").read_text() == (folder / "grades.csv").read_text()
    assert "Neither the download nor times.csv says when, so counted as on time: A (ben)" in " ".join(said.split())
    run("feedback", folder, "--for", "folder", "--to", to / "pages")
    assert any("<strong>15.3 of 15 points.</strong>" in path.read_text() for path in (to / "pages").iterdir())
    run("gradebook", folder, "--course", to)
    with Gradebook(f"sqlite:///{to}/gradebook.db") as gradebook:
        ada = gradebook.find_submission("03_attention", "ada")
        assert (ada.score, ada.late_submission_penalty, ada.max_score) == (17, 1.7, 15)
        assert gradebook.find_assignment("03_attention").duedate.isoformat() == "2026-11-01T12:00:00"
    for option in (["--drop", SPLIT], ["--due", "2026-11-01T12:00"], ["--late-percent", 10]):
        with pytest.raises(GradingError, match=r"whose course\.toml and times\.csv say what counts"):
            run("export", folder, "--to", to / "marks.csv", *option)


# What is given by hand ----------------------------------------------------------------------------------------


def test_points_by_hand_survive_a_regrade_and_the_students_page_says_so(tmp_path: Path) -> None:
    course = make(tmp_path, made_record("ada", {LAYER: 10}))
    run("override", tmp_path, "ada", LAYER, 7, "--why", "the mask was <right>")
    assert [standing.marks[3].points for standing in course.standings()] == [20]  # type: ignore[union-attr]
    write_records(chapter_folder(tmp_path, 3), [made_record("ada", {LAYER: 10, CAUSAL: 2})])  # graded again
    assert [standing.marks[3].points for standing in course.standings()] == [18]  # type: ignore[union-attr]
    run("course", "report", tmp_path, "--pages")
    (page,) = (chapter_folder(tmp_path, 3) / "students").glob("ada-*.html")
    assert "7 given by your instructor, where the checks gave 0: the mask was &lt;right&gt;" in page.read_text()
    run("report", chapter_folder(tmp_path, 3), "--anonymous")
    (hidden,) = (chapter_folder(tmp_path, 3) / "anonymous" / "students").iterdir()
    assert "points given by your instructor" in hidden.read_text() and "the mask was" not in hidden.read_text()
    run("override", tmp_path, "file:ada", LAYER, 9.5, "--why", "on second thought")
    assert [standing.marks[3].points for standing in course.standings()] == [20.5]  # type: ignore[union-attr]


def test_points_by_hand_for_one_who_handed_in_nothing_are_a_mark(tmp_path: Path) -> None:
    course = make(tmp_path, made_record("s1", person=Person("gradescope", "", "s1")), roster=ROSTER)
    run("override", tmp_path, "s2", LAYER, 10, "--why", "shown in person")
    assert write_page(course).read_text().count('class="number hand"') == 1
    mark = by_name(course)["王伟 (s2)"].marks[3]
    assert mark and mark.points == 10 and mark.record["person"]["status"] != MISSING


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("zoe,split_heads,1,because,", "line 2: nobody in the course is called 'zoe'"),
        ("ada,split_heads,3,because,", "has 2 points; 3 is not between 0 and 2"),
        ("ada,split_heads,nan,because,", "not between"),
        ("ada,split_heads,one,because,", "'one' is not a number"),
        ("ada,split_hands,1,because,", "no exercise is called 'split_hands'"),
        ("ada,split_heads,1,,", "gives the reason"),
        ("ada,split_heads,1,because,\nfile:ada,split_heads,2,because,", "line 3: .* leave one"),
        ("ada,split_heads", "line 2: the line has 2 cells and the header 5"),
        ('ada,split_heads,1,"beca', "cut off"),
    ],
)
def test_an_override_that_does_not_fit_is_an_error_that_names_the_line(
    line: str, complaint: str, tmp_path: Path
) -> None:
    course = make(tmp_path, made_record("ada"))
    (tmp_path / "overrides.csv").write_text(f"student,exercise,points,why,when\n{line}")
    with pytest.raises(GradingError, match=complaint):
        course.standings()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("overrides.csv", "student,exercise,points,why\nzoe,split_heads,1,because\n"),
        ("times.csv", "student,chapter\nzoe,1\n"),
    ],
)
def test_nothing_is_graded_while_a_table_does_not_fit(name: str, text: str, tmp_path: Path) -> None:
    course, submissions = tmp_path / "course", tmp_path / "submissions"
    make(course, made_record("ada"))
    write_file(course / name, text)
    write_file(submissions / "ben.ipynb", notebook("ben"))
    before = sorted(course.rglob("*"))
    with pytest.raises(GradingError, match=f"{name}, line 2: nobody in the course is called 'zoe'"):
        run("course", "grade", course, 3, submissions, "--without-isolation")
    assert sorted(course.rglob("*")) == before


def test_an_override_that_does_not_fit_is_not_written(tmp_path: Path) -> None:
    make(tmp_path, made_record("ada"))
    for words in (("ada", SPLIT, 5), ("nobody", SPLIT, 1)):
        with pytest.raises(GradingError):
            run("override", tmp_path, *words, "--why", "because")
    assert not (tmp_path / "overrides.csv").exists()


# Files that do not fit ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("version = 1", "version = 2", "of version 2, and this project reads version 1; update it"),
        ("version = 1", "", "version is None"),
        ("weight = 60", "weight = 50", r"the weights are 40 \+ 50 = 90 in sum; they must be 100"),
        ("number = 3", "number = 1", "chapter 1 is there twice"),
        ("number = 3", "number = 99", "there is no chapter 99"),
        ("number = 3", "number = 3\ndrop = ['gelu']", "no exercise 'gelu'"),
        ("number = 3", "number = 3\ndrop = [['gelu']]", r"drop has \['gelu'\], which is no text"),
        ("number = 3", "number = 3\nextra = [1]", "extra has 1, which is no text"),
        ("due = 2026-11-01T12:00:00", "due = '2026-11-01'", "write a time without quotes"),
        ("due = 2026-11-01T12:00:00", "due = 2026-11-01T12:00:00Z", "time zone, or none"),
        ("percent = 10", "percents = 10", "has percents, which nothing reads"),
        ("percent = 10", "percent = 110", "must be from 0 to 100"),
        ("name =", "drop_lowest = 2\nname =", "none of 2 chapters would count"),
        ("name =", "drop_lowest = 0.5\nname =", "drop_lowest is 0.5, which is no whole number"),
        ("free_days = 2", "free_days = 0.5", "free_days is 0.5, which is no whole number"),
        ("weight = 60\ndue = 2026-11-01T12:00:00\n", "weight =", "cannot read"),  # half written
    ],
)
def test_settings_that_do_not_fit_are_named(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    make(tmp_path)
    edit(tmp_path / "course.toml", old, new)
    with pytest.raises(GradingError, match=complaint):
        Course(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("roster.csv", "id,name\ns1,Ada\ns1,Ben\n", "s1 is already in line 2"),
        ("people.csv", "id,name\n", "no column email"),
        ("people.csv", "id,name,email,section,known_as,perhaps,same_as\nada,Ada,,,canvas:1,,b", "nobody's id"),
        ("people.csv", "id,name,email,section,known_as,perhaps,same_as\na,,,,,,b\nb,,,,,,a", "leads back to itself"),
        ("people.csv", "id,name,email,section,known_as\na,,,,canvas:1\nb,,,,canvas:1", "'canvas:1' is in two lines"),
        ("people.csv", "id,name,email,section,known_as\na,,,,canvas:1\na,,,,canvas:2", "'a' is in two lines"),
        ("people.csv", "id,name,email,section,known_as\na,Ada,ada@", "was the file cut off"),
        ("times.csv", "student,chapter\nzoe,1\n", "line 2: nobody in the course is called 'zoe'"),
        ("times.csv", "student,chapter,submitted\nada,2,2026-10-01T12:00\n", "chapter 2 is not in course.toml"),
        ("times.csv", "student,chapter,submitted\nada,1,soon\n", "write times as"),
        (
            "times.csv",
            "student,chapter,submitted\nada,3.0,2026-10-01T12:00\n",
            "the chapter is '3.0'; write its number",
        ),
        ("times.csv", "student,chapter,due\nada,1,2026-10-01\n", "line 2: '2026-10-01' has no time of day; .*23:59"),
        ("times.csv", "student,chapter,submitted\nada,1,2026-10-01T12:00Z\n", "time zone, or none"),
    ],
)
def test_a_file_that_does_not_fit_is_named(name: str, text: str, complaint: str, tmp_path: Path) -> None:
    make(tmp_path, made_record("ada", number=1))
    (tmp_path / name).write_text(text)
    with pytest.raises(GradingError, match=complaint):
        Course(tmp_path).standings()


def test_a_folder_that_is_no_course_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(GradingError, match="is no course; make one"):
        run("course", "report", tmp_path)
    run("course", "init", tmp_path)
    assert list(Course(tmp_path).settings.chapters) == [*range(1, 9)]
    with pytest.raises(GradingError, match="has no results"):
        run("course", "export", tmp_path, "--to", tmp_path / "marks.csv")
    with pytest.raises(GradingError, match="is a course already"):
        run("course", "init", tmp_path, "--chapter", 9)


# Results of before, tables and pages --------------------------------------------------------------------------


def test_results_of_before_are_taken_over_chapter_by_chapter(tmp_path: Path) -> None:
    before = tmp_path / "RESULTS"
    write_records(before, [made_record("ada", number=1), made_record("ada", {LAYER: 10})])
    write_file(before / "secret", "00")
    write_file(before / "roster.csv", ROSTER)
    (before / "students").mkdir()
    course = make_course(tmp_path / "course", take=[before])
    assert course.graded == [1, 3] and (tmp_path / "course" / "roster.csv").exists()
    assert {path.name for path in chapter_folder(course.folder, 3).iterdir()} == {"secret", "records"}
    assert before.exists()
    make_course(tmp_path / "course", take=[before])  # nothing to do
    write_file(before / "secret", "01")
    with pytest.raises(GradingError, match="has results of chapter 1 already"):
        make_course(tmp_path / "course", take=[before])
    with pytest.raises(GradingError, match="there are no results in"):
        make_course(tmp_path / "other", take=[tmp_path / "nowhere"])


def test_records_that_a_chapter_lacks_are_added_and_different_ones_are_named(tmp_path: Path) -> None:
    first, second = tmp_path / "A", tmp_path / "B"
    for section, student in ((first, "ada"), (second, "ben")):
        write_records(section, [made_record(student)])
        write_file(section / "secret", "00")
    course = make_course(tmp_path / "course", take=[first, second])
    assert by_name(course).keys() == {"ada", "ben"}
    write_records(first, [made_record("ada", {LAYER: 10}), made_record("cleo")])
    with pytest.raises(GradingError, match=r"keeps its own records where .*A has different ones \(1\): ada"):
        make_course(tmp_path / "course", take=[first])
    assert {name: standing.total for name, standing in by_name(course).items()} == dict.fromkeys(
        ["ada", "ben", "cleo"], 100
    )


def test_a_submission_that_was_taken_over_can_be_taken_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_run, "Grader", FullMarks)
    downloads = [tmp_path / name for name in ("first", "second")]
    for folder, students in zip(downloads, (["ada", "ben"], ["cleo", "dora"]), strict=True):
        for student in students:
            write_file(folder / f"{student}.ipynb", notebook(student))
        results = tmp_path / f"results of {folder.name}"
        write_file(results / "secret", "00")
        run("grade", folder, "--to", results, "--chapter", 3)
        run("course", "init", tmp_path / "course", "--take", results)  # the second is added to the first
    for folder, student in zip(downloads, ("ben", "dora"), strict=True):
        (folder / f"{student}.ipynb").unlink()
        run("course", "grade", tmp_path / "course", 3, folder)
    totals = {name: standing.total for name, standing in by_name(Course(tmp_path / "course")).items()}
    assert totals == {"ada": 100, "ben": 0, "cleo": 100, "dora": 0}


def test_every_student_has_one_row_in_canvas_with_the_number_that_canvas_gave(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        made_record("lovelaceada_7", person=Person("canvas", "lovelaceada", "7"), number=1),
        made_record("s1", {LAYER: 5}, person=Person("gradescope", "", "s1")),
        roster=ROSTER,
    )
    run("course", "people", tmp_path, "--confirm")
    header, *table = csv.reader(io.StringIO(canvas_csv(course, course.standings(), course.graded)))
    assert header[5:] == ["Chapter 1: Text to ids", "Chapter 3: Attention", "Course total"]
    assert table[:2] == [
        ["    Points Possible", "", "", "", "", "19.5", "23", "100"],
        ["Ada Lovelace", "7", "s1", "alovelace", "A", "19.5", "18", "86.96"],
    ]
    assert [row[0] for row in table[2:]] == ["王伟", "王伟"] and table[2][5:] == ["", "", "0"]
    run("course", "export", tmp_path, "--to", tmp_path / "a.csv", "--section", "B")
    assert [row["id"] for row in rows((tmp_path / "a.csv").read_text())] == ["s3"]
    assert rows(course_csv(course.standings(), [1]))[0]["chapter 1"] == "19.5"


def test_canvas_gets_its_own_ids_back_from_a_course(tmp_path: Path) -> None:
    roster = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",1815,s1,alovelace,A\n"Wei, W",7,s2,wei,A\n'
    course = make(tmp_path, made_record("alovelace", person=Person("gradescope", "", "alovelace")), roster=roster)
    table = rows(canvas_csv(course, course.standings(), course.graded))
    assert [(row["ID"], row["SIS User ID"], row["SIS Login ID"]) for row in table[1:]] == [
        ("1815", "s1", "alovelace"),
        ("7", "s2", "wei"),
    ]


def test_the_page_says_who_needs_a_look_and_links_to_the_chapters(tmp_path: Path) -> None:
    course = make(
        tmp_path,
        made_record("ada", number=1),
        made_record("ada", problem="the file is empty"),
        made_record("<b>ben", {SPLIT: 2}, mistakes={SPLIT: "Cut along the wrong axis."}),
    )
    page = write_page(course).read_text()
    assert (
        "chapter 3: the file is empty" in page
        and "falling behind" in page
        and "chapter 1: nothing was handed in" in page
    )
    assert "Cut along the wrong axis." in page
    assert "&lt;b&gt;ben" in page and "<b>ben" not in page
    links = [link.partition('"')[0] for link in page.split('href="chapters/')[1:]]
    for number in course.graded:
        run("report", chapter_folder(tmp_path, number))
    assert all((tmp_path / "chapters" / link).exists() for link in links) and len(links) > 4


def test_an_earlier_year_is_compared(tmp_path: Path) -> None:
    mistakes = {SPLIT: "Cut along the wrong axis."}
    now = make(tmp_path / "now", made_record("ada", {SPLIT: 2}, mistakes=mistakes))
    then = [made_record("ben", {SPLIT: 2}, mistakes=mistakes), made_record("cleo")]
    earlier = make(tmp_path / "then", *then)
    page = write_page(now, earlier).read_text()
    assert "1 student, 100 %, in Autumn 50 %" in page and "Mean in Autumn" in page
    assert overviews(earlier, earlier.standings())[3].mean == round(100 * (21 + 23) / 46, 1)


def test_names_of_every_alphabet_stay_in_files_and_pages(tmp_path: Path) -> None:
    everybody = ["王伟", "Ångström", "अनिल", "עדה"]
    course = make(tmp_path, *[made_record(name) for name in everybody])
    run("course", "report", tmp_path, "--pages")
    assert sorted(person.name for person in course.people.persons) == sorted(everybody)
    files = [path.name for path in (chapter_folder(tmp_path, 3) / "students").iterdir()]
    assert all(any(file.startswith(name) for file in files) for name in everybody)
