"""The exercises of other chapters under attack: nothing is gained, said or broken, and a neighbour gets all points.

Here attacks may use whatever names they like, so that it is seen what the process alone holds.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any
from unittest import mock

import keras
import numpy as np
import pytest

from grading.classroom import grader, seeds
from grading.classroom.reading import Cut
from grading.classroom.results import Results
from grading.classroom.run import grade_class
from grading.exercises.registry import chapter
from grading.judging.expectations import LiveExpectations
from grading.sandbox import session
from grading.submission import Notebook
from tests.grading.hostile import chapters

pytestmark = pytest.mark.long

_FORBIDDEN = ("leak", "\x1b", "\x9b", "\x07", "\u202e", "\u2066", "\u200f", "\x7f")


class Overheard(session.SandboxSession):
    """Notes what every session is sent. Of a submission's two, the first has the hidden inputs."""

    made: list[Overheard] = []  # noqa: RUF012

    def define(self, source: str, origin: str, ready_made: object = None, *library: Any) -> None:
        super().define(source, origin, None, *library)  # no name is kept from it

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.words: set[str] = set()
        self.made.append(self)

    def perform(self, operation: dict[str, Any], timeout: float | None = None) -> Any:
        for part in keras.tree.flatten([operation.get("args", []), operation.get("kwargs", {})]):
            if isinstance(part, str):
                self.words.add(part)
            elif isinstance(part, np.ndarray) and part.dtype.kind == "f":
                self.words.update(f"{number:.6g}" for number in part.flat[:20])
        return super().perform(operation, timeout)


_cut = grader.Readers.cut


def _nothing_refused(readers: grader.Readers, notebook: Notebook, number: int) -> Cut:
    """What was cut out, as if an answer could use whatever it likes: what holds then is the process alone."""
    return dataclasses.replace(_cut(readers, notebook, number), refused={}, refused_alone={})


def test_there_are_enough_attacks() -> None:
    cases = list(chapters.cases())
    assert len(cases) >= 40
    assert {case.number for case in cases} == set(chapters.NUMBERS)


@pytest.mark.parametrize("number", chapters.NUMBERS)
def test_no_attack_on_a_chapter_achieves_anything(number: int, tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    for student, text in chapters.notebooks(number).items():
        (submissions / f"{student}.ipynb").write_text(text)
    Overheard.made.clear()
    with (
        mock.patch.object(grader, "SandboxSession", Overheard),
        mock.patch.object(grader.Readers, "cut", _nothing_refused),
        mock.patch.object(seeds, "COUNT", 1),  # what the reference gives is computed once
        mock.patch.object(
            LiveExpectations, "mistakes", lambda *_: []
        ),  # what each would give takes minutes, and names no attack
    ):
        records = {
            record["student"]: record for record in grade_class(submissions, Results(tmp_path / "r", number), jobs=1)
        }
    known = set().union(*(made.words for made in Overheard.made[1::2]))
    hidden = {word for made in Overheard.made[0::2] for word in made.words if len(word) > 4} - known
    faults = {}
    for case in (case for case in chapters.cases() if case.number == number):
        record = next(one for one in records[case.student]["exercises"] if one["name"] == case.exercise)
        text = json.dumps(record, ensure_ascii=False)
        found = [f"earns {record['earned']:g}"] if record["earned"] else []
        found += ["the grader failed on it"] if "the grader failed" in text else []
        found += [f"says {sign!r}" for sign in _FORBIDDEN if sign in text]
        said = " ".join([record["problem"], *(check["message"] for check in record["checks"]), str(record["panels"])])
        found += [f"says the hidden {word}" for word in hidden if word in said]
        found += ["is too long"] if len(text) > 20_000 else []
        faults.update({(case.student, case.exercise, case.body): found} if found else {})
    assert faults == {}
    assert hidden or number == 7
    assert records["neighbour"]["earned"] == chapter(number).points
