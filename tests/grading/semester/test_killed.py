"""Commands on a course that are killed at any moment, or run at the same time, lose nothing."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from benchmarks.made_class import CAUSAL, LAYER, SPLIT, made_record, write_records
from grading.classroom import run
from grading.classroom.overrides import Override, read_overrides, write_override
from grading.classroom.records import read_record
from grading.errors import GradingError
from grading.semester.attempts import keep_attempts
from grading.semester.course import Course, chapter_folder
from grading.semester.take import make_course
from grading.storage.files import write_file
from grading.storage.tables import read_table
from tests.grading.classroom.test_crashes import killed_runs
from tests.grading.semester.test_course import make
from tests.grading.semester.test_course import run as command
from tests.grading.semester.test_preview import StandIn

_FORK = multiprocessing.get_context("fork")
_KILLS = 50
_STUDENTS = [f"student{number}" for number in range(12)]


def results(folder: Path) -> Path:
    write_records(folder, [made_record(student) for student in _STUDENTS])
    write_file(folder / "secret", "00")
    return folder


def work(folder: Path, before: Path, log: Path, exercises: tuple[str, ...]) -> None:
    """Make a course, take results over and give points by hand, and log what is done."""
    course = make_course(folder, take=[before])
    stored = course.results(3)
    with course.locked():
        course.join([3])
        keep_attempts(folder, 3, (read_record(claim.path) for claim in stored.claims()))
    for student in _STUDENTS:
        for exercise in exercises:
            with course.locked():
                write_override(folder, course.people, Override(f"file:{student}", exercise, 1.0, "because"))
            with log.open("a") as file:
                file.write(f"file:{student} {exercise}\n")


def done(log: Path) -> set[tuple[str, ...]]:
    # A line that was being written has no end.
    return {tuple(line.split()) for line in log.read_text().splitlines(keepends=True) if line.endswith("\n")}


def test_a_course_killed_at_any_moment_keeps_all_that_was_done(tmp_path: Path) -> None:
    before, course, log = results(tmp_path / "before"), tmp_path / "course", tmp_path / "log"
    log.write_text("")
    for _ in killed_runs(_KILLS, 0.12, work, course, before, log, (LAYER, SPLIT)):
        if (course / "course.toml").exists():
            opened = Course(course)
            assert done(log) <= read_overrides(course, opened.people).keys()
            assert opened.graded in ([], [3])
            assert len(opened.standings()) in (0, len(_STUDENTS))
    work(course, before, log, (LAYER, SPLIT))
    assert len(read_overrides(course, Course(course).people)) == 2 * len(_STUDENTS)
    assert len(list(read_table(course / "attempts.csv", ("submission",)))) == len(_STUDENTS)
    assert {path.name for path in course.iterdir()} == {
        "course.toml",
        "people.csv",
        "overrides.csv",
        "attempts.csv",
        "chapters",
    }
    assert {path.name for path in chapter_folder(course, 3).iterdir()} == {"records", "secret", "outlines.json"}


def test_attempts_of_a_killed_run_are_listed_and_a_regrade_renews_their_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "Grader", StandIn)
    course, submissions = make(tmp_path / "course"), tmp_path / "submissions"

    def points() -> list[str]:
        return [cells["points"] for _, cells in read_table(course.folder / "attempts.csv", ("points",))]

    write_file(submissions / "ada.ipynb", LAYER)
    run.grade_class(submissions, course.results(3))  # and then the command is killed
    write_file(submissions / "ada.ipynb", f"{LAYER} {CAUSAL}")
    command("course", "grade", course.folder, 3, submissions)
    assert points() == ["22", "21"]
    monkeypatch.setattr(StandIn, "strict", True)
    command("course", "grade", course.folder, 3, submissions, "--regrade", SPLIT)
    assert points() == ["22", "19"]
    (record,) = course.results(3).paths()
    record.write_text("{")
    command("course", "grade", course.folder, 3, submissions)  # what cannot be read is made again
    assert points() == ["22", "19"]


def test_two_people_who_give_points_at_once_lose_none(tmp_path: Path) -> None:
    before, course = results(tmp_path / "before"), tmp_path / "course"
    make_course(course, take=[before])
    each = [
        _FORK.Process(target=work, args=(course, before, tmp_path / exercise, (exercise,)))
        for exercise in (LAYER, SPLIT, CAUSAL)
    ]
    for process in each:
        process.start()
    for process in each:
        process.join()
    assert [process.exitcode for process in each] == [0, 0, 0]
    assert len(read_overrides(course, Course(course).people)) == 3 * len(_STUDENTS)


def test_a_chapter_that_is_being_graded_is_locked_and_others_are_not(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course", take=[results(tmp_path / "before")])
    again = make_course(tmp_path / "course")
    refused = pytest.raises(GradingError, match="another run is writing to")
    with course.results(3).held(), again.locked(), refused, again.results(3).held():
        pass
