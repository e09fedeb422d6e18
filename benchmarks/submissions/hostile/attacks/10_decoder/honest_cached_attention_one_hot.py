"""The cache is written by a one-hot matrix and where; scores by einsum and a stable softmax."""
# exercise: CachedAttention; right: 5
from __future__ import annotations


from typing import Any

import keras
import numpy as np
from keras import ops

import course.attention
from my_bert.attention import MultiHeadAttention, causal_mask, merge_heads, scaled_dot_product_attention, split_heads
from my_bert.encoder import FeedForward, LayerNorm, arguments
from my_bert.positions import PositionedAttention
from course.validation.arrays import (
    require_additive_shapes,
    require_cache,
    require_divisible,
    require_integers,
    require_padded_on_the_right,
    require_rank,
)
from course.validation.steps import Step, log_probabilities
from course.validation.values import require_distinct_ids, require_numbers, require_shares, require_sizes

@keras.saving.register_keras_serializable(package="course")
class CachedAttention(course.attention.MultiHeadAttention):

    def build(self, inputs_shape: tuple) -> None:
        super().build(inputs_shape)

    def empty_cache(self, batch: int, max_length: int) -> Any:
        require_sizes(batch=batch, max_length=max_length)
        shape = (batch, 2, self.num_heads, max_length, self.hidden_dim // self.num_heads)
        return ops.zeros(shape, dtype=self.compute_dtype)

    def _heads(self, layer, x):
        return split_heads(layer(x), self.num_heads)

    def call(self, inputs: Any, cache: Any, position: Any) -> tuple[Any, Any]:
        require_cache(cache, inputs, position, self.num_heads, self.hidden_dim)
        query, key, value = map(self._heads, (self.query_dense, self.key_dense, self.value_dense), [inputs] * 3)
        room, new = ops.shape(cache)[3], ops.shape(inputs)[1]
        places = ops.cast(position, "int32") + ops.arange(new, dtype="int32")
        slots = ops.arange(room, dtype="int32")
        is_here = ops.equal(slots[:, None], places[None, :])  # (room, new)
        fresh = ops.cast(ops.stack([key, value], axis=1), cache.dtype)
        spread = ops.einsum("rn,bchnd->bchrd", ops.cast(is_here, cache.dtype), fresh)
        cache = ops.where(ops.any(is_here, axis=1)[None, None, None, :, None], spread, cache)
        seen = slots[None, :] <= places[:, None]
        output, _ = scaled_dot_product_attention(query, cache[:, 0], cache[:, 1], seen[None, None])
        return self.output_dense(merge_heads(output)), cache
