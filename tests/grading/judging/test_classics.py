"""The grader knows the mistakes that learners are known to make, or there is a reason why it need not."""

from __future__ import annotations

import pytest

from grading.exercises.registry import chapters
from tests.grading.judging.classics import CLASSICS, Classic


@pytest.mark.parametrize(
    ("number", "classic"),
    [(number, classic) for number, classics in CLASSICS.items() for classic in classics],
    ids=lambda value: value.what if isinstance(value, Classic) else str(value),
)
def test_a_classic_is_known_or_has_a_reason(number: int, classic: Classic) -> None:
    chapter = chapters()[number]
    chapter.load_mistakes()
    known = {mistake.name for exercise in chapter.exercises.values() for mistake in exercise.mistakes}
    assert set(classic.known) <= known
    assert bool(classic.known) != bool(classic.reason)


def test_every_chapter_has_its_classics() -> None:
    assert CLASSICS.keys() == chapters().keys()
