"""What README.md says of the exercises is so."""

from __future__ import annotations

import re

from grading.exercises.registry import chapters
from grading.storage.project import PROJECT
from tests.grading.variants import VARIANTS

ROW = re.compile(r"^\| (\d) ([^|]+?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
SUMS = re.compile(r"^\| all \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)


def test_the_table_of_mistakes_counts_what_is_there() -> None:
    counted = []
    for chapter in chapters().values():
        chapter.load_mistakes()
        exercises = chapter.exercises.values()
        checks = sum(len(exercise.checks) for exercise in exercises)
        mistakes = sum(len(exercise.mistakes) for exercise in exercises)
        solutions = sum(len(VARIANTS[name]) for name in chapter.exercises)
        counted.append((str(chapter.number), chapter.title, len(exercises), checks, mistakes, solutions))
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    said = [(number, title, *map(int, counts)) for number, title, *counts in ROW.findall(readme)]
    assert said == counted
    sums = SUMS.search(readme)
    assert sums
    assert [int(count) for count in sums.groups()] == [sum(row[place] for row in counted) for place in range(2, 6)]
