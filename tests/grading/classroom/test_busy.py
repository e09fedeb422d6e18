"""A class on a busy machine gets the marks that it gets on a quiet one."""

from __future__ import annotations

import copy
import os
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from benchmarks.loaded_host import burners
from grading.classroom import grader as grading_one
from grading.classroom.grader import Grader
from grading.lessons.lesson import read_lesson
from grading.lessons.notebook import make_notebooks, notebook_text
from grading.sandbox.session import SandboxSession
from grading.storage.project import PROJECT
from grading.submission import find_submissions
from grading.submission.cell_ids import exercise_cell_id

pytestmark = pytest.mark.long

_LIMIT = 1.6
_THINKS = """
import time


def thinking(function):
    def inner(*args, **kwargs):
        began = time.process_time()
        while time.process_time() - began < 0.6:
            pass
        return function(*args, **kwargs)

    return inner


learn_bpe = thinking(learn_bpe)
"""
_RESTS = "import time\n\n\ndef learn_bpe(word_counts, num_merges):\n    time.sleep(9)\n"


def test_the_same_marks_beside_burners(tmp_path: Path) -> None:
    _, solved = make_notebooks(read_lesson(PROJECT / "notebooks" / "source" / "01_tokenization.md"))
    for student, source in {"thinks": "{}" + _THINKS, "rests": _RESTS}.items():
        theirs = copy.deepcopy(solved)
        for cell in theirs.cells:
            if cell.id == exercise_cell_id("learn_bpe"):
                cell.source = source.replace("{}", cell.source)
        (tmp_path / f"{student}.ipynb").write_text(notebook_text(theirs))
    files = find_submissions(tmp_path)
    short = partial(SandboxSession, operation_seconds=_LIMIT)
    with Grader(b"secret") as grader, mock.patch.object(grading_one, "SandboxSession", short):
        grader.prepare(1)
        quiet = [grader.grade(file, 1) for file in files]
        with burners(3 * len(os.sched_getaffinity(0))):
            busy = [grader.grade(file, 1) for file in files]
    assert busy == quiet
    rests, thinks = quiet
    assert thinks["earned"] == thinks["points"] > rests["earned"] > 0
    assert rests["crashes"] == 1
