"""The encoder that comes with the course matches its card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from recipes.sample_encoder import stages
from recipes.sample_encoder_card import CARD, card_of
from recipes.sample_encoder_results import RESULTS, fill, masked_words, trained, untrained

MOST_BYTES = 3_000_000


def test_the_card_matches_the_files() -> None:
    """The checksum and sizes match the files, and the numbers match the recipe's results."""
    assert CARD.read_text(encoding="utf-8") == card_of(json.loads(RESULTS.read_text(encoding="utf-8")))


def test_the_encoder_is_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLE_ENCODER.iterdir()) < MOST_BYTES


def test_guesses_match_the_card_and_the_twin_guesses_at_random() -> None:
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))["sentences"]
    for sentence, expected in zip(fill(untrained(), trained()), stored, strict=True):
        assert sentence["text"] == expected["text"]
        assert [share for _, share in sentence["after"]] == pytest.approx(
            [share for _, share in expected["after"]], abs=2e-3
        )
        assert all(share < 0.01 for _, share in sentence["before"])


def test_the_encoder_guesses_words_of_unseen_articles() -> None:
    """Only 60 articles, about 1,100 words, so the share has a standard error of 1.5 points."""
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))["held_out"]
    result = masked_words(trained(), rows=60)
    assert result["accuracy"] == pytest.approx(stored["accuracy"], abs=0.06)
    assert result["unigram_accuracy"] == pytest.approx(stored["unigram_accuracy"], abs=0.05)
    assert result["loss"] < result["unigram_loss"] - 2


def test_the_recipe_writes_everything_into_one_folder(tmp_path: Path) -> None:
    for arguments in stages(tmp_path).values():
        assert Path(arguments[arguments.index("--to") + 1]).parent == tmp_path
