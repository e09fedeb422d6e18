import course.attention
from course.attention import merge_heads, scaled_dot_product_attention, split_heads
from keras import ops


class CachedAttention(course.attention.MultiHeadAttention):
    """Concatenates the places before the new words, the new words, and the places after them."""

    def build(self, inputs_shape):
        super().build(inputs_shape)

    def empty_cache(self, batch, max_length):
        return ops.zeros((batch, 2, self.num_heads, max_length, self.hidden_dim // self.num_heads), self.compute_dtype)

    def call(self, inputs, cache, position):
        heads = lambda x: split_heads(x, self.num_heads)
        new = ops.shape(inputs)[1]
        parts = []
        for number, layer in enumerate((self.key_dense, self.value_dense)):
            of_new = ops.cast(heads(layer(inputs)), cache.dtype)
            old = cache[:, number]
            parts.append(ops.concatenate([old[:, :, :position], of_new, old[:, :, position + new :]], axis=2))
        key, value = parts
        row = ops.arange(new)[:, None] + position
        column = ops.arange(ops.shape(key)[2])[None, :]
        output, _ = scaled_dot_product_attention(
            heads(self.query_dense(inputs)), key, value, (row >= column)[None, None]
        )
        return self.output_dense(merge_heads(output)), ops.stack(parts, axis=1)
