"""What the audit counts: a mistake that no check sees is let through, and all others are not."""

from __future__ import annotations

from dataclasses import replace

from grading.exercises.registry import chapters
from grading.judging.audit import let_through
from grading.judging.exercise import Mistake
from grading.judging.expectations import LiveExpectations


def test_what_fails_no_check_is_let_through() -> None:
    chapter = chapters()[3]
    exercise, live = chapter.exercises["causal_mask"], LiveExpectations(chapter, secret=b"any")
    assert exercise.mistakes and let_through(exercise, live) == []
    unseen = Mistake("unseen", "It is right.", "", lambda: exercise.reference)
    with_it = replace(exercise, mistakes=[*exercise.mistakes, unseen])
    assert let_through(with_it, live) == [unseen]
