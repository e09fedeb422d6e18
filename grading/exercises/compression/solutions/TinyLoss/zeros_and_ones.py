"""Weights of 0 and 1, in loops."""

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

    def hidden_loss(self, student_layers, teacher_layers, padding_mask):
        weight = ops.cast(padding_mask, "float32")
        loss = 0.0
        for m, g in enumerate(self.layers):
            mine = self.fit_dense(student_layers[m])
            its = ops.stop_gradient(ops.cast(teacher_layers[g], "float32"))
            per_token = ops.mean(ops.square(mine - its), axis=-1)
            loss += ops.sum(per_token * weight) / ops.sum(weight)
        return loss

    def attention_loss(self, student_scores, teacher_scores, padding_mask):
        weight = ops.cast(padding_mask, "float32")
        pairs = weight[:, None, :, None] * weight[:, None, None, :]
        loss = 0.0
        for m, g in enumerate(self.layers[1:]):
            mine = ops.cast(student_scores[m], "float32")
            its = ops.stop_gradient(ops.cast(teacher_scores[g - 1], "float32"))
            gap = ops.where(pairs > 0, mine - its, 0.0)
            loss += ops.sum(gap * gap) / (ops.sum(pairs) * mine.shape[1])
        return loss

    def call(self, student, teacher, padding_mask):
        return self.attention_loss(
            student["attention_scores"], teacher["attention_scores"], padding_mask
        ) + self.hidden_loss(student["layer_outputs"], teacher["layer_outputs"], padding_mask)
