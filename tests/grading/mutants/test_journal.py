"""The journal keeps each mutant's result until anything that decides on it changes."""

from __future__ import annotations

from pathlib import Path

from grading.exercises.registry import chapter
from grading.mutants.journal import Journal, checks_of
from grading.mutants.making import Mutant

MUTANT = Mutant("causal_mask", "a -> b", "b")
WITH_OTHER_CODE = Mutant("causal_mask", "a -> b", "c")


def test_noted_results_are_known_in_the_next_run(tmp_path: Path) -> None:
    with Journal(chapter(3), b"one", tmp_path) as journal:
        assert journal.seen_by(MUTANT) is None
        journal.note(MUTANT, "formula")
    with Journal(chapter(3), b"one", tmp_path) as journal:
        assert journal.seen_by(MUTANT) == "formula"
        journal.note(MUTANT, "")
    with Journal(chapter(3), b"one", tmp_path) as journal:
        assert journal.seen_by(MUTANT) == ""


def test_results_are_invalid_for_other_code_and_other_secrets(tmp_path: Path) -> None:
    with Journal(chapter(3), b"one", tmp_path) as journal:
        journal.note(MUTANT, "formula")
        assert journal.seen_by(WITH_OTHER_CODE) is None
        assert journal.likely(WITH_OTHER_CODE) == "formula"
    with Journal(chapter(3), b"two", tmp_path) as journal:
        assert journal.seen_by(MUTANT) is None


def test_a_half_written_line_is_skipped_and_the_next_one_is_intact(tmp_path: Path) -> None:
    with Journal(chapter(3), b"one", tmp_path) as journal:
        journal.note(MUTANT, "formula")
    (path,) = tmp_path.iterdir()
    path.write_text(path.read_text() + '["causal_mask", "c -')
    with Journal(chapter(3), b"one", tmp_path) as journal:
        journal.note(Mutant("causal_mask", "c -> d", "d"), "values")
    with Journal(chapter(3), b"one", tmp_path) as journal:
        assert journal.seen_by(MUTANT) == "formula"
        assert journal.seen_by(Mutant("causal_mask", "c -> d", "d")) == "values"


def test_the_checks_of_other_exercises_do_not_matter_and_what_all_share_does() -> None:
    text = checks_of(chapter(3), "causal_mask")
    assert "def lower_triangle" in text
    assert "def normal" in text
    assert "def features_by_head" not in text
    assert "def features_by_head" in checks_of(chapter(3), "split_heads")
    assert "def padded_texts" in checks_of(chapter(8), "TextClassifier")  # which chapters 12 and 13 have, too
