"""The lists of equivalent mutants can be read, and each entry names a mutant."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.errors import GradingError
from grading.exercises.registry import chapter, chapters
from grading.mutants import equivalent as equal
from grading.mutants.equivalent import EVERYWHERE, Equal, equivalent_mutants, unused
from grading.mutants.making import Mutant
from grading.mutants.survey import mutants_by_exercise


@pytest.mark.parametrize(
    ("exercise", "change", "covered"),
    [
        ("gelu", "a -> b", True),
        ("gelu", "a…b", True),
        ("…", "…-> b", True),
        ("…", "a", False),
        ("rotate", "a -> b", False),
        ("gelu", "a . > b", False),
    ],
)
def test_which_mutants_an_entry_covers(exercise: str, change: str, covered: bool) -> None:
    assert Equal(exercise, change, "so").covers(Mutant("gelu", "a -> b", "")) is covered


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[equal]\n", "is not TOML"),
        ('[[equal]]\nexercise = "causal_mask"\nmutants = []\n', "entry 1: it has .*; wanted exercise, mutants, reason"),
        ('[[equal]]\nexercise = "causal_mask"\nreason = " "\nmutants = []\n', "entry 1"),
        ('[[equal]]\nexercise = "nothing"\nreason = "so"\nmutants = ["a"]\n', "has no exercise 'nothing'"),
    ],
)
def test_reasons_that_cannot_be_read(text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "equivalent_mutants.toml"
    path.write_text(text)
    monkeypatch.setattr(equal, "equal_path", lambda of: path)
    with pytest.raises(GradingError, match=said):
        equivalent_mutants(chapter(3))


@pytest.mark.long
def test_every_entry_names_a_mutant() -> None:
    everywhere = set(equal.read_equal(EVERYWHERE))
    for of in chapters().values():
        made = [mutant for mutants in mutants_by_exercise(of, list(of.exercises)).values() for mutant in mutants]
        own = [entry for entry in equivalent_mutants(of) if entry not in equal.read_equal(EVERYWHERE)]
        assert unused(own, made) == []
        everywhere &= set(unused(everywhere, made))
    assert everywhere == set()
