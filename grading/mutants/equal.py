"""Mutants that are as right as the reference, each with the reason: `equal_mutants.toml` beside a chapter's checks.

[[equal]]
exercise = "gelu"
reason = "a float times one is the same float"
mutants = ["gelu: return 1.0 * x -> return x"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from grading.errors import GradingError
from grading.judging.exercise import Chapter
from grading.storage.files import read_text
from grading.storage.project import PROJECT

_KEYS = {"exercise", "reason", "mutants"}
# Exercise and change, and why the change makes no difference.
Reasons = Mapping[tuple[str, str], str]


def equal_mutants(of: Chapter) -> dict[tuple[str, str], str]:
    """Why some changes of a chapter's exercises make no difference.

    Raises:
        GradingError: the file is not as described above.
    """
    path = equal_path(of)
    if not path.exists():
        return {}
    try:
        entries = tomllib.loads(read_text(path)).get("equal", [])
    except tomllib.TOMLDecodeError as error:
        raise GradingError(f"{path} is not TOML: {error}") from error
    reasons: dict[tuple[str, str], str] = {}
    for number, entry in enumerate(entries, 1):
        if set(entry) != _KEYS or not entry["reason"].strip():
            raise GradingError(f"{path}, entry {number}: it has {sorted(entry)}; wanted {', '.join(sorted(_KEYS))}")
        of.require([entry["exercise"]])
        reasons |= {(entry["exercise"], change): entry["reason"] for change in entry["mutants"]}
    return reasons


def equal_path(of: Chapter) -> Path:
    return PROJECT / "grading" / "exercises" / of.package / "equal_mutants.toml"
