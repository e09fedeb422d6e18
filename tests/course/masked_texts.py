"""Texts for the tests of masked language modelling, and how they are corrupted there."""

from __future__ import annotations

from typing import Any

import numpy as np
from keras import ops

from course.masked_lm import mask_tokens

PAD, UNK, CLS, SEP, MASK = 0, 1, 2, 3, 4
SPECIAL_IDS = (PAD, UNK, CLS, SEP, MASK)
VOCABULARY_SIZE = 61
LENGTH = 43
ROWS = 3000
FISH = ["so", "long", "and", "thanks", "for", "all", "the", "fish"]


def zipf() -> np.ndarray:
    """Few words are common and many rare, as in a language; the last three ids never occur."""
    frequency = 1.0 / np.arange(1, VOCABULARY_SIZE + 1)
    frequency[list(SPECIAL_IDS)] = 0.0
    frequency[-3:] = 0.0
    return frequency / frequency.sum()


def texts(seed: int, rows: int = ROWS) -> np.ndarray:
    """[CLS] words [SEP] words [SEP] padding, of different lengths; an [UNK] here and there."""
    generator = np.random.default_rng(seed)
    token_ids = generator.choice(VOCABULARY_SIZE, size=(rows, LENGTH), p=zipf())
    token_ids[generator.random(token_ids.shape) < 0.02] = UNK
    for row, end in zip(token_ids, generator.integers(7, LENGTH, size=rows), strict=True):
        row[0] = CLS
        row[[generator.integers(1, end), end]] = SEP
        row[end + 1 :] = PAD
    return token_ids


def corrupt(token_ids: np.ndarray, seed: Any, rate: float = 0.15) -> tuple[np.ndarray, np.ndarray]:
    outputs = mask_tokens(token_ids, zipf(), MASK, SPECIAL_IDS, rate=rate, seed=seed)
    masked_ids, selected = (ops.convert_to_numpy(output) for output in outputs)
    return masked_ids, selected


def is_word(token_ids: np.ndarray) -> np.ndarray:
    return ~np.isin(token_ids, SPECIAL_IDS)
