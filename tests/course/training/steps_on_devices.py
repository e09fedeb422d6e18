"""A few steps of training on several devices of TensorFlow, for test_devices.

    python -m tests.course.training.steps_on_devices JSON

The JSON is a list of runs, each of which has the number of devices, the dtype, and the examples, four of which are a
batch. It prints for each run the weights after a step over each batch.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from course.training.devices import bert_optimizer_on_devices, on_devices, share_of_loss
from tests.course.training.virtual_devices import split_processor


class Product(keras.Model):
    """x W + b, with W of ones and b of zeros at first; the loss is its mean."""

    def build(self, shape: Any) -> None:
        self.kernel = self.add_weight(shape=(3, 5), initializer="ones", name="kernel")
        self.bias = self.add_weight(shape=(5,), initializer="zeros", name="bias")

    def call(self, x: Any) -> Any:
        return keras.ops.matmul(x, self.kernel) + self.bias

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None, training: bool = True
    ) -> Any:
        return keras.ops.mean(keras.ops.cast(y_pred, "float32")) * share_of_loss()


def trained(devices: int, dtype: str, examples: list[list[float]]) -> list[list]:
    with on_devices(devices):
        model = Product(dtype=dtype)
        model.build((None, 3))
        model.compile(bert_optimizer_on_devices(model, 0.1, 0.5, 0.2, accumulate=1), jit_compile=False)
        data = tf.data.Dataset.from_tensor_slices((np.array(examples, "float32"), np.zeros((len(examples), 1))))
        model.fit(data.batch(4), verbose=0)
    return [weight.numpy().tolist() for weight in model.weights]


if __name__ == "__main__":
    split_processor()
    print(json.dumps([trained(*run) for run in json.loads(sys.argv[1])]))
