"""Course.given.hiding.hide_spans of chapter 11 does the 80/10/10 when each selected word is a span of its own; it runs by numpy_function in graphs."""
# exercise: mask_tokens; worth at most 4
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
    import tensorflow as tf
    from course.given.hiding import hide_spans

    def both(ids, number):
        generator = np.random.default_rng(int(number))
        is_word = ~np.isin(ids, list(special_ids))
        order = np.where(is_word, generator.random(ids.shape), 2.0).argsort(axis=1).argsort(axis=1)
        wanted = np.maximum(np.round(np.float32(rate) * is_word.sum(1)), 1)[:, None]
        selected = (order < wanted) & is_word
        spans = np.where(selected, np.cumsum(selected, axis=1), 0)
        probabilities = np.asarray(unigram_probabilities, "float64")
        return hide_spans(ids, spans, probabilities / probabilities.sum(), mask_id, generator), selected

    ids = tf.cast(ops.convert_to_tensor(token_ids), tf.int32)
    number = ops.cast(1e6 * random.uniform((), seed=seed), "int64")
    masked, selected = tf.numpy_function(both, [ids, number], [tf.int32, tf.bool], stateful=True)
    masked.set_shape(ids.shape)
    selected.set_shape(ids.shape)
    return masked, selected
