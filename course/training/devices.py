"""Train on several devices: each has all weights, and its share of every batch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import keras

from course.errors import CourseError
from course.pretraining import bert_optimizer, decays_weight


@contextlib.contextmanager
def on_devices(number: int) -> Iterator[None]:
    """Place models that are made and trained in this block on several devices.

    JAX uses `keras.distribution`, TensorFlow `tf.distribute`. With several processes, `number` counts the devices of
    all of them, and each process has the same number.

    Raises:
        CourseError: there are fewer devices, or the backend cannot use several.
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
    """Return the factor for the loss: TensorFlow sums the gradients of the devices, where BERT takes their mean."""
    return 1.0 / _replicas()


def bert_optimizer_on_devices(
    model: keras.Model,
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
    weight_decay: float,
    clip_norm: float = 1.0,
    accumulate: int = 1,
) -> keras.optimizers.Optimizer:
    """Return `bert_optimizer` for all devices together.

    On TensorFlow, Keras clips each device's gradient, and checks whether it is finite, before it sums the gradients.
    This optimizer sums them first, as JAX always does.

    Raises:
        TypeError, ValueError: as for `bert_optimizer`.
    """
    optimizer = bert_optimizer(model, learning_rate, weight_decay, clip_norm * share_of_loss(), accumulate)
    if _replicas() == 1:
        return optimizer
    together = _AdamW.from_config(optimizer.get_config())
    free = [variable for variable in model.trainable_variables if not decays_weight(variable.path)]
    together.exclude_from_weight_decay(var_list=free)
    return _LossScale(together) if model.dtype_policy.name == "mixed_float16" else together


class _AddsUpFirst:
    """Gives every device its share of the sum of all gradients; TensorFlow then sums these shares again."""

    def apply(self, grads: list[Any], trainable_variables: list[Any] | None = None) -> None:
        import tensorflow as tf

        dense = [tf.convert_to_tensor(gradient) for gradient in grads]  # gradients of embeddings are lists of rows
        summed = tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.SUM, dense)
        super().apply([gradient / _replicas() for gradient in summed], trainable_variables)  # type: ignore[misc]


class _AdamW(_AddsUpFirst, keras.optimizers.AdamW):
    pass


class _LossScale(_AddsUpFirst, keras.optimizers.LossScaleOptimizer):
    pass


def _replicas() -> int:
    """Return how many devices TensorFlow trains on in this block."""
    if keras.backend.backend() != "tensorflow":
        return 1
    import tensorflow as tf

    return int(tf.distribute.get_strategy().num_replicas_in_sync)


def _of_each_process(number: int) -> list[str]:
    """Return Keras's names of JAX's devices, the same number from each process, in the order of the processes."""
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
