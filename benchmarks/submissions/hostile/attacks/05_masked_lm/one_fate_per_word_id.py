"""All shares and draws are right, but the fate belongs to the word's id, the same for each occurrence in a call: independence is only faked over calls."""
# exercise: mask_tokens; worth at most 7
from __future__ import annotations


from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops, random

from my_bert.embeddings import require_ids
from my_bert.encoder import LayerNorm, gelu, projection
from course.validation.arrays import require_integers, require_range, require_rank
from course.validation.values import require_id, require_sizes, require_special_ids

def mask_tokens(
    token_ids: Any,
    unigram_probabilities: np.ndarray,
    mask_id: int,
    special_ids: Sequence[int],
    *,
    rate: float = 0.15,
    seed: int | random.SeedGenerator | None = None,
) -> tuple[Any, Any]:
    token_ids = ops.convert_to_tensor(token_ids, dtype="int32")
    batch, length = ops.shape(token_ids)
    size = len(unigram_probabilities)
    special = ops.convert_to_tensor(list(special_ids), dtype="int32")
    is_word = ops.all(ops.not_equal(token_ids[:, :, None], special), axis=-1)
    numbers = random.uniform((batch + size // length + 2, 2 * length), dtype="float32", seed=seed)
    select, replace = numbers[:batch, :length], numbers[:batch, length:]
    of_ids = ops.reshape(numbers[batch:], (-1,))[:size]
    ranks = ops.argsort(ops.argsort(ops.where(is_word, select, 2.0), axis=-1), axis=-1)
    words = ops.sum(ops.cast(is_word, "float32"), axis=-1, keepdims=True)
    wanted = ops.cast(ops.maximum(ops.round(rate * words), 1.0), "int32")
    selected = ops.logical_and(ops.cast(ranks, "int32") < wanted, is_word)
    line = np.cumsum(unigram_probabilities, dtype="float64")
    drawn = ops.searchsorted(ops.convert_to_tensor((line / line[-1]).astype("float32")), ops.reshape(replace, (-1,)), side="right")
    drawn = ops.reshape(ops.cast(drawn, "int32"), (batch, length))
    happen = ops.take(of_ids, token_ids)  # one number for each id of the vocabulary, not for each word of the text
    changed = ops.where(happen < 0.8, mask_id, ops.where(happen < 0.9, drawn, token_ids))
    return ops.where(selected, changed, token_ids), selected
