"""The picture of a training, with and without Matplotlib."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from course.training.curves import draw_curves

CURVES = {"seed 1": [0.5, 0.75, 0.875]}


def test_curves_are_drawn_and_described(tmp_path: Path) -> None:
    picture = draw_curves(tmp_path, CURVES, title="Fine-tuning")
    assert picture is not None
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "curves.txt").read_text(encoding="utf-8") == f"{picture.alt}\n"
    assert "seed 1 goes from 0.5 to 0.875" in picture.alt


def test_without_matplotlib_nothing_is_drawn_and_nothing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [])
    assert draw_curves(tmp_path, CURVES) is None
    assert not list(tmp_path.iterdir())
