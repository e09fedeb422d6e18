"""The encoder that comes with the course is the one of its card, and can do what that says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from recipes.sample_encoder import stages
from recipes.sample_encoder_card import CARD, card_of
from recipes.sample_encoder_results import RESULTS, fill, masked_words, trained, untrained

MOST_BYTES = 3_000_000


def test_the_card_is_that_of_these_files() -> None:
    """Its checksum and sizes are of the files, and its numbers of what the recipe measured."""
    assert CARD.read_text(encoding="utf-8") == card_of(json.loads(RESULTS.read_text(encoding="utf-8")))


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLE_ENCODER.iterdir()) < MOST_BYTES


def test_it_fills_gaps_as_the_card_says_and_its_twin_knows_nothing() -> None:
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))["sentences"]
    for sentence, wanted in zip(fill(untrained(), trained()), kept, strict=True):
        assert sentence["text"] == wanted["text"]
        assert [share for _, share in sentence["after"]] == pytest.approx(
            [share for _, share in wanted["after"]], abs=2e-3
        )
        assert all(share < 0.01 for _, share in sentence["before"])


def test_it_guesses_words_of_articles_that_it_has_not_read() -> None:
    """Of 60 articles and not of all: about 1,100 words, so that chance moves the share by 1.5 points."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))["held_out"]
    found = masked_words(trained(), rows=60)
    assert found["accuracy"] == pytest.approx(kept["accuracy"], abs=0.06)
    assert found["unigram_accuracy"] == pytest.approx(kept["unigram_accuracy"], abs=0.05)
    assert found["loss"] < found["unigram_loss"] - 2


def test_the_recipe_puts_everything_into_one_folder(tmp_path: Path) -> None:
    for arguments in stages(tmp_path).values():
        assert Path(arguments[arguments.index("--to") + 1]).parent == tmp_path
