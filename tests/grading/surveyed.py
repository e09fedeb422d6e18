"""Which chapters have been measured by mutants: those with `equivalent_mutants.toml`."""

from __future__ import annotations

from grading.exercises.registry import chapters
from grading.storage.project import PROJECT

# Of their exercises it is known, for every change that no check sees, why it makes no difference.
WHOLE = [
    number
    for number, chapter in chapters().items()
    if (PROJECT / "grading" / "exercises" / chapter.package / "equivalent_mutants.toml").exists()
]
SURVEYED = [(number, name) for number in WHOLE for name in chapters()[number].exercises]
