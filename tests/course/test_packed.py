"""Lessons read what recipes pack. Equal content gives equal bytes, so that git sees no change where there is none."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from course.storage.packed import read_packed, write_packed

CONTENT = {"runs": [{"model": "ÄLBERT", "f1": 0.5, "seed": None}]}


def test_reads_what_was_packed(tmp_path: Path) -> None:
    write_packed(tmp_path / "runs.json.gz", CONTENT)
    assert read_packed(tmp_path / "runs.json.gz") == CONTENT


def test_equal_content_gives_equal_bytes_at_another_time_and_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_packed(tmp_path / "runs.json.gz", CONTENT)
    monkeypatch.setattr(time, "time", lambda: 2e9)
    write_packed(tmp_path / "again.json.gz", CONTENT)
    assert (tmp_path / "again.json.gz").read_bytes() == (tmp_path / "runs.json.gz").read_bytes()
