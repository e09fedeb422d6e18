"""The same class on a Dask cluster of separate processes gives the same records, even if a worker is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grading.classroom import cluster
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.classroom.submission_record import SubmissionRecord
from grading.errors import GradingError
from tests.grading.classroom import quick_grader

_PROJECT = Path(__file__).resolve().parents[3]
_CLASS_SIZE = 30
_START_SECONDS = 60

Start = Callable[..., subprocess.Popen]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a Dask program, which ends with the test."""
    started = []

    def start_one(*command: str) -> subprocess.Popen:
        environment = os.environ | {"PYTHONPATH": str(_PROJECT), "SECONDS_EACH": "0.1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        started.append(process)
        return process

    yield start_one
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def address(start: Start, tmp_path: Path) -> str:
    """Of a scheduler."""
    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json")
    ends = time.monotonic() + _START_SECONDS
    while time.monotonic() < ends:
        try:
            return json.loads((tmp_path / "scheduler.json").read_text())["address"]
        except (OSError, ValueError):
            time.sleep(0.05)
    raise AssertionError("the scheduler does not start")


@pytest.fixture
def submissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cluster.Readers, "read", staticmethod(quick_grader.read))
    folder = tmp_path / "submissions"
    folder.mkdir()
    for number in range(_CLASS_SIZE):
        (folder / f"student{number}.ipynb").write_text("x" * number)
    (folder / "nothing.pdf").write_text("%PDF")
    return folder


def start_worker(start: Start, address: str) -> subprocess.Popen:
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--preload", "tests.grading.classroom.quick_grader")
    return start("worker", address, *options)


def test_a_killed_worker_costs_nothing_but_time(submissions: Path, address: str, start: Start, tmp_path: Path) -> None:
    doomed, _ = start_worker(start, address), start_worker(start, address)
    seen: list[str] = []

    def kill_one(record: SubmissionRecord, done: int, total: int) -> None:
        seen.append(record["student"])
        if done == _CLASS_SIZE // 3:
            doomed.kill()

    records = grade_class(submissions, Results(tmp_path / "results", 3), scheduler=address, progress=kill_one)
    earned = {record["student"]: record["earned"] for record in records}
    assert earned == {"nothing": 0.0, **{f"student{number}": float(number) for number in range(_CLASS_SIZE)}}
    assert sorted(seen) == sorted(earned)
    assert doomed.wait() != 0


def test_a_worker_of_another_version_is_refused(
    submissions: Path, address: str, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "fingerprint", lambda: "of yesterday")
    start_worker(start, address)
    with pytest.raises(GradingError, match="another version"):
        grade_class(submissions, Results(tmp_path / "results", 3), scheduler=address)


def test_a_missing_scheduler_is_named(submissions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
    with pytest.raises(GradingError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        grade_class(submissions, Results(tmp_path / "results", 3), scheduler="tcp://127.0.0.1:9")


def test_without_dask_the_error_says_how_to_install_it(
    submissions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(GradingError, match=r"Dask.* -m pip install -c requirements\.lock -e '\.\[cluster\]'$"):
        grade_class(submissions, Results(tmp_path / "results", 3), scheduler="tcp://127.0.0.1:9")
