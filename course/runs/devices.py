"""One training on several devices of a machine: each has all weights, and its share of every batch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import keras

from course.errors import CourseError


@contextlib.contextmanager
def on_devices(number: int) -> Iterator[None]:
    """What is made and trained in this block is on as many devices: by `keras.distribution` on JAX, and by
    `tf.distribute` on TensorFlow.

    Raises:
        CourseError: there are not so many, or the backend has no way to use them.
    """
    if number == 1:
        yield
    elif keras.backend.backend() == "jax":
        names = _enough(keras.distribution.list_devices(), number)
        keras.distribution.set_distribution(keras.distribution.DataParallel(devices=names, auto_shard_dataset=False))
        try:
            yield
        finally:
            keras.distribution.set_distribution(None)
    elif keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        kind = "GPU" if tf.config.list_physical_devices("GPU") else "CPU"
        names = _enough([device.name for device in tf.config.list_logical_devices(kind)], number)
        with tf.distribute.MirroredStrategy(names).scope():
            yield
    else:
        raise CourseError("--devices needs JAX or TensorFlow: set KERAS_BACKEND to jax or tensorflow, or leave it out.")


def share_of_loss() -> float:
    """What the loss is to be multiplied by: TensorFlow adds up the gradients of the devices, and BERT's are a mean."""
    if keras.backend.backend() != "tensorflow":
        return 1.0
    import tensorflow as tf

    return 1.0 / tf.distribute.get_strategy().num_replicas_in_sync


def _enough(names: list[str], number: int) -> list[str]:
    if len(names) < number:
        raise CourseError(f"--devices {number} is more than there are: {', '.join(names)}.")
    return names[:number]
