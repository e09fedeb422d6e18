"""Every bundle runs to its last cell alone, whatever right answers it has; or says what is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grading.exercises.registry import chapter, chapters
from grading.judging.expectations import Live, freeze, frozen_path
from grading.lessons.answers import find_answers
from grading.release.bundle import written_files
from grading.release.library import lesson_of
from grading.storage.files import write_file
from grading.storage.project import PROJECT
from grading.submission.cell_ids import exercise_cell_id
from tests.grading.variants import VARIANTS

pytestmark = pytest.mark.long

RUNNER = Path(__file__).with_name("bundle_runner.py")
NUMBERS = list(chapters())
# Elsewhere checks and training take long, and one whole run has to do.
QUICK = [1, 2, 3]
QUICK_IN_PART = [1, 2, 3, 5, 6]

# Runs a chapter's notebook with answers, by the exercises' names; see `bundle_runner`.
Run = Callable[[int, dict[str, str]], dict[str, Any]]


@cache
def contents(number: int) -> dict[str, bytes]:
    """A chapter's bundle. Its checks know what is right but no mistake: to run those takes minutes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Live, "mistakes", lambda *_: [])
        expected = {frozen_path(chapter(number)).relative_to(PROJECT).as_posix(): freeze(chapter(number))}
    return written_files(number) | expected


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    packages = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    environment = {key: value for key, value in os.environ.items() if key != "MY_BERT"}
    command = [sys.executable, "-I", "-S", RUNNER, *packages]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run_one(number: int, answers: dict[str, str]) -> dict[str, Any]:
        bundle = tmp_path_factory.mktemp("bundle")
        for path, data in contents(number).items():
            write_file(bundle / path, data)
        report = bundle.with_suffix(".json")
        cells = {exercise_cell_id(name): source for name, source in answers.items()}
        assert process.stdin and process.stdout
        print(json.dumps([str(bundle), cells, str(report)]), file=process.stdin, flush=True)
        assert process.stdout.readline() == "done\n"
        found: dict[str, Any] = json.loads(report.read_text())
        assert [file for file in found["files"] if not Path(file).is_relative_to(bundle)] == []
        return found

    with process:
        yield run_one


def reference(number: int) -> dict[str, str]:
    """The library's own answers."""
    teaching = find_answers(lesson_of(number, PROJECT))
    return {
        answer.task.name: "\n\n\n".join(map(teaching.module.text, (*answer.helpers, answer.definition)))
        for answer in teaching.answers
    }


def points(number: int) -> dict[str, float]:
    return {name: exercise.points for name, exercise in chapter(number).exercises.items()}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_bundle_with_the_librarys_answers_runs_to_its_last_cell(run: Run, number: int) -> None:
    found = run(number, reference(number))
    assert found["errors"] == {}
    assert found["warned"] == []  # a student would take it for a mistake
    assert found["earned"] == points(number)


@pytest.mark.parametrize("number", QUICK)
def test_a_bundle_with_answers_written_differently_runs_to_its_last_cell(run: Run, number: int) -> None:
    found = run(number, {name: VARIANTS[name][-1].source for name in points(number)})
    assert found["errors"] == {}
    assert found["earned"] == points(number)


@pytest.mark.parametrize("number", QUICK_IN_PART)
def test_a_bundle_with_every_other_answer_missing_says_so_in_one_line_and_fails_in_no_other_way(
    run: Run, number: int
) -> None:
    answers = list(reference(number).items())
    written, missing = dict(answers[1::2]), dict(answers[::2])
    found = run(number, written)
    for cell, lines in found["errors"].items():
        assert len(lines) == 1, (cell, *lines)
        assert any(name in lines[0] for name in missing), (cell, lines[0])
    assert found["errors"]
    assert all(found["earned"][name] == 0 for name in missing)
