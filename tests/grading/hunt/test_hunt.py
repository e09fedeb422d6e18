"""No bundle holds an answer; and the hunt finds what does the work of an exercise, were it in a bundle.

The hunt changes what a process has imported, so it runs in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from grading.exercises.registry import chapter, chapters
from grading.release.library import lesson_of
from grading.storage.project import PROJECT
from tests.in_turn import turn_of

pytestmark = pytest.mark.long

# The bundle of chapter 3 with its answers in it, and with chapter 9's module, whose own answers are blank.
LEAKY_BUNDLE = """
import json, sys
from grading.hunt.search import hunt
from grading.lessons.answers import find_answers
from grading.release.imports import reachable
from grading.release.library import blank_answers, lesson_of, released_modules
from grading.storage.project import PROJECT
released = released_modules(3, PROJECT)
positions = blank_answers(find_answers(lesson_of(9, PROJECT)))
modules = reachable([*released, "course.positions"], PROJECT, {"course.positions": positions})
hunted = next(hunt({3: modules}))
print(json.dumps([(one.by, one.exercise, one.held, one.share) for one in hunted.findings]), file=sys.__stdout__)
"""


def in_a_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
        stdin=subprocess.DEVNULL,  # what is tried may read its input, which would be that of pytest's own process
        capture_output=True,
        text=True,
        check=False,
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One bundle in turn, by the text of the last lesson; with `--every-turn`, all."""
    if "bundles" in metafunc.fixturenames:
        turn = turn_of(lesson_of(max(chapters()), PROJECT).path) % len(chapters())
        bundles = [] if metafunc.config.getoption("every_turn") else [str(list(chapters())[turn])]
        metafunc.parametrize("bundles", [bundles], ids=str)


def test_no_bundle_does_the_work_of_an_exercise_or_has_its_shape(bundles: list[str]) -> None:
    done = in_a_process("-m", "grading", "hunt", *bundles)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hunt_finds_every_answer_and_the_attention_that_chapter_9_gives() -> None:
    outcome = in_a_process("-c", LEAKY_BUNDLE)
    assert outcome.returncode == 0, outcome.stderr
    found = {(by, exercise, held): share for by, exercise, held, share in json.loads(outcome.stdout)}
    for exercise in chapter(3).exercises:
        assert found["behaviour", exercise, f"course.attention.{exercise}"] == 1
        assert found["shape", exercise, f"course.attention.{exercise}"] > 0.8
    biased = "course.positions.biased_attention"
    assert found["behaviour", "scaled_dot_product_attention", biased] == 1
    assert found["shape", "scaled_dot_product_attention", biased] > 1 / 3
