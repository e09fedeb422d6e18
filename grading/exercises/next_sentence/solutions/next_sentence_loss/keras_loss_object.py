"""Keras's loss object, which averages by itself."""

import keras
from keras import ops


def next_sentence_loss(labels, logits):
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return loss(labels, ops.cast(logits, "float32"))
