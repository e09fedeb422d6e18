import course.attention
import tensorflow as tf


class CachedAttention(course.attention.MultiHeadAttention):
    def build(self, inputs_shape):
        super().build(inputs_shape)

    def empty_cache(self, batch, max_length):
        return tf.zeros((batch, 2, self.num_heads, max_length, self.hidden_dim // self.num_heads), self.compute_dtype)

    def call(self, inputs, cache, position):
        width = self.hidden_dim // self.num_heads
        new, room = tf.shape(inputs)[1], tf.shape(cache)[3]

        def split(x):
            return tf.transpose(tf.reshape(x, (tf.shape(x)[0], new, self.num_heads, width)), (0, 2, 1, 3))

        q, k, v = split(self.query_dense(inputs)), split(self.key_dense(inputs)), split(self.value_dense(inputs))
        places = tf.range(room)
        is_new = (places >= position) & (places < position + new)
        index = tf.clip_by_value(places - position, 0, new - 1)
        spread = tf.gather(tf.stack([k, v], axis=1), index, axis=3)
        cache = tf.where(is_new[:, None], tf.cast(spread, cache.dtype), cache)
        scores = tf.einsum("bhqd,bhkd->bhqk", tf.cast(q, tf.float32), tf.cast(cache[:, 0], tf.float32)) / width**0.5
        seen = places[None, :] <= position + tf.range(new)[:, None]
        weights = tf.nn.softmax(tf.where(seen, scores, -1e9), axis=-1)
        output = tf.einsum("bhqk,bhkd->bqhd", tf.cast(weights, cache.dtype), cache[:, 1])
        output = tf.reshape(output, (tf.shape(inputs)[0], new, self.hidden_dim))
        return self.output_dense(output), cache
