"""tf functions, with a stateless draw from each seed of the generator."""

import keras
import numpy as np
import tensorflow as tf


def mask_tokens(token_ids, unigram_probabilities, mask_id, special_ids, *, rate=0.15, seed=None):
    if isinstance(seed, int):
        first, second, third = tf.constant([seed, 1]), tf.constant([seed, 2]), tf.constant([seed, 3])
    elif seed is None:
        first, second, third = [tf.random.uniform([2], maxval=2**30, dtype=tf.int32) for _ in range(3)]
    else:
        assert isinstance(seed, keras.random.SeedGenerator)
        first, second, third = [tf.cast(seed.next(), tf.int64) for _ in range(3)]

    token_ids = tf.cast(token_ids, tf.int32)
    shape = tf.shape(token_ids)
    maskable = tf.reduce_all(token_ids[:, :, tf.newaxis] != tf.constant(special_ids), axis=2)
    scores = tf.where(maskable, tf.random.stateless_uniform(shape, first), -1.0)
    order = tf.argsort(scores, axis=1, direction="DESCENDING")
    ranks = tf.argsort(order, axis=1)
    number = tf.round(rate * tf.reduce_sum(tf.cast(maskable, tf.float32), axis=1))
    number = tf.cast(tf.maximum(number, 1.0), tf.int32)
    selected = tf.logical_and(maskable, ranks < number[:, tf.newaxis])

    edges = tf.constant(np.cumsum(unigram_probabilities) / np.sum(unigram_probabilities), tf.float32)
    words = tf.searchsorted(edges, tf.reshape(tf.random.stateless_uniform(shape, second), [-1]), side="right")
    words = tf.reshape(words, shape)

    # 0 to 7: [MASK]; 8: a random word; 9: as it was.
    die = tf.random.stateless_uniform(shape, third, maxval=10, dtype=tf.int32)
    changed = tf.where(die < 8, tf.fill(shape, mask_id), tf.where(die == 8, words, token_ids))
    return tf.where(selected, changed, token_ids), selected
