"""For a training of a few small steps: without what Keras and TensorFlow prepare for a long one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import tensorflow as tf
from keras import tree
from keras.src.trainers.data_adapters import array_slicing
from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter

_Sparse = array_slicing.TensorflowSparseWrapper
_keras_data_set = ArrayDataAdapter.get_tf_dataset


@contextmanager
def small_training() -> Iterator[None]:
    """Functions run operation by operation, and batches are cut without any: to compile either takes longer."""
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        with mock.patch.object(ArrayDataAdapter, "get_tf_dataset", _plain_data_set):
            yield
    finally:
        tf.config.run_functions_eagerly(before)


def _plain_data_set(adapter: Any) -> tf.data.Dataset:
    """The batches of arrays that `fit`, `evaluate` and `predict` see, shuffled anew in each epoch where they are."""
    arrays = tree.lists_to_tuples(array_slicing.convert_to_sliceable(adapter._inputs, target_backend="tensorflow"))
    if adapter._shuffle == "batch" or any(isinstance(array, _Sparse) for array in tree.flatten(arrays)):
        return _keras_data_set(adapter)
    rows = tf.data.Dataset.from_tensor_slices(arrays)
    if adapter._shuffle:
        rows = rows.shuffle(adapter._num_samples)
    return rows.batch(adapter._batch_size)
