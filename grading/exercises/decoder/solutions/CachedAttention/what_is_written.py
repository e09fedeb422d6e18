import course.attention
from course.attention import merge_heads, scaled_dot_product_attention, split_heads
from keras import ops


class CachedAttention(course.attention.MultiHeadAttention):
    """Passes attention only the written places, so the mask only concerns the new words."""

    def build(self, inputs_shape):
        super().build(inputs_shape)

    def empty_cache(self, batch, max_length):
        return ops.zeros((batch, 2, self.num_heads, max_length, self.hidden_dim // self.num_heads), self.compute_dtype)

    def call(self, inputs, cache, position):
        q = split_heads(self.query_dense(inputs), self.num_heads)
        k = split_heads(self.key_dense(inputs), self.num_heads)
        v = split_heads(self.value_dense(inputs), self.num_heads)
        cache = ops.slice_update(cache, [0, 0, 0, position, 0], ops.cast(ops.stack([k, v], 1), cache.dtype))
        new = ops.shape(inputs)[1]
        written = cache[:, :, :, : position + new]
        mask = ops.arange(position + new) <= position + ops.arange(new)[:, None]
        output, _ = scaled_dot_product_attention(q, written[:, 0], written[:, 1], mask)
        return self.output_dense(merge_heads(output)), cache
