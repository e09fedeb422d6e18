"""The same in keras.ops."""

from keras import ops


def accuracy(labels, logits):
    predicted = ops.cast(ops.argmax(logits, axis=-1), "int32")
    return float(ops.mean(ops.cast(ops.equal(predicted, ops.cast(labels, "int32")), "float32")))
