"""Several devices: virtual ones, of which TensorFlow must be told before it starts, so it runs in another process."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import keras
import numpy as np
import pytest

STEPS = """
    import json, sys
    import tensorflow as tf
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    import keras
    import numpy as np
    from course.runs.devices import bert_optimizer_on_devices, on_devices, share_of_loss

    class Product(keras.Model):
        def build(self, shape):
            self.kernel = self.add_weight(shape=(3, 5), initializer="ones", name="kernel")
            self.bias = self.add_weight(shape=(5,), initializer="zeros", name="bias")

        def call(self, x):
            return keras.ops.matmul(x, self.kernel) + self.bias

        def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
            return keras.ops.mean(keras.ops.cast(y_pred, "float32")) * share_of_loss()

    devices, dtype, examples = json.loads(sys.argv[1])
    with on_devices(devices):
        model = Product(dtype=dtype)
        model.build((None, 3))
        model.compile(bert_optimizer_on_devices(model, 0.1, 0.5, 0.2), jit_compile=False)
        data = tf.data.Dataset.from_tensor_slices((np.array(examples, "float32"), np.zeros((len(examples), 1))))
        model.fit(data.batch(4), verbose=0)
    print(json.dumps([weight.numpy().tolist() for weight in model.weights]))
"""


def trained(devices: int, dtype: str, examples: np.ndarray) -> list[np.ndarray]:
    """The weights after a step over each four examples; they begin with ones and zeros."""
    command = [sys.executable, "-c", textwrap.dedent(STEPS), json.dumps([devices, dtype, examples.tolist()])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [np.array(weight) for weight in json.loads(done.stdout.splitlines()[-1])]


pytestmark = pytest.mark.skipif(keras.backend.backend() != "tensorflow", reason="what is mended is TensorFlow's way")


def test_gradients_are_clipped_when_they_are_added_up() -> None:
    """The two halves of each batch pull apart, so each alone has a longer gradient than both together."""
    random = np.random.default_rng(5)
    sizes = np.array([3.0, 0.02, 40.0])[:, np.newaxis, np.newaxis]  # of three batches: Adam remembers how they compare
    halves = random.normal(size=(3, 2, 3)) * sizes
    examples = np.concatenate([halves, -0.9 * halves], axis=1).reshape(12, 3)
    for together, alone in zip(trained(2, "float32", examples), trained(1, "float32", examples), strict=True):
        np.testing.assert_allclose(together, alone, rtol=1e-5, atol=1e-6)


def test_what_one_device_cannot_hold_is_passed_over_by_all() -> None:
    """A gradient that is infinite in float16 on the second device alone."""
    examples = np.ones((8, 3))
    before, after = trained(2, "mixed_float16", examples[:4]), trained(2, "mixed_float16", examples)
    assert all((one != two).all() for one, two in zip(before, after, strict=True))
    examples[7] = 60_000.0
    for one, two in zip(before, trained(2, "mixed_float16", examples), strict=True):
        np.testing.assert_array_equal(one, two)
