"""What README.md says of the exercises is so."""

from __future__ import annotations

import json
import re
from collections import Counter

from grading.exercises.registry import chapters
from grading.storage.project import PROJECT
from tests.grading.surveyed import WHOLE
from tests.grading.variants import VARIANTS

COUNTED = ("mutants", "killed", "equal", "survived")
ROW = re.compile(r"^\| (\d+) ([^|]+?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
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
    readme = (PROJECT / "README.md").read_text(encoding="utf-8").partition("| chapter | mutants |")[0]
    said = [(number, title, *map(int, counts)) for number, title, *counts in ROW.findall(readme)]
    assert said == counted
    sums = SUMS.search(readme)
    assert sums
    assert [int(count) for count in sums.groups()] == [sum(row[place] for row in counted) for place in range(2, 6)]


def test_the_table_of_mutants_has_what_was_measured_of_every_surveyed_exercise() -> None:
    measured = json.loads((PROJECT / "benchmarks" / "results" / "mutants.json").read_text(encoding="utf-8"))["rows"]
    exercises = [(name, number) for number in WHOLE for name in chapters()[number].exercises]
    assert sorted((row["exercise"], row["chapter"]) for row in measured[:-1]) == sorted(exercises)
    sums: dict[str, Counter[str]] = {}
    for row in measured:
        sums.setdefault(str(row["chapter"] or "all"), Counter()).update({name: row[name] for name in COUNTED})
    titles = {str(number): f"{number} {chapter.title}" for number, chapter in chapters().items()} | {"all": "all"}
    wanted = [
        f"| {titles[key]} | {' | '.join(f'{counts[name]:,}' for name in COUNTED)} |" for key, counts in sums.items()
    ]
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    start = readme.index("| chapter | mutants |")
    assert readme[start:].splitlines()[2 : 2 + len(wanted)] == wanted
    assert all(row["survived"] == 0 for row in measured)
