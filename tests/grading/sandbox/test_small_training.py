"""In a small training, models see the batches that Keras would cut."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from keras.src.trainers import data_adapters

from grading.sandbox.small_training import small_training

INPUTS = {"ids": np.arange(44).reshape(22, 2), "weights": np.linspace(0, 1, 22)}
LABELS = np.arange(22)


def batches() -> list[Any]:
    return list(data_adapters.ArrayDataAdapter(INPUTS, LABELS, batch_size=8).get_tf_dataset())


def test_batches_are_those_of_keras() -> None:
    wanted = batches()
    with small_training():
        given = batches()
    tf.nest.map_structure(np.testing.assert_array_equal, given, wanted)
    assert tf.nest.map_structure(lambda t: t.dtype, given) == tf.nest.map_structure(lambda t: t.dtype, wanted)


def test_each_epoch_sees_every_row_once_in_another_order() -> None:
    with small_training():
        rows = data_adapters.ArrayDataAdapter(INPUTS, LABELS, batch_size=8, shuffle=True).get_tf_dataset()
        epochs = [list(rows), list(rows)]
    labels = [np.concatenate([labels for _, labels in epoch]) for epoch in epochs]
    assert [sorted(epoch.tolist()) for epoch in labels] == [LABELS.tolist()] * 2
    assert not np.array_equal(*labels)
    for inputs, of_inputs in epochs[0]:
        np.testing.assert_array_equal(inputs["ids"], INPUTS["ids"][of_inputs])


def test_afterwards_functions_are_compiled_again() -> None:
    with small_training():
        assert tf.config.functions_run_eagerly()
    assert not tf.config.functions_run_eagerly()
