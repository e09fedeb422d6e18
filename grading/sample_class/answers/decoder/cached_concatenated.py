class CachedAttention(course.attention.MultiHeadAttention):
    def build(self, inputs_shape):
        super().build(inputs_shape)

    def empty_cache(self, batch, max_length):
        return ops.zeros((batch, 2, self.num_heads, max_length, self.hidden_dim // self.num_heads), self.compute_dtype)

    def call(self, inputs, cache, position):
        new = ops.shape(inputs)[1]
        both = [split_heads(layer(inputs), self.num_heads) for layer in (self.key_dense, self.value_dense)]
        both = ops.cast(ops.stack(both, axis=1), cache.dtype)
        cache = ops.concatenate([cache[:, :, :, :position], both, cache[:, :, :, position + new :]], axis=3)
        query = split_heads(self.query_dense(inputs), self.num_heads)
        seen = ops.arange(ops.shape(cache)[3]) <= position + ops.arange(new)[:, None]
        output, _ = scaled_dot_product_attention(query, cache[:, 0], cache[:, 1], seen)
        return self.output_dense(merge_heads(output)), cache
