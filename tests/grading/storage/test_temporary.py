"""Temporary folders are removed at the end; after a killed run, at the next start."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grading.storage.temporary import clear_temporary_folders, temporary_folder

_FORK = multiprocessing.get_context("fork")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def killed(place: Path) -> Callable[[], Path]:
    """Return the folder that a killed process left behind."""

    def stay() -> None:
        with temporary_folder() as folder:
            (folder / "library").mkdir()
            (folder / "library" / "course.py").touch()
            time.sleep(60)

    def make() -> Path:
        before = set(place.iterdir())
        process = _FORK.Process(target=stay)
        process.start()
        while not [*place.glob("*/library/course.py")]:
            time.sleep(0.01)
        clear_temporary_folders()
        (folder,) = set(place.iterdir()) - before  # it is in use, and so it stays
        process.kill()
        process.join()
        return folder

    return make


def test_a_folder_is_gone_after_its_block(place: Path) -> None:
    with temporary_folder() as folder:
        (folder / "file").touch()
        clear_temporary_folders()
        assert (folder / "file").exists()
    assert not [*place.iterdir()]


def test_a_killed_runs_folder_is_removed_at_the_next_start(place: Path, killed: Callable[[], Path]) -> None:
    left = killed()
    assert (left / "library" / "course.py").exists()
    others = [place / "bert-grading-of-mine", place / "somebody", place / f"bert-grading-{os.getpid()}-abc"]
    for other in others:
        other.mkdir()
    clear_temporary_folders()
    assert sorted(place.iterdir()) == sorted(others)


def test_a_link_is_not_followed(place: Path, killed: Callable[[], Path]) -> None:
    """Where everybody may write, a name alone proves nothing."""
    left = killed()
    mine = place / "mine"
    left.rename(mine)
    left.symlink_to(mine)
    clear_temporary_folders()
    assert (mine / "library" / "course.py").exists()
