"""TensorFlow's scatter adds up all counts of a cell."""

import tensorflow as tf


def confusion_matrix(labels, predictions, num_classes):
    cells = tf.stack([labels, predictions], axis=1)
    ones = tf.ones(len(labels), tf.int64)
    return tf.scatter_nd(cells, ones, (num_classes, num_classes)).numpy()
