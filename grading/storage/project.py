"""Where the project is: the folder that holds `course`, `grading` and `notebooks`, or a bundle with a part of them."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def version() -> str:
    """The project's version: what its own pyproject.toml says; where it was installed without one, what pip knows."""
    try:
        return str(tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
    except FileNotFoundError:
        return metadata.version("bert-from-nothing")
