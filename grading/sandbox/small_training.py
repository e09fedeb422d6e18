"""For a training of a few small steps: without what Keras and TensorFlow prepare for a long one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import tensorflow as tf
from keras import tree
from keras.src.trainers import data_adapters
from keras.src.trainers.data_adapters import array_slicing
from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter

_Sparse = array_slicing.TensorflowSparseWrapper


@contextmanager
def small_training() -> Iterator[None]:
    """Functions run operation by operation, and batches are cut without any: to compile either takes longer."""
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        with mock.patch.object(data_adapters, "ArrayDataAdapter", _PlainAdapter):
            yield
    finally:
        tf.config.run_functions_eagerly(before)


class _PlainAdapter(ArrayDataAdapter):
    def get_tf_dataset(self) -> tf.data.Dataset:
        """The batches of arrays, shuffled again in each epoch if they are shuffled."""
        arrays = tree.lists_to_tuples(array_slicing.convert_to_sliceable(self._inputs, target_backend="tensorflow"))
        if self._shuffle == "batch" or any(isinstance(array, _Sparse) for array in tree.flatten(arrays)):
            return super().get_tf_dataset()
        rows = tf.data.Dataset.from_tensor_slices(arrays)
        if self._shuffle:
            rows = rows.shuffle(self._num_samples)
        return rows.batch(self._batch_size)
