"""A run that is killed, that finds no room or no way to write, and a clock that cannot be trusted: nothing is lost.

A stand-in grades here, so that hundreds of submissions pass in a second; all that is written is the real thing.
`python -m benchmarks kills` does the same with the real grader.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import pickle
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grading.classroom import grader, reading, run
from grading.classroom.reading import Cut
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.classroom.submission_record import SubmissionRecord
from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.extraction import ExerciseSource, Extraction
from grading.judging.exercise import Exercise
from grading.judging.probing import run_probe
from grading.sandbox import kernel
from grading.sandbox.errors import StudentDied
from grading.storage.files import write_file
from grading.submission import DamagedSubmission, find_submissions
from tests.grading.classroom.quick_grader import QuickGrader

_FORK = multiprocessing.get_context("fork")
_CLASS_SIZE = 60
_KILLS = 20


@pytest.fixture(autouse=True)
def quick_grader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "Grader", QuickGrader)


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    folder = tmp_path / "submissions"
    folder.mkdir()
    for number in range(_CLASS_SIZE):
        (folder / f"student{number}.ipynb").write_text("x" * number)
    return folder


def grade(submissions: Path, folder: Path) -> None:
    """What `python -m grading grade` does."""
    results = Results(folder, 3)
    records = grade_class(submissions, results, jobs=2)
    write_file(folder / "grades.csv", "".join(f"{record['student']},{record['earned']}\n" for record in records))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def whole_files(folder: Path) -> dict[str, bytes]:
    """Without what a killed run was still writing."""
    return {path: content for path, content in contents(folder).items() if not Path(path).name.startswith(".")}


def killed_runs(kills: int, longest: float, function: Callable[..., None], *arguments: object) -> Iterator[None]:
    """Run a function in a process of its own again and again, and kill it after at most so many seconds.

    On a busy machine a run may be killed before it has begun.

    Yields:
        After each run, until so many of them were killed.
    """
    moments = random.Random(5)
    while kills:
        process = _FORK.Process(target=function, args=arguments)
        process.start()
        process.join(moments.uniform(0.0, longest))
        kills -= process.is_alive()
        process.kill()
        process.join()
        assert process.exitcode in (0, -signal.SIGKILL)
        yield


def test_a_run_killed_at_any_moment_resumes_to_the_same_records(
    submissions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, folder, log = tmp_path / "whole", tmp_path / "killed", tmp_path / "log"
    started = time.monotonic()
    grade(submissions, whole)
    as_long = time.monotonic() - started
    folder.mkdir()
    (folder / "secret").write_bytes((whole / "secret").read_bytes())
    log.touch()
    monkeypatch.setenv("GRADED_LOG", str(log))
    done: dict[str, bytes] = {}
    for _ in killed_runs(_KILLS, as_long, grade, submissions, folder):
        now = contents(folder)
        assert all(now[path] == content for path, content in done.items())
        known = {json.loads(text)["record"]["student"] for path, text in done.items() if path.endswith(".json")}
        assert known.isdisjoint(log.read_text().split()), "what was known has been graded again"
        if len(known) == _CLASS_SIZE:
            for path in folder.rglob("records/*/*.json"):
                path.unlink()
        done = whole_files(folder)
        log.write_text("")
    grade(submissions, folder)
    assert contents(folder) == contents(whole)


def test_two_runs_at_once_are_kept_apart(submissions: Path, tmp_path: Path) -> None:
    results = Results(tmp_path / "results", 3)
    with results.held(), pytest.raises(GradingError, match="another run is writing"):
        grade(submissions, results.folder)
    grade(submissions, results.folder)


def test_a_second_grader_on_one_folder_is_refused_and_the_first_is_undisturbed(
    submissions: Path, tmp_path: Path
) -> None:
    grade(submissions, tmp_path / "alone")
    folder, ready, go_on = tmp_path / "shared", _FORK.Event(), _FORK.Event()
    write_file(folder / "secret", (tmp_path / "alone" / "secret").read_bytes())

    def wait(record: SubmissionRecord, done: int, total: int) -> None:
        ready.set()
        go_on.wait()

    first = _FORK.Process(target=grade_class, args=(submissions, Results(folder, 3)), kwargs={"progress": wait})
    first.start()
    ready.wait()
    before = whole_files(folder)
    with pytest.raises(GradingError, match="another run is writing"):
        grade(submissions, folder)
    assert before.keys() <= whole_files(folder).keys()
    go_on.set()
    first.join()
    assert first.exitcode == 0
    grade(submissions, folder)
    assert contents(folder) == contents(tmp_path / "alone")


def test_submissions_that_arrive_during_a_run_count_in_the_next_run(
    submissions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that changes after it was read keeps its record's bytes; one that goes or comes harms nobody."""
    monkeypatch.setenv("GRADED_LOG", str(tmp_path / "log"))
    results = Results(tmp_path / "results", 3)
    first, *_, gone, last = (file.student for file in find_submissions(submissions))

    def hand_in(record: SubmissionRecord, done: int, total: int) -> None:
        if done == 1:
            assert record["student"] == first
            (submissions / f"{first}.ipynb").write_text("y" * 500)
            (submissions / f"{last}.ipynb").write_text("y" * 600)
            (submissions / f"{gone}.ipynb").unlink()
            (submissions / "late.ipynb").write_text("y" * 700)

    earned = {one["student"]: one["earned"] for one in grade_class(submissions, results, jobs=1, progress=hand_in)}
    assert (earned[first], earned[last], earned[gone]) == (0, 600, 0)
    assert "late" not in earned
    (tmp_path / "log").write_text("")
    earned = {one["student"]: one["earned"] for one in grade_class(submissions, results)}
    assert (earned[first], earned[last], earned["late"]) == (500, 600, 700)
    assert gone not in earned
    assert sorted((tmp_path / "log").read_text().split()) == sorted([first, "late"])


