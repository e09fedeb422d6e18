"""Every bundle runs to its last cell alone, whatever right answers it has; or says what is missing.

Either every other exercise is solved in another style than the library's, or the same exercises are missing: which of
both, changes with the text of the lesson. `--every-turn` does both, and once more where it is the turn of the exercises
between them: then each of a chapter's cells meets each answer written by somebody else.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import keras
import pytest

from grading.errors import GradingError
from grading.exercises.registry import chapter, chapters
from grading.exercises.solutions import SOLUTIONS
from grading.judging.exercise import Exercise, Mistake
from grading.judging.expectations import frozen_path
from grading.judging.frozen import FrozenExpectations
from grading.judging.probing import agree, problem
from grading.judging.verdict import judge_exercise
from grading.release.library import lesson_of
from grading.sandbox.interpreter import Interpreter
from grading.storage.files import write_file
from grading.storage.project import PROJECT
from grading.student_kernel.my_bert import keep, require_named_weights
from grading.submission.cell_ids import exercise_cell_id
from tests.grading.release.type_in import points, reference
from tests.in_turn import turn_of

pytestmark = pytest.mark.long

RUNNER = Path(__file__).with_name("bundle_runner.py")
CORE = 8  # the chapters that every course has
FIRST, LAST = 0, -1  # of the styles of an exercise
TURNS = {"even": 0, "odd": 1}  # whose turn it is, counted from 0 in the order of the lesson

# Runs a chapter's notebook with answers, by the exercises' names, and with a folder `my_bert`; see `bundle_runner`.
Run = Callable[[int, dict[str, str], dict[str, bytes]], dict[str, Any]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One turn of each chapter, of neighbours not the same; or every turn of all.

    Of the chapters beyond the eighth, whose notebooks take longest and which nbval runs as well, a run takes each other
    one: which ones, changes with the text of the last lesson.
    """
    if "turn" in metafunc.fixturenames:
        every = metafunc.config.getoption("every_turn")
        answers_missing = "missing" in metafunc.function.__name__
        taken = [
            (number, name)
            for number in chapters()
            for name, turn in TURNS.items()
            if every
            or (
                number % 2 == turn
                and answers_missing == leaves_answers_out(number)
                and (number <= CORE or its_turn(number))
            )
        ]
        metafunc.parametrize(
            ("number", "turn"),
            [(number, TURNS[name]) for number, name in taken],
            ids=[f"{number}, {name}" for number, name in taken],
        )


def leaves_answers_out(number: int) -> bool:
    """Whether it is the turn of missing answers in a chapter."""
    return bool(turn_of(lesson_of(number, PROJECT).path) % 2)


def its_turn(number: int) -> bool:
    """Whether a chapter beyond the core is run."""
    return (number + leaves_answers_out(max(chapters()))) % 2 == 0


