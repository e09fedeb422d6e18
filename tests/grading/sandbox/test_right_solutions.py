"""What gets full marks in the notebook gets them in the sandbox, where an answer sees the allowed names alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grading.exercises.registry import chapters
from grading.exercises.solutions import SOLUTIONS
from grading.judging.verdict import judge_exercise
from grading.sandbox.client import Sandbox
from grading.sandbox.session import SandboxSession
from grading.storage.project import PROJECT
from tests.grading.judging.undiagnosed import WithoutMistakes
from tests.in_turn import turn_of

pytestmark = pytest.mark.long

_SECONDS = 60.0


@pytest.mark.parametrize("number", chapters())
def test_right_solutions_get_full_marks(number: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """One solution of each exercise in turn, by the text of its chapter's checks; with `--every-mistake`, all."""
    of = chapters()[number]
    checks = PROJECT / "grading" / "exercises" / of.package / "checks.py"
    turn = turn_of(checks)
    # Solutions build on what other exercises of the chapter define, which a student's own notebook defines.
    shutil.copytree(PROJECT / "course", tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__"))
    live, lost = WithoutMistakes(of, b"tests"), {}
    with Sandbox(library=tmp_path, ready_made=of.ready_made) as sandbox:
        for name, exercise in of.exercises.items():
            every = request.config.getoption("every_mistake")
            for solution in SOLUTIONS[name] if every else [SOLUTIONS[name][turn % len(SOLUTIONS[name])]]:
                with SandboxSession(sandbox, _SECONDS) as session:
                    session.define(solution.source, "cell 1", exercise.ready_made)
                    result = judge_exercise(exercise, session, live)
                if not result.passed:
                    said = [check.difference.message for check in result.checks if check.difference]
                    lost[f"{name}, {solution.style}"] = said
    assert lost == {}
