"""The project's folder, with `course`, `grading` and `notebooks`, or a bundle with a part of them; and its version."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def version() -> str:
    """The project's version from its pyproject.toml; if there is none, that of the installed package."""
    try:
        return str(tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
    except FileNotFoundError:
        return metadata.version("bert-from-nothing")
