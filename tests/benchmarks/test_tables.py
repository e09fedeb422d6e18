"""Numbers in documents match what code counts."""

from __future__ import annotations

import json

from benchmarks.tables import documents
from grading.exercises.registry import chapters
from grading.storage.project import PROJECT
from tests.grading.surveyed import WHOLE


def test_documents_match_the_counted_numbers() -> None:
    behind = [path for path, text in documents().items() if (PROJECT / path).read_text(encoding="utf-8") != text]
    assert behind == [], f"{', '.join(behind)}: run `make tables`"


def test_every_surveyed_exercise_has_mutants_and_none_survives() -> None:
    measured = json.loads((PROJECT / "benchmarks" / "results" / "mutants.json").read_text(encoding="utf-8"))["rows"]
    exercises = [(name, number) for number in WHOLE for name in chapters()[number].exercises]
    assert sorted((row["exercise"], row["chapter"]) for row in measured[:-1]) == sorted(exercises)
    assert all(row["survived"] == 0 for row in measured)
