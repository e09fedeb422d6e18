"""Measures how well an encoder and its masked-word head predict masked words of articles that they have not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import keras
import numpy as np
import pandas as pd
from keras import ops

from course.data.datasets import load_sample
from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.masked_lm import (
    MaskedLMHead,
    mask_tokens,
    masked_lm_loss,
    masked_positions,
    unigram_probabilities,
)
from course.validation.values import require_sizes

_TRAINING_ROWS, _LENGTH, _SEED = 4000, 128, 14


class Guesser(NamedTuple):
    """An encoder, its masked-word head and its tokenizer: the arguments of `fill_mask`."""

    encoder: BertEncoder
    head: MaskedLMHead
    tokenizer: WordPieceTokenizer


def masked_words(guesser: Guesser, rows: int | None = None) -> dict[str, float]:
    """How well a guesser predicts masked words of unseen articles.

    Args:
        guesser: the encoder with its head and tokenizer.
        rows: how many articles; None: all 1,000 that are held out for this.

    Returns:
        "words", the number of masked words; "accuracy" and "loss"; and "unigram_accuracy" and "unigram_loss" of a
        baseline that always predicts the word frequencies of the training articles.

    Raises:
        ValueError: the number of articles is not a positive whole number.
    """
    if rows is not None:
        require_sizes(rows=rows)
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


def _batches(guesser: Guesser, articles: pd.DataFrame, size: int = 50) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    inputs = guesser.tokenizer(articles["title"], articles["description"], max_length=_LENGTH)
    for start in range(0, len(articles), size):
        yield tuple(inputs[name][start : start + size] for name in ("token_ids", "segment_ids"))  # type: ignore[misc]


def _ids(guesser: Guesser, articles: pd.DataFrame) -> np.ndarray:
    return guesser.tokenizer.encode_flat([*articles["title"], *articles["description"]])[0]
