"""One training on several devices: each has all weights, and its share of every batch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import keras

from course.errors import CourseError
from course.pretraining import bert_optimizer, decays_weight


@contextlib.contextmanager
def on_devices(number: int) -> Iterator[None]:
    """What is made and trained in this block is on as many devices: by `keras.distribution` on JAX, and by
    `tf.distribute` on TensorFlow.

    Raises:
        CourseError: there are not so many, or the backend has no way to use them. Several processes have all of them
            together, each as many.
    """
    if number == 1:
        yield
    elif keras.backend.backend() == "jax":
        names = _of_each_process(number)
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
    return 1.0 / _replicas()


def bert_optimizer_on_devices(
    model: keras.Model,
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
    weight_decay: float,
    clip_norm: float,
    accumulate: int,
) -> keras.optimizers.Optimizer:
    """`bert_optimizer`, for all devices together.

    On TensorFlow, Keras clips the gradient of each device, and looks there for what is not finite, before it adds the
    gradients up. This one adds them up first. JAX does so anyway.

    Raises:
        TypeError, ValueError: as `bert_optimizer`.
    """
    optimizer = bert_optimizer(model, learning_rate, weight_decay, clip_norm * share_of_loss(), accumulate)
    if _replicas() == 1:
        return optimizer
    together = _AdamW.from_config(optimizer.get_config())
    free = [variable for variable in model.trainable_variables if not decays_weight(variable.path)]
    together.exclude_from_weight_decay(var_list=free)
    return _LossScale(together) if model.dtype_policy.name == "mixed_float16" else together


class _AddsUpFirst:
    """Gives every device its share of the sum of all gradients, of which TensorFlow makes the sum again."""

    def apply(self, grads: list[Any], trainable_variables: list[Any] | None = None) -> None:
        import tensorflow as tf

        dense = [tf.convert_to_tensor(gradient) for gradient in grads]  # those of embeddings are lists of rows
        summed = tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.SUM, dense)
        super().apply([gradient / _replicas() for gradient in summed], trainable_variables)  # type: ignore[misc]


class _AdamW(_AddsUpFirst, keras.optimizers.AdamW):
    pass


class _LossScale(_AddsUpFirst, keras.optimizers.LossScaleOptimizer):
    pass


def _replicas() -> int:
    """How many devices TensorFlow trains on in this block."""
    if keras.backend.backend() != "tensorflow":
        return 1
    import tensorflow as tf

    return int(tf.distribute.get_strategy().num_replicas_in_sync)


def _of_each_process(number: int) -> list[str]:
    """JAX's devices, as Keras calls them: as many of each process, in the order of the processes."""
    import jax

    share = number // jax.process_count()
    names = []
    for process in range(jax.process_count()):
        own = [f"{device.platform}:{device.id}" for device in jax.devices() if device.process_index == process]
        names += _enough(own, share)
    return names


def _enough(names: list[str], number: int) -> list[str]:
    if len(names) < number:
        raise CourseError(f"--devices {number} is more than there are: {', '.join(names)}.")
    return names[:number]
