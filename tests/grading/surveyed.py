"""The chapters that mutants have measured: those with `equivalent_mutants.toml`."""

from __future__ import annotations

from grading.exercises.registry import chapters
from grading.storage.project import PROJECT

# For these, the reason is known why each surviving mutant of their exercises is equivalent.
WHOLE = [
    number
    for number, chapter in chapters().items()
    if (PROJECT / "grading" / "exercises" / chapter.package / "equivalent_mutants.toml").exists()
]
SURVEYED = [(number, name) for number in WHOLE for name in chapters()[number].exercises]
