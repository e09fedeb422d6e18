"""Mutants of a real exercise, in the real sandbox; and some of all exercises whose survivors have reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.errors import GradingError
from grading.exercises.registry import chapter
from grading.mutants import equal
from grading.mutants.equal import equal_mutants
from grading.mutants.making import Mutant
from grading.mutants.survey import survey
from grading.mutants.trial import TrialBench

RIGHT = """
def causal_mask(length):
    positions = keras.ops.arange(length)
    return positions[:, None] {0} positions
"""


def test_a_change_is_seen_by_the_first_check_that_fails_and_survives_if_none_does() -> None:
    source = f"import keras\n{RIGHT}"
    with TrialBench(chapter(3), b"a secret") as bench:
        right, wrong, broken = (
            bench.attempt(Mutant("causal_mask", "", text))
            for text in (source.format(">="), source.format(">"), "import nothing_of_that_name")
        )
    assert (right.survived, right.seen_by) == (True, "")
    assert (wrong.survived, wrong.seen_by) == (False, chapter(3).exercises["causal_mask"].checks[0].key)
    assert (broken.survived, broken.seen_by) == (False, "cannot be defined")


def written(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "equal_mutants.toml"
    path.write_text(text)
    monkeypatch.setattr(equal, "equal_path", lambda of: path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[equal]\n", "is not TOML"),
        ('[[equal]]\nexercise = "causal_mask"\nmutants = []\n', "entry 1: it has .*; wanted exercise, mutants, reason"),
        ('[[equal]]\nexercise = "causal_mask"\nreason = " "\nmutants = []\n', "entry 1"),
        ('[[equal]]\nexercise = "nothing"\nreason = "so"\nmutants = []\n', "has no exercise 'nothing'"),
    ],
)
def test_reasons_that_cannot_be_read(text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, text, monkeypatch)
    with pytest.raises(GradingError, match=said):
        equal_mutants(chapter(3))


def test_what_is_said_to_be_equal_is_held_to_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, survives = "causal_mask: positions = ops.arange(length) -> pass", "gives an array and no tensor"
    text = f'[[equal]]\nexercise = "causal_mask"\nreason = "so"\nmutants = ["{seen}", "{survives}", "gone"]\n'
    written(tmp_path, text, monkeypatch)
    told = []
    (found,) = survey(chapter(3), ["causal_mask"], b"a secret", progress=lambda **now: told.append(now))
    assert found.tried == found.seen + found.equal + len(found.survivors) == told[-1]["total"] == len(told) > 15
    assert found.equal == 1
    assert [change.partition(" (seen by ")[0] for change in found.wrongly_equal] == [seen]
    assert found.unknown == ["gone"]
