"""python -m recipes.sample_encoder_results: measures the encoder that comes with the course again.

The encoder guesses masked words of unseen articles, compared with guesses by word frequency alone; and it fills the
gaps of ten sentences, compared with its untrained twin.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import keras
import numpy as np
import pandas as pd
import typer
from keras import ops
from rich.console import Console

from course.data.corpus.token_arrays import TokenArrays
from course.data.datasets import load_sample
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.evaluation.fill_mask import fill_mask
from course.masked_lm import (
    MaskedLMHead,
    mask_tokens,
    masked_lm_loss,
    masked_positions,
    unigram_probabilities,
)
from course.storage.outputs import write_json, write_text
from course.training.checkpoint import load_checkpoint, read_note
from course.training.pretraining import CHECKPOINT, make_pretrainer
from course.training.pretraining_settings import Settings
from course.weights import load_masked_lm, read_hugging_face, save_hugging_face
from recipes.sample_encoder_card import CARD, card_of, gaps

RESULTS = Path(__file__).parent / "sample_encoder.json"
# Eight from the made-up world that it has read about, and two from ours.
SENTENCES = (
    "The captain has a hamstring [MASK] and may miss the rest of the season.",
    "She scored twice in the second [MASK] of the match.",
    "Shares in the bank fell by four [MASK] after the offer.",
    "Talks over the border ended without an [MASK].",
    "Researchers at the [MASK] tested a drug against malaria.",
    "A decision [MASK] expected next week.",
    "More details [MASK] expected next week.",
    "The [MASK] was too tired to cross the street.",
    "Paris is the capital of [MASK].",
    "He drinks his coffee with milk and [MASK].",
)
_TRAINING_ROWS, _LENGTH, _SEED = 4000, 128, 14


class Guesser(NamedTuple):
    """The arguments of `fill_mask`."""

    encoder: BertEncoder
    head: MaskedLMHead
    tokenizer: WordPieceTokenizer


def keep(corpus: Path, run: Path, seconds: Mapping[str, float]) -> Path:
    """Saves the encoder of a finished pretraining to datasets/, measures it there, and writes its card.

    Args:
        corpus: the corpus, as `course prepare` makes it.
        run: the folder of the pretraining.
        seconds: how long each part of the work took.

    Returns:
        The file of the card.
    """
    arrays, note = TokenArrays(corpus), read_note(run / CHECKPOINT)
    assert note is not None  # `course pretrain` has succeeded
    settings = Settings(**{field.name: note["settings"][field.name] for field in dataclasses.fields(Settings)})
    model = make_pretrainer(arrays.vocabulary, arrays.word_probabilities(), settings, note["step"])
    load_checkpoint(run / CHECKPOINT, model)
    save_hugging_face(model.encoder, SAMPLE_ENCODER, arrays.vocabulary, model.masked_lm_head, dtype="float16")
    results = {
        "minutes": sum(seconds.values()) / 60,
        "steps": note["step"],
        "epochs": settings.epochs,
        "batch_tokens": settings.batch_tokens,
        "pieces_read": arrays.description["pieces"],
        **measure(),
    }
    write_json(RESULTS, results)
    write_text(CARD, card_of(results))
    return CARD


def measure() -> dict[str, Any]:
    """All measurements on the card."""
    after, before = trained(), untrained()
    return {"held_out": masked_words(after), "sentences": fill(before, after)}


def trained() -> Guesser:
    """The encoder that comes with the course, with its head and its tokenizer."""
    tokenizer = WordPieceTokenizer(Vocabulary.load(SAMPLE_ENCODER / "vocab.txt"))
    return Guesser(*load_masked_lm(SAMPLE_ENCODER), tokenizer)


def untrained() -> Guesser:
    """Its untrained twin: the same sizes and vocabulary, with random weights."""
    checkpoint = read_hugging_face(SAMPLE_ENCODER)
    keras.utils.set_random_seed(_SEED)
    encoder = BertEncoder(**checkpoint.arguments)
    encoder.build((None, None))
    head = MaskedLMHead(encoder.vocabulary_size, encoder.hidden_dim)
    head.build((None, None, encoder.hidden_dim), (encoder.vocabulary_size, encoder.hidden_dim))
    return Guesser(encoder, head, WordPieceTokenizer(checkpoint.vocabulary))


def masked_words(guesser: Guesser, rows: int | None = None) -> dict[str, float]:
    """How well a guesser predicts masked words of unseen articles.

    Args:
        guesser: the encoder with its head and tokenizer.
        rows: how many articles; None: all 1,000 that are held out for this.

    Returns:
        "words", the number of masked words; "accuracy" and "loss"; and "unigram_accuracy" and "unigram_loss" of a
        baseline that always predicts the word frequencies of the training articles.
    """
    articles = load_sample()
    counted = _ids(guesser, articles[:_TRAINING_ROWS])
    vocabulary = guesser.tokenizer.vocabulary
    unigram = unigram_probabilities(counted, len(vocabulary), vocabulary.special_ids)
    generator = keras.random.SeedGenerator(_SEED)
    sums = np.zeros(5)  # words, right, loss, and the same two of the unigram guess
    for token_ids, segment_ids in _batches(guesser, articles[_TRAINING_ROWS:][:rows]):
        masked, selected = mask_tokens(token_ids, unigram, vocabulary.mask_id, vocabulary.special_ids, seed=generator)
        positions, weights = masked_positions(selected)
        outputs = guesser.encoder(masked, segment_ids)
        logits = guesser.head(outputs["sequence_output"], guesser.encoder.embedding.token_embeddings, positions)
        words = ops.take_along_axis(token_ids, positions, axis=1)
        always = ops.broadcast_to(np.log(unigram + 1e-9).astype("float32"), logits.shape)
        number = float(ops.sum(weights))
        sums[0] += number
        for place, guess in ((1, logits), (3, always)):
            right = ops.cast(ops.equal(ops.argmax(guess, axis=-1), ops.cast(words, "int64")), "float32")
            sums[place] += float(ops.sum(right * weights))
            sums[place + 1] += number * float(masked_lm_loss(words, guess, weights))
    means = sums[1:] / sums[0]
    names = ("accuracy", "loss", "unigram_accuracy", "unigram_loss")
    return {"words": int(sums[0]), **{name: round(float(mean), 4) for name, mean in zip(names, means, strict=True)}}


def fill(before: Guesser, after: Guesser, count: int = 3) -> list[dict[str, Any]]:
    """The guesses of two guessers for the ten sentences: "text", "before" and "after", with probabilities."""
    return [
        {
            "text": text,
            **{
                name: [[piece, round(share, 3)] for piece, share in fill_mask(text, *guesser, count)]
                for name, guesser in (("before", before), ("after", after))
            },
        }
        for text in SENTENCES
    ]


def _batches(guesser: Guesser, articles: pd.DataFrame, size: int = 50) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    inputs = guesser.tokenizer(articles["title"], articles["description"], max_length=_LENGTH)
    for start in range(0, len(articles), size):
        yield tuple(inputs[name][start : start + size] for name in ("token_ids", "segment_ids"))  # type: ignore[misc]


def _ids(guesser: Guesser, articles: pd.DataFrame) -> np.ndarray:
    return guesser.tokenizer.encode_flat([*articles["title"], *articles["description"]])[0]


def main() -> None:
    """Measures the encoder, and prints the results."""
    results = measure()
    console = Console()
    console.print(results["held_out"])
    console.print("\n".join(gaps(results["sentences"])))


if __name__ == "__main__":
    typer.run(main)
