"""Which exercises have been measured by mutants: those of chapters with `equal_mutants.toml`, but for a few."""

from __future__ import annotations

from grading.exercises.registry import chapters
from grading.storage.project import PROJECT

# Their surveys are not complete, so that changes which no check sees may be among theirs.
UNFINISHED = ("corrupt", "Electra")

# Of these it is known, for every change that no check sees, why it makes no difference.
SURVEYED = [
    (chapter.number, name)
    for chapter in chapters().values()
    if (PROJECT / "grading" / "exercises" / chapter.package / "equal_mutants.toml").exists()
    for name in chapter.exercises
    if name not in UNFINISHED
]
# Chapters of which all exercises have been measured.
WHOLE = [
    number for number, chapter in chapters().items() if {(number, name) for name in chapter.exercises} <= {*SURVEYED}
]
