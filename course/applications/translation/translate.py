"""Translate sentences, from words to words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from course.applications.translation.toy_language import SOURCE_WORDS, TARGET_WORDS
from course.applications.translation.translators import SequenceToSequence
from course.applications.translation.words import END_ID, START_ID, Words
from course.decoder import greedy

ENGLISH, INVENTED = Words(SOURCE_WORDS), Words(TARGET_WORDS)
LONGEST_IN_TRAINING = 14  # words; the model has never seen longer sentences


def translate(
    model: SequenceToSequence,
    texts: Sequence[Sequence[str]],
    *,
    search: Callable[..., np.ndarray] = greedy,
    max_length: int = 24,
) -> list[list[str]]:
    """Translate English sentences, each given as its words.

    Args:
        model: trained on `ENGLISH` and `INVENTED`.
        texts: sentences of known words.
        search: `greedy`, or your own.
        max_length: the most words written, including the end.

    Returns:
        For each sentence the words of its translation.

    Raises:
        ValueError: no sentence, an empty sentence, or an unknown word.
    """
    starts = np.full(len(texts), START_ID)
    return INVENTED.texts(search(model.step(ENGLISH.ids(texts)), starts, END_ID, max_length))
