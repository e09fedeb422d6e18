"""All layers stacked into one tensor."""

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
        mine = ops.stack([self.fit_dense(x) for x in student_layers])
        its = ops.stack([ops.cast(teacher_layers[g], "float32") for g in self.layers])
        real = ops.cast(padding_mask, "float32")[None, :, :, None]
        squares = ops.square(mine - ops.stop_gradient(its)) * real
        return ops.sum(squares) / (ops.sum(real) * self.teacher_dim)

    def attention_loss(self, student_scores, teacher_scores, padding_mask):
        mine = ops.stack([ops.cast(x, "float32") for x in student_scores])
        its = ops.stack([ops.cast(teacher_scores[g - 1], "float32") for g in self.layers if g])
        real = ops.cast(padding_mask, "bool")
        real = ops.logical_and(real[:, :, None], real[:, None, :])[None, :, None]
        squares = ops.square(ops.where(real, mine - ops.stop_gradient(its), 0.0))
        heads = mine.shape[2]
        return ops.sum(squares) / (heads * ops.sum(ops.cast(real, "float32")))

    def call(self, student, teacher, padding_mask):
        a = self.hidden_loss(student["layer_outputs"], teacher["layer_outputs"], padding_mask)
        b = self.attention_loss(student["attention_scores"], teacher["attention_scores"], padding_mask)
        return a + b