def test_the_secret_is_never_readable_by_others(tmp_path: Path) -> None:
    write_file(tmp_path / "secret", "00", mode=0o600)
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_nothing_depends_on_the_clock(submissions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grade(submissions, tmp_path / "before")
    secret = (tmp_path / "before" / "secret").read_bytes()
    write_file(tmp_path / "after" / "secret", secret)
    clock = random.Random(5)
    monkeypatch.setattr(time, "time", lambda: clock.uniform(-1e9, 4e9))
    monkeypatch.setattr(time, "time_ns", lambda: clock.randrange(10**18))
    for path in submissions.iterdir():
        os.utime(path, (clock.uniform(0, 4e9), clock.uniform(0, 4e9)))
    grade(submissions, tmp_path / "after")
    assert contents(tmp_path / "after") == contents(tmp_path / "before")


def test_a_full_disk_is_reported_and_leaves_no_half_written_file(submissions: Path, tmp_path: Path) -> None:
    message, left = _on_a_disk_of_its_own(tmp_path, lambda folder: grade(submissions, folder), "size=100k")
    assert "No space left on device" in message and "cannot write" in message
    records = [path for path in left if path.endswith(".json")]
    assert 0 < len(records) < _CLASS_SIZE
    assert not [path for path in left if Path(path).name.startswith(".")]


def test_a_folder_without_write_access_is_reported(submissions: Path, tmp_path: Path) -> None:
    def run_read_only(folder: Path) -> None:
        kernel.set_mount_attributes(folder, kernel.MOUNT_ATTR_RDONLY, recursive=False)
        grade(submissions, folder)

    message, left = _on_a_disk_of_its_own(tmp_path, run_read_only, "size=100k")
    assert "Read-only file system" in message and "cannot write" in message
    assert left == []


def trip(*_: object, **__: object) -> None:
    raise RecursionError("too deep")


def test_an_error_in_the_reader_costs_only_its_submission() -> None:
    answers = io.BytesIO()
    reading._answer(answers, trip, ())
    answer = pickle.loads(answers.getvalue())
    assert isinstance(answer, DamagedSubmission)
    assert "RecursionError" in str(answer) and "by hand" in answer.to_do


_CUT = Cut(
    Extraction({name: ExerciseSource(name, "found", "pass") for name in chapter(3).exercises}, ()), {}, {}, {}, {}
)


def _place() -> grader._Place:
    class Defines:
        crashes = 0

        def define(self, source: str, origin: str, ready_made: object) -> None: ...

    return grader._Place(Defines(), None)  # type: ignore[arg-type]


def test_an_error_in_the_judge_costs_only_its_exercise(monkeypatch: pytest.MonkeyPatch) -> None:
    place = _place()
    monkeypatch.setattr(grader, "judge_ways", trip)
    records = grader._grade_exercises(chapter(3), _CUT, place, place)
    assert [record["name"] for record in records] == list(chapter(3).exercises)
    assert all("RecursionError" in record["problem"] and not record["earned"] for record in records)


def test_a_crash_is_counted_for_the_exercise_in_which_it_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    place = _place()

    def crash(exercise: Exercise, ways: object) -> None:
        place.session.crashes += 2 * (exercise.name == "causal_mask")
        raise StudentDied("it has ended")

    monkeypatch.setattr(grader, "judge_ways", crash)
    records = grader._grade_exercises(chapter(3), _CUT, place, place)
    assert {record["name"]: record["crashes"] for record in records if record["crashes"]} == {"causal_mask": 2}


def test_a_lost_sandbox_ends_the_run_and_costs_nobody_points() -> None:
    class Gone:
        def perform(self, operation: object, timeout: float | None = None) -> None:
            raise GradingError("the sandbox is gone")

    exercise = chapter(3).exercises["causal_mask"]
    with pytest.raises(GradingError, match="gone"):
        run_probe(exercise, exercise.checks[0], Gone(), b"secret")


def _on_a_disk_of_its_own(tmp_path: Path, work: Callable[[Path], None], options: str) -> tuple[str, list[str]]:
    """Does work in a process with a small disk at a folder; what it says where it fails, and what it leaves there."""
    folder = tmp_path / "disk"
    folder.mkdir()
    here, there = _FORK.Pipe(duplex=False)

    def run_there() -> None:
        kernel.unshare(kernel.CLONE_NEWNS | (kernel.CLONE_NEWUSER if os.geteuid() else 0))
        kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.mount("disk", folder, "tmpfs", kernel.MS_NOSUID, options)
        try:
            work(folder)
            there.send(("", sorted(contents(folder))))
        except GradingError as error:
            there.send((str(error), sorted(contents(folder))))

    process = _FORK.Process(target=run_there)
    process.start()
    there.close()
    try:
        return here.recv()
    finally:
        process.join()
