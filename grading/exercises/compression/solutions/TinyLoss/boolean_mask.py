"""TensorFlow selects the real tokens, and takes a plain mean."""

import tensorflow as tf
import keras
from keras import ops


class TinyLoss(keras.layers.Layer):
    def __init__(self, student_dim, teacher_dim, layers, **kwargs):
        super().__init__(**kwargs)
        self.student_dim = student_dim
        self.teacher_dim = teacher_dim
        self.layers = list(layers)
        self.fit_dense = keras.layers.Dense(teacher_dim, name="fit", dtype="float32")
        self.fit_dense.build((None, None, student_dim))

    def _mse(self, x, y):
        return tf.reduce_mean(tf.math.squared_difference(x, tf.stop_gradient(y)))

    def hidden_loss(self, student_layers, teacher_layers, padding_mask):
        return tf.add_n(
            [
                self._mse(
                    tf.boolean_mask(self.fit_dense(student_layers[m]), padding_mask),
                    tf.boolean_mask(tf.cast(teacher_layers[g], tf.float32), padding_mask),
                )
                for m, g in enumerate(self.layers)
            ]
        )

    def attention_loss(self, student_scores, teacher_scores, padding_mask):
        real = tf.logical_and(padding_mask[:, :, None], padding_mask[:, None, :])

        def picked(scores):
            return tf.boolean_mask(tf.transpose(tf.cast(scores, tf.float32), (0, 2, 3, 1)), real)

        return tf.add_n(
            [self._mse(picked(student_scores[m]), picked(teacher_scores[g - 1])) for m, g in enumerate(self.layers[1:])]
        )

    def call(self, student, teacher, padding_mask):
        return self.hidden_loss(student["layer_outputs"], teacher["layer_outputs"], padding_mask) + self.attention_loss(
            student["attention_scores"], teacher["attention_scores"], padding_mask
        )
