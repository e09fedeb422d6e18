"""`fill_mask` agrees with Hugging Face's pipeline on the same weights, and refuses texts without one gap."""

from __future__ import annotations

import pytest
import torch
import transformers

from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary, train_vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.evaluation.fill_mask import Guess, fill_mask
from course.weights import load_masked_lm
from tests.closeness import assert_close

GAPS = [
    "The captain has a hamstring [MASK] and may miss the rest of the season.",
    "[MASK] was too tired to cross the street",
    "Shares of Norland Foods fell 3.5 [MASK], the bank said; it isn't good.",
]


@pytest.fixture(scope="module")
def guesser():
    tokenizer = WordPieceTokenizer(Vocabulary.load(SAMPLE_ENCODER / "vocab.txt"))
    return (*load_masked_lm(SAMPLE_ENCODER), tokenizer)


def test_agrees_with_the_pipeline_of_transformers(guesser) -> None:
    with torch.device("cpu"):
        theirs = transformers.pipeline(
            "fill-mask", model=str(SAMPLE_ENCODER), device="cpu", dtype=torch.float32, top_k=20
        )
    for text in GAPS:
        scores = {guess["token"]: guess["score"] for guess in theirs(text)}
        guesses = fill_mask(text, *guesser, count=20)
        vocabulary = guesser[-1].vocabulary
        assert {vocabulary[guess.piece] for guess in guesses} == scores.keys()
        assert_close([guess.probability for guess in guesses], [scores[vocabulary[guess.piece]] for guess in guesses])


def test_guesses_are_sorted_and_all_probabilities_sum_to_1(guesser) -> None:
    everything = fill_mask(GAPS[0], *guesser, count=len(guesser[-1].vocabulary))
    probabilities = [guess.probability for guess in everything]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) == pytest.approx(1, abs=1e-5)
    assert fill_mask(GAPS[0], *guesser) == everything[:5]
    assert isinstance(everything[0], Guess)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "write .MASK. where a word is missing. Received: 0 of them in ''"),
        ("The captain has a strain.", "Received: 0 of them in 'The captain has"),
        ("A [MASK] for a [MASK].", "filled one at a time. Received: 2 of them"),
        ("[MASK]" + " goal" * 126, "at most 128 tokens.*Received: 129 tokens"),
    ],
)
def test_a_text_without_exactly_one_gap_or_too_long_is_refused(guesser, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fill_mask(text, *guesser)


def test_a_text_may_be_as_long_as_the_encoder_can_read_and_as_short_as_its_gap(guesser) -> None:
    assert len(fill_mask("[MASK]" + " goal" * 125, *guesser)) == 5
    assert len(fill_mask("[MASK]", *guesser)) == 5


def test_another_vocabulary_and_invalid_arguments_are_refused(guesser) -> None:
    encoder, head, _ = guesser
    other = WordPieceTokenizer(train_vocabulary(["a goal"], size=300))
    with pytest.raises(ValueError, match=r"vocabulary that the encoder was trained with.*Received: one of"):
        fill_mask(GAPS[0], encoder, head, other)
    with pytest.raises(ValueError, match="count=0"):
        fill_mask(GAPS[0], *guesser, count=0)
    with pytest.raises(TypeError, match="text must be a string"):
        fill_mask([GAPS[0]], *guesser)
