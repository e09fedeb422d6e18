"""What is expected comes from the library, whatever else runs at the time."""

from __future__ import annotations

from unittest import mock

from grading.exercises.registry import chapter
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
