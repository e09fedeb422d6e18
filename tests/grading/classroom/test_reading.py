"""Submissions are read in processes that can be killed, and a failure gives a reason."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from grading.classroom import reading
from grading.classroom.reading import Readers
from grading.submission import Cell, DamagedSubmission, Notebook, find_submissions

_RIGHT = "def padding_mask(token_ids, padding_id=0):\n    return token_ids\n"
_SLOW = ["x = x + 1\n" * 19_000] * 5


def hand_in(folder: Path, *sources: str) -> None:
    cells = [{"cell_type": "code", "source": source} for source in sources]
    (folder / "alice.ipynb").write_text(json.dumps({"nbformat": 4, "cells": cells}))


def test_a_submission_that_takes_too_long_is_damaged_and_the_next_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "SECONDS", 1)
    slow = Notebook("a.ipynb", tuple(Cell("", "code", text, place) for place, text in enumerate(_SLOW, 1)), 3, (), "")
    hand_in(tmp_path, _RIGHT)
    with Readers() as readers:
        with pytest.raises(DamagedSubmission, match=r"cannot be read in \d+ seconds of processor time"):
            readers.cut(slow, 3)
        monkeypatch.undo()  # a new process imports all chapters first
        read = readers.read(find_submissions(tmp_path)[0], 3)
        assert read.problem == ""
        assert read.notebook
        assert readers.cut(read.notebook, 3).extraction.exercises["padding_mask"].status == "found"


def test_a_killed_reading_process_is_replaced(tmp_path: Path) -> None:
    hand_in(tmp_path, _RIGHT)
    with Readers() as readers:
        first = readers.read(find_submissions(tmp_path)[0], 3)
        process = readers._idle[0]._process
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert readers.read(find_submissions(tmp_path)[0], 3) == first
