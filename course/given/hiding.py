"""The replacements for hidden spans, and which pieces make up a word."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from course.tokenization import CONTINUATION
from course.validation.arrays import require_ids, require_rank, require_same_shapes
from course.validation.values import require_id


def continues_word(vocabulary: Mapping[str, int]) -> np.ndarray:
    """Return which pieces continue the word before them: boolean, (vocabulary_size,).

    Example:
        >>> continues_word({"zur": 0, "##ich": 1})
        array([False,  True])
    """
    return np.array([piece.startswith(CONTINUATION) for piece in vocabulary], bool)


def word_numbers(token_ids: np.ndarray, continues: np.ndarray) -> np.ndarray:
    """Return which word of its row each piece belongs to, counted from 0; special tokens are words of their own.

    Args:
        token_ids: integers, (batch, length).
        continues: boolean, (vocabulary_size,), from `continues_word`.

    Returns:
        int32, (batch, length).

    Raises:
        ValueError: another shape or dtype.
    """
    require_ids(token_ids=token_ids)
    begins = ~continues[token_ids]
    begins[:, :1] = True
    return (np.cumsum(begins, axis=1) - 1).astype("int32")


def hide_spans(
    token_ids: np.ndarray, spans: np.ndarray, probabilities: np.ndarray, mask_id: int, random: np.random.Generator
) -> np.ndarray:
    """Hides spans as SpanBERT does: one draw for a whole span.

    Of the spans, 80% become [MASK], piece by piece; 10% become random words; 10% stay as they are.

    Args:
        token_ids: integers, (batch, length).
        spans: integers, (batch, length), from `span_mask`: 0 where nothing is hidden, else the number of the span.
        probabilities: (vocabulary_size,), of the random words.
        mask_id: the id of [MASK].
        random: the generator of all draws.

    Returns:
        int32, (batch, length).

    Raises:
        ValueError: shapes that do not fit each other, or an id outside the vocabulary.

    Reference: Joshi et al., "SpanBERT", 2020, https://arxiv.org/abs/1907.10529, section 3.1.
    """
    require_rank(token_ids, "token_ids", ("batch", "length"))
    require_same_shapes(token_ids=token_ids, spans=spans)
    require_id("mask_id", mask_id, len(probabilities))
    most = int(np.max(spans, initial=0))
    happens = np.take_along_axis(random.random((len(token_ids), most + 1)), spans, axis=1)  # (batch, length)
    drawn = random.choice(len(probabilities), spans.shape, p=probabilities)
    hidden = np.where(happens < 0.8, mask_id, np.where(happens < 0.9, drawn, token_ids))
    return np.where(spans > 0, hidden, token_ids).astype("int32")
