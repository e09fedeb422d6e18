"""What is expected comes from the library, whatever else runs at the time."""

from __future__ import annotations

import re
from pathlib import Path
from unittest import mock

from grading.exercises.registry import chapter
from grading.exercises.tokenization import mistakes
from grading.judging.expectations import LiveExpectations
from grading.judging.probing import agree


def test_a_mistake_that_stands_in_for_the_library_is_not_what_is_expected() -> None:
    """One thread of a grader swaps definitions for a moment, while others ask for the right answer."""
    of = chapter(1)
    exercise = of.exercises["basic_tokenize"]
    live, right = LiveExpectations(of), LiveExpectations(of)
    expected = {check: right.reference(exercise, check) for check in exercise.checks}
    mistake = exercise.mistakes[0]
    assert not all(agree(check, right.mistaken(exercise, mistake, check), expected[check]) for check in expected)
    with mock.patch.object(of.module, exercise.name, mistake.implementation):
        for grader in (live, LiveExpectations(of)):
            assert all(agree(check, grader.reference(exercise, check), expected[check]) for check in expected)


def test_every_known_mistake_is_considered() -> None:
    exercise = chapter(1).exercises["basic_tokenize"]
    names = {mistake.name for mistake in LiveExpectations(chapter(1)).mistakes(exercise)}
    folder = Path(mistakes.__file__).with_name("basic_tokenize.py")
    assert names == set(re.findall(r'basic\.mistake\(\s*"(\w+)"', folder.read_text(encoding="utf-8")))
    assert len(names) > 5
