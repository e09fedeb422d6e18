"""Numbers in documents match what code counts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks import mutants
from benchmarks.mutants import with_row, with_sums
from benchmarks.tables import documents
from grading.exercises.registry import chapters
from grading.mutants.survey import Survey
from grading.storage.project import PROJECT
from tests.grading.surveyed import WHOLE


def test_documents_match_the_counted_numbers() -> None:
    behind = [path for path, text in documents().items() if (PROJECT / path).read_text(encoding="utf-8") != text]
    assert behind == [], f"{', '.join(behind)}: run `make tables`"


def test_every_surveyed_exercise_has_mutants_and_none_survives() -> None:
    measured = json.loads((PROJECT / "benchmarks" / "results" / "mutants.json").read_text(encoding="utf-8"))["rows"]
    exercises = [(name, number) for number in WHOLE for name in chapters()[number].exercises]
    counted = {(row["exercise"], row["chapter"]) for row in measured[:-1]}
    missing = [f"`python -m benchmarks.mutants {number} {name}`" for name, number in {*exercises} - counted]
    assert missing == [], f"run {', '.join(missing)}, then `make tables`"
    gone = counted - {*exercises}
    assert gone == set(), "these are no exercises: the same command for any exercise drops them"
    assert len(counted) == len(measured) - 1
    assert all(row["survived"] == 0 for row in measured)


def test_one_row_is_replaced_or_added_in_its_place_and_the_sums_follow() -> None:
    first, *between, last = [(number, name) for number, of in chapters().items() for name in of.exercises]

    def row(place: tuple[int | str, str], count: int) -> dict[str, Any]:
        killed = {"mutants": count, "killed": count, "equal": 0, "survived": 0}
        return {"exercise": place[1], "chapter": place[0], **killed}

    gone = row((1, "no_exercise"), 9)
    old = with_sums([row(first, 2), gone, row(last, 3)])
    added = with_row(old, row(between[0], 4))
    assert added == [row(first, 2), row(between[0], 4), row(last, 3), row(("", "all 3"), 9)]
    replaced = with_row(added, row(last, 7))
    assert replaced == [row(first, 2), row(between[0], 4), row(last, 7), row(("", "all 3"), 13)]


def test_mutants_of_one_exercise_are_counted_only_if_none_survives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mutants.json"
    path.write_text(mutants.RESULTS.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(mutants, "RESULTS", path)
    before = path.read_text(encoding="utf-8")

    monkeypatch.setattr(mutants, "survey", lambda *_: iter([Survey("viterbi", seen=7, survivors=["a change"])]))
    with pytest.raises(SystemExit, match="python -m grading mutants 12 viterbi"):
        mutants.main(12, "viterbi")
    assert path.read_text(encoding="utf-8") == before

    monkeypatch.setattr(mutants, "survey", lambda *_: iter([Survey("viterbi", seen=7)]))
    mutants.main(12, "viterbi")
    stored, old = json.loads(path.read_text(encoding="utf-8")), json.loads(before)
    changed = [row for row, other in zip(stored["rows"][:-1], old["rows"][:-1], strict=True) if row != other]
    assert changed == [mutants.row_of(chapters()[12], Survey("viterbi", seen=7))]
    others = re.sub(r", viterbi [\d-]+", "", old["machine"]["date"])
    assert stored["machine"]["date"].startswith(f"{others}, viterbi 20")
