"""Mutants of a real exercise, in the real sandbox; and some of all exercises whose survivors have reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.exercises.registry import chapter
from grading.mutants import equivalent, journal
from grading.mutants.making import Mutant
from grading.mutants.survey import survey
from grading.mutants.trial import Trial, TrialBench

RIGHT = """
def causal_mask(length):
    positions = keras.ops.arange(length)
    return positions[:, None] {0} positions
"""


def test_a_failing_check_kills_a_mutant_the_likely_one_first_and_else_it_survives() -> None:
    source = f"import keras\n{RIGHT}"
    keys = [check.key for check in chapter(3).exercises["causal_mask"].checks]
    with TrialBench(chapter(3), b"a secret") as bench:

        def seen_by(text: str, likely: str = "") -> str:
            trial = bench.attempt(Mutant("causal_mask", "", text), likely)
            assert trial.survived == (trial.seen_by == "")
            return trial.seen_by

        assert seen_by(source.format(">=")) == ""
        assert seen_by(source.format(">")) in keys  # the cheapest of them is found by a clock
        assert [seen_by(source.format(">"), likely) for likely in keys] == keys
        assert seen_by("import nothing_of_that_name") == "cannot be defined"


@pytest.fixture(autouse=True)
def journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(journal, "FOLDER", tmp_path / "journals")
    return tmp_path / "journals"


def written(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "equivalent_mutants.toml"
    path.write_text(text)
    monkeypatch.setattr(equivalent, "equal_path", lambda of: path)


def test_a_mutant_listed_as_equivalent_must_survive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, survives = "causal_mask: positions = ops.arange(length) -> pass", "cuts all gradients"
    listed = f'"{seen}", "{survives}", "cuts …", "…pass", "gone"'
    text = f'[[equal]]\nexercise = "causal_mask"\nreason = "so"\nmutants = [{listed}]\n'
    written(tmp_path, text, monkeypatch)
    told = []
    (found,) = survey(chapter(3), ["causal_mask"], b"a secret", progress=lambda **now: told.append(now))
    assert found.tried == found.seen + found.equal + len(found.survivors) == told[-1]["total"] == len(told) > 15
    assert found.equal == 1
    assert [change.partition(" (killed by ")[0] for change in found.wrongly_equal] == [seen, "…pass"]
    assert found.unknown == ["gone"]


def test_a_mutant_that_is_a_known_mistake_says_so_and_is_never_equivalent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, '[[equal]]\nexercise = "causal_mask"\nreason = "so"\nmutants = ["…"]\n', monkeypatch)
    monkeypatch.setattr(TrialBench, "attempt", lambda self, mutant, likely: Trial(mutant, ""))
    (found,) = survey(chapter(3), ["causal_mask"], b"a secret")
    sentences = {mistake.name: mistake.sentence for mistake in chapter(3).exercises["causal_mask"].mistakes}
    assert sentences["causal_without_self"] in found.mistakes.values()
    assert set(found.mistakes.values()) <= set(sentences.values())
    assert found.survivors == [f"{change}; a known mistake: {said}" for change, said in found.mistakes.items()]
    assert found.equal == found.tried - len(found.mistakes) > 10


def test_a_mutant_with_a_known_result_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repeated survey gives the same results without a sandbox."""
    first = list(survey(chapter(3), ["causal_mask"], b"a secret", one_in=4))
    monkeypatch.delattr(TrialBench, "attempt")
    assert first == list(survey(chapter(3), ["causal_mask"], b"a secret", one_in=4))
    assert first[0].tried > 3
