"""Layers are built by one call, and end as Keras itself would leave them."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf
from keras import ops

from grading.sandbox.building import build_by_call
from grading.sandbox.interpreter import Interpreter


class Inner(keras.layers.Layer):
    """Has no `build`, and notes how it was called."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(3)
        self.seen = []

    def call(self, x):
        self.seen.append(isinstance(x, tf.Tensor) and tf.executing_eagerly())
        return self.dense(x)


class Outer(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.inner = Inner()

    def call(self, x):
        return self.inner(x)


class LooksAtBuilt(keras.layers.Layer):
    """Makes a part in its first call."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.first = keras.layers.Dense(4)

    def call(self, x):
        if not self.built:
            self.second = keras.layers.Dense(3)
        return self.second(self.first(x))


def test_a_layer_without_a_build_is_called_once_and_never_symbolically() -> None:
    layer = Outer()
    build_by_call(layer, [ops.ones((2, 5))])
    assert layer.inner.seen == [True]
    assert [tuple(weight.shape) for weight in layer.weights] == [(5, 3), (3,)]


@pytest.mark.parametrize("of", [lambda layer: layer, lambda layer: layer.inner], ids=["layer", "part"])
def test_no_weight_can_be_added_afterwards(of) -> None:
    layer = Outer()
    build_by_call(layer, [ops.ones((2, 5))])
    with pytest.raises(ValueError, match="already built"):
        of(layer).add_weight(shape=(2,))


def test_a_layer_that_asks_whether_it_is_built_is_built_all_the_same() -> None:
    layer = LooksAtBuilt()
    build_by_call(layer, [ops.ones((2, 5))])
    assert [tuple(weight.shape) for weight in layer.weights] == [(5, 4), (4,), (4, 3), (3,)]


def test_what_is_built_is_not_called_again() -> None:
    layer = Outer()
    for _ in range(2):
        build_by_call(layer, [ops.ones((2, 5))])
    assert layer.inner.seen == [True]


def test_a_graph_leaves_the_optimizer_of_the_student_s_own_functions_as_it_was(tmp_path: Path) -> None:
    seen = []

    def double(x):
        seen.append(tf.config.optimizer.get_experimental_options().get("disable_meta_optimizer"))
        return 2 * x

    call = {"op": "call", "target": "double", "args": [np.ones((2, 3), "float32")], "kwargs": {}, "graph": True}
    Interpreter(tmp_path, {"double": double}).perform(call)
    assert seen == [True]
    assert not tf.config.optimizer.get_experimental_options().get("disable_meta_optimizer")
