"""Keras losses: KL as the categorical cross-entropy minus the teacher's entropy."""

import keras
from keras import ops


def distillation_loss(student_logits, teacher_logits, labels, temperature=2.0, alpha=0.5):
    s = ops.cast(student_logits, "float32")
    t = ops.cast(teacher_logits, "float32")
    targets = ops.stop_gradient(ops.softmax(t / temperature, axis=-1))
    cross = keras.losses.categorical_crossentropy(targets, s / temperature, from_logits=True)
    entropy = keras.losses.categorical_crossentropy(targets, ops.stop_gradient(t) / temperature, from_logits=True)
    hard = keras.losses.sparse_categorical_crossentropy(labels, s, from_logits=True)
    return ops.mean(alpha * temperature * temperature * (cross - entropy) + (1 - alpha) * hard)
