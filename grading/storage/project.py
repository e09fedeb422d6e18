"""Where the project is: the folder that holds `course`, `grading` and `notebooks`, or a bundle with a part of them."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
