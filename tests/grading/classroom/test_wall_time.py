"""A submission that takes time in every check ends at its limit on the wall, and keeps what it has earned by then."""

from __future__ import annotations

import copy
from pathlib import Path
from unittest import mock

from grading.classroom import grader as grading_one
from grading.classroom.grader import Grader
from grading.lessons.notebook import make_notebooks, notebook_text
from grading.release.library import lesson_of
from grading.storage.project import PROJECT
from grading.submission import find_submissions
from grading.submission.cell_ids import exercise_cell_id

# The answers are right. After the first exercise each call rests, and so no single call is too long.
_RESTS = """


def resting(function):
    def inner(*args, **kwargs):
        import time

        time.sleep(4)
        return function(*args, **kwargs)

    return inner


{name} = resting({name})
"""
_LIMIT = 12.0


def test_the_checks_after_the_limit_say_so_and_the_class_goes_on(tmp_path: Path) -> None:
    _, solved = make_notebooks(lesson_of(1, PROJECT))
    slow = copy.deepcopy(solved)
    for name in ("learn_bpe", "wordpiece_tokenize", "pack_pair"):
        for cell in slow.cells:
            if cell.id == exercise_cell_id(name):
                cell.source += _RESTS.replace("{name}", name)
    for student, notebook in {"right": solved, "slow": slow}.items():
        (tmp_path / f"{student}.ipynb").write_text(notebook_text(notebook))
    right, slow_one = find_submissions(tmp_path)
    with Grader(b"secret") as grader:
        with mock.patch.object(grading_one, "SUBMISSION_WALL_SECONDS", _LIMIT):
            ended = grader.grade(slow_one, 1)
        went_on = grader.grade(right, 1)
    assert went_on["earned"] == went_on["points"]
    assert 0 < ended["earned"] < ended["points"]
    first, *_, last = ended["exercises"]
    assert first["passed"]
    said = [last["problem"], *(check["message"] for check in last["checks"])]
    assert any(f"run for {_LIMIT:g} seconds by the clock on the wall" in each for each in said), said
