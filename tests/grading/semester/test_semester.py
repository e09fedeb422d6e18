"""A whole semester: every final mark is the one that was computed by hand.

It is graded in the sandbox, and once more, in seconds, by a stand-in that knows what each solution gets.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.made_class import made_record
from grading.classroom import run
from grading.classroom.reading import ReadSubmission
from grading.classroom.submission_record import SubmissionRecord, unreadable
from grading.exercises.registry import chapter
from grading.sample_class.make import expected
from grading.semester.course import Course, Standing
from grading.submission import SubmissionFile, read_files
from tests.grading.classroom.quick_grader import QuickGrader
from tests.grading.semester import made
from tests.grading.semester.made import LEFT, PUPILS, SOLUTIONS, run_semester

# Chapter 1 has 19.5 points and weighs 20, chapter 2 has 13 and weighs 20, chapter 3 has 22 without causal_mask and
# weighs 35, chapter 6 has 19 and weighs 25.
PATTERNS = {
    "AAAA": 100.0,
    "DDDD": 73.4,  # 20 * 14/19.5 + 20 * 9/13 + 35 * 16/22 + 25 * 15/19 = 14.359 + 13.846 + 25.455 + 19.737
    "EEEE": 77.65,  # 20 * 14/19.5 + 20 * 9/13 + 35 * 19.5/22 + 25 * 14/19 = 14.359 + 13.846 + 31.023 + 18.421
    "PPPP": 35.75,  # 20 * 9.5/19.5 + 20 * 3/13 + 35 * 6/22 + 25 * 9/19 = 9.744 + 4.615 + 9.545 + 11.842
    "ADEA": 89.87,  # 20 + 13.846 + 31.023 + 25
    "DAPE": 62.33,  # 14.359 + 20 + 9.545 + 18.421
    "PEDD": 68.78,  # 9.744 + 13.846 + 25.455 + 19.737
}
SPECIAL = {
    "s11": 93.0,  # chapter 1 is a day late, which is free; of 3 days in chapter 3, one is: 20 + 20 + 35 * 0.8 + 25
    "s13": 93.42,  # 9 of 19 points in chapter 6, and 5 by hand: 75 + 25 * 14/19
    "s15": 80.0,  # chapter 2 is missing
    "s16": 80.0,  # chapter 2 is empty
}


class StandIn(QuickGrader):
    """Gives the points that the sample class must get. Its notebooks hold only the letter of a solution."""

    def grade(self, file: SubmissionFile, number: int) -> SubmissionRecord:
        handed_in = read_files(file)
        letter = bytes(handed_in.contents[0][1]).decode()
        if not letter:
            return unreadable(file, number, ReadSubmission(handed_in.sha256, None, "the file is empty"))
        points = expected(number)[SOLUTIONS[letter]]["exercises"]
        lost = {name: one.points - points[name] for name, one in chapter(number).exercises.items()}
        record = made_record(file.student, lost, number=number, person=file.person)
        return {**record, "submission_sha256": handed_in.sha256}


@pytest.fixture(scope="module", params=["stand-in", pytest.param("sandbox", marks=pytest.mark.long)])
def course(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "stand-in":
            patch.setattr(run, "Grader", StandIn)
            patch.setattr(made, "notebook", lambda number, letter: letter.encode())
        yield Course(run_semester(tmp_path_factory.mktemp("semester")))


@pytest.fixture(scope="module")
def standings(course: Course) -> dict[str, Standing]:
    return {standing.person.id: standing for standing in course.standings()}


def test_every_final_mark_is_the_one_computed_by_hand(standings: dict[str, Standing]) -> None:
    expected = {pupil.id: SPECIAL.get(pupil.id) or PATTERNS[pupil.work] for pupil in PUPILS if pupil.id != LEFT}
    # Chapter 1 alone, by one who is no longer on the roster.
    assert {id: one.total for id, one in standings.items()} == {**expected, LEFT: 20.0}
    assert len(standings) == 40


def test_each_person_is_one_in_all_systems_and_nothing_is_left_to_confirm(
    course: Course, standings: dict[str, Standing]
) -> None:
    assert course.people.proposals == []
    assert standings["s14"].person.section == "B"
    systems = {name.partition(":")[0] for name in standings["s14"].person.known_as}
    assert systems == {"canvas", "moodle", "gradescope", "brightspace"}
    assert {standings[id].student for id in ("s01", "s02")} == {"王伟 (s01)", "王伟 (s02)"}


def test_both_attempts_are_kept_and_the_last_one_counts(course: Course) -> None:
    with (course.folder / "attempts.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["submission"] == "gradescope:s10"]
    assert [(row["attempt"], row["points"]) for row in rows] == [("1", "7"), ("2", "23")]


def test_the_tables_have_one_row_for_each_person(course: Course) -> None:
    with (course.folder / "canvas.csv").open(encoding="utf-8") as file:
        possible, *rows = csv.DictReader(file)
    assert [possible[title] for title in list(possible)[5:]] == ["19.5", "13", "22", "19", "100"]
    assert len(rows) == 40 and len({row["ID"] for row in rows}) == 40  # Canvas knew all of them in chapter 1


def test_the_students_page_says_what_was_given_by_hand(course: Course) -> None:
    (page,) = (course.folder / "chapters" / "06_next_sentence" / "students").glob("Lena-Vogel-*.html")
    assert "5 given by your instructor, where the checks gave 0: The head is right" in page.read_text(encoding="utf-8")


def test_pages_of_every_alphabet_have_readable_names(course: Course) -> None:
    pages = [path.name for path in (course.folder / "chapters" / "03_attention" / "students").iterdir()]
    for name in ("王伟--s01--", "अनिल-कुमार-", "עדה-לוי-", "Нина-Петрова-", "Łukasz-Żółć-"):
        assert sum(page.startswith(name) for page in pages) == 1
    assert len(pages) == 40 - 1
    assert Path(course.folder / "index.html").exists()
