"""Words are masked and guessed in some unread articles; tests/recipes measures the encoder on all of them."""

from __future__ import annotations

import pytest

from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.evaluation.masked_words import Guesser, masked_words
from course.weights import load_masked_lm

GUESSER = Guesser(*load_masked_lm(SAMPLE_ENCODER), WordPieceTokenizer(Vocabulary.load(SAMPLE_ENCODER / "vocab.txt")))


def test_the_encoder_is_ahead_of_frequencies_and_two_measurements_agree() -> None:
    first, second = masked_words(GUESSER, rows=20), masked_words(GUESSER, rows=20)
    assert first == second
    assert first["accuracy"] > 3 * first["unigram_accuracy"] > 0
    assert first["loss"] < first["unigram_loss"]


@pytest.mark.parametrize("rows", [0, -1, 1.5])
def test_a_bad_number_of_articles_is_reported(rows: int) -> None:
    with pytest.raises(ValueError, match="rows"):
        masked_words(GUESSER, rows=rows)
