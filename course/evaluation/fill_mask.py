"""Fills a gap in a sentence with the words that an encoder and its masked-word head consider most likely."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from keras import ops

from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.masked_lm import MaskedLMHead
from course.validation.values import require_sizes, require_text

_GAP = "[MASK]"


class Guess(NamedTuple):
    """A piece of the vocabulary, and how likely it is to stand in the gap.

    Attributes:
        piece: a word; or a part of one, such as "##ing", or a mark of punctuation.
        probability: from 0 to 1; those of the whole vocabulary sum to 1.
    """

    piece: str
    probability: float


def fill_mask(
    text: str, encoder: BertEncoder, head: MaskedLMHead, tokenizer: WordPieceTokenizer, count: int = 5
) -> list[Guess]:
    """The most likely pieces for the [MASK] in a text.

    Args:
        text: a text with one [MASK].
        encoder: built.
        head: the masked-word head that was trained with it.
        tokenizer: has the vocabulary that both were trained with.
        count: how many guesses.

    Returns:
        The likeliest pieces, the likeliest first.

    Raises:
        TypeError: the text is not a string.
        ValueError: the text does not have exactly one [MASK], or is longer than the encoder can read; the tokenizer has
            another vocabulary than the encoder; or the count is not a positive whole number.

    Example:
        >>> fill_mask("The [MASK] scored in the second half.", encoder, head, tokenizer, count=2)
        [Guess(piece='striker', probability=0.28), Guess(piece='captain', probability=0.21)]
    """
    require_sizes(count=count)
    token_ids, position = _with_gap(text, tokenizer)
    _require_room(len(token_ids), tokenizer, encoder)
    sequence_output = encoder(token_ids[None])["sequence_output"]  # (1, length, hidden_dim)
    positions = np.array([[position]], "int32")
    logits = head(sequence_output, encoder.embedding.token_embeddings, positions)  # (1, 1, vocabulary_size)
    probabilities = ops.convert_to_numpy(ops.softmax(ops.cast(logits[0, 0], "float32")))
    likeliest = np.argsort(-probabilities, kind="stable")[:count].tolist()
    pieces = tokenizer.vocabulary.pieces_of(likeliest)
    return [Guess(piece, float(probabilities[number])) for piece, number in zip(pieces, likeliest, strict=True)]


def _with_gap(text: str, tokenizer: WordPieceTokenizer) -> tuple[np.ndarray, int]:
    """(length,), the ids of [CLS] text [SEP], and where [MASK] stands among them."""
    require_text(text, "text")
    gaps = text.count(_GAP)
    if gaps != 1:
        advice = f"write {_GAP} where a word is missing" if not gaps else "the gaps are filled one at a time"
        raise ValueError(f"text must have {_GAP} once; {advice}. Received: {gaps} of them in {text!r:.60}")
    vocabulary = tokenizer.vocabulary
    before, after = tokenizer.encode(text.split(_GAP))  # the tokenizer would cut [MASK] into [, mask and ]
    token_ids = [vocabulary.cls_id, *before, vocabulary.mask_id, *after, vocabulary.sep_id]
    return np.array(token_ids, "int32"), 1 + len(before)


def _require_room(length: int, tokenizer: WordPieceTokenizer, encoder: Any) -> None:
    if length > encoder.max_length:
        raise ValueError(
            f"text must have at most {encoder.max_length} tokens, with [CLS] and [SEP], which is all that the encoder "
            f"can read. Received: {length} tokens; leave out what is far from the gap"
        )
    pieces = len(tokenizer.vocabulary)
    if pieces != encoder.vocabulary_size:
        raise ValueError(
            f"tokenizer must have the vocabulary that the encoder was trained with, of {encoder.vocabulary_size} "
            f"pieces. Received: one of {pieces}"
        )