@pytest.fixture(scope="module")
def run(released: Callable[[int], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    packages = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    environment = {key: value for key, value in os.environ.items() if key != "MY_BERT"} | {"MY_MODEL": ""}
    command = [sys.executable, "-I", "-S", RUNNER, *packages]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run_one(number: int, answers: dict[str, str], my_bert: dict[str, bytes]) -> dict[str, Any]:
        unpacked = tmp_path_factory.mktemp("bundle")
        shutil.unpack_archive(released(number).with_suffix(".zip"), unpacked)
        (bundle,) = unpacked.iterdir()
        for path, data in my_bert.items():
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


@cache
def kept(number: int, style: int) -> dict[str, bytes]:
    """What is in `my_bert` of a chapter in which all is solved in that style."""
    of, files = chapter(number), {}
    with tempfile.TemporaryDirectory() as folder:
        for name in reference(number):
            source = SOLUTIONS[name][style].source
            namespace: dict[str, Any] = {}
            with mock.patch.dict(keras.saving.get_custom_objects()):  # in which a layer may register itself
                exec(source, namespace)
                try:
                    require_named_weights(of.exercises[name], namespace[name])
                except GradingError:
                    continue
            path = keep(of.exercises[name], of, [source], Path(folder, "my_bert"))
            files[path.relative_to(folder).as_posix()] = path.read_bytes()
    return files


def brought_along(number: int, style: int) -> dict[str, bytes]:
    """The folder of a student who comes to a chapter from all that are before it."""
    return {path: data for earlier in chapters() if earlier < number for path, data in kept(earlier, style).items()}


def test_a_bundle_with_right_answers_runs_to_its_last_cell(run: Run, number: int, turn: int) -> None:
    answers = {
        name: SOLUTIONS[name][LAST].source if place % 2 == turn else of_library
        for place, (name, of_library) in enumerate(reference(number).items())
    }
    found = run(number, answers, brought_along(number, LAST if turn else FIRST))
    assert found["errors"] == {}
    assert found["warned"] == []  # a student would take it for a mistake
    assert found["earned"] == points(number)


def test_a_bundle_with_every_other_answer_missing_says_so_in_one_line_and_fails_in_no_other_way(
    run: Run, number: int, turn: int
) -> None:
    names = list(reference(number))
    missing, written = names[turn::2], names[1 - turn :: 2]
    found = run(number, {name: SOLUTIONS[name][FIRST].source for name in written}, {})
    for cell, lines in found["errors"].items():
        assert len(lines) == 1, (cell, *lines)
        assert any(name in lines[0] for name in missing), (cell, lines[0])
    assert found["errors"]
    assert all(found["earned"][name] == 0 for name in missing)


@pytest.mark.parametrize("number", chapters())
def test_every_mistake_in_a_bundle_fails_a_check_and_is_told_from_the_others(
    released: Callable[[int], Path], number: int
) -> None:
    """All of them, by what they gave when the bundle was made."""
    of = chapter(number)
    expected = FrozenExpectations(released(number) / frozen_path(of).relative_to(PROJECT))
    for exercise in of.exercises.values():
        mistakes = expected.mistakes(exercise)
        for mistake in mistakes:
            assert fails(exercise, mistake, expected), mistake.sentence
        for one, other in itertools.permutations(mistakes, 2):  # two ways to make one mistake have one sentence
            if one.sentence != other.sentence:
                assert not is_taken_for(exercise, one, other, expected), (one.sentence, other.sentence)


def fails(exercise: Exercise, mistake: Mistake, expected: FrozenExpectations) -> bool:
    gave = ((check, expected.mistaken(exercise, mistake, check)) for check in exercise.checks)
    return any(one and problem(check, one, expected.reference(exercise, check)) for check, one in gave)


def is_taken_for(exercise: Exercise, one: Mistake, other: Mistake, expected: FrozenExpectations) -> bool:
    """Whether nothing that is known says that code with the one mistake does not have the other."""
    for check in exercise.checks:
        gave, others = (expected.mistaken(exercise, mistake, check) for mistake in (one, other))
        if gave is None or others is None:
            continue
        if expected.shows(exercise, one, check):
            if not agree(check, gave, others):
                return False
        elif expected.shows(exercise, other, check):
            return False
    return True


@pytest.mark.parametrize("number", chapters())
def test_a_bundle_names_mistakes_as_the_project_does(
    released: Callable[[int], Path], tmp_path: Path, number: int, pytestconfig: pytest.Config
) -> None:
    """One mistake of each exercise, which changes with the lesson's text; or, with `--every-mistake`, all of them."""
    of = chapter(number)
    of.load_mistakes()
    expected = FrozenExpectations(released(number) / frozen_path(of).relative_to(PROJECT))
    turn = None if pytestconfig.getoption("every_mistake") else turn_of(lesson_of(number, PROJECT).path)
    named = {
        f"{name}: {mistake.sentence}": [
            found.sentence
            for found in judge_exercise(
                exercise, Interpreter(tmp_path, {name: mistake.implementation}), expected
            ).mistakes
        ]
        for name, exercise in of.exercises.items()
        for place, mistake in enumerate(exercise.mistakes)
        if turn is None or place == turn % len(exercise.mistakes)
    }
    assert {label: [label.partition(": ")[2]] for label in named} == named
