"""Word dropout: a text looks different each time it is seen, so that no classifier can memorise it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.data.text.vocabulary import Vocabulary
from course.validation.values import require_instance, require_numbers


@dataclass(frozen=True)
class WordDropout:
    """Replaces words of texts by [MASK] for a training step, as in pretraining.

    Attributes:
        share: the probability that a word is hidden.
        vocabulary: says which id stands for [MASK], and which ids are not words, and stay.

    Reference: Iyyer et al., "Deep Unordered Composition Rivals Syntactic Methods for Text Classification", 2015,
    https://aclanthology.org/P15-1162, section 3.2; Gal and Ghahramani, "A Theoretically Grounded Application of
    Dropout in Recurrent Neural Networks", 2016, https://arxiv.org/abs/1512.05287.

    Raises:
        TypeError: `vocabulary` is not a `Vocabulary`.
        ValueError: `share` is not from 0 to 1.
    """

    share: float
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        require_instance(self.vocabulary, "vocabulary", Vocabulary)
        require_numbers(share=self.share)
        if self.share > 1:
            raise ValueError(f"share must be at most 1. Received: share={self.share}")

    def __call__(self, token_ids: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return the ids, (batch, length), with different words hidden in each call."""
        hidden = random.random(token_ids.shape) < self.share
        is_word = np.isin(token_ids, self.vocabulary.special_ids, invert=True)
        return np.where(hidden & is_word, self.vocabulary.mask_id, token_ids).astype(token_ids.dtype)
