"""A Dense layer with an integer product: agreement with Keras's int8 layer and with an explicit sum."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops

from course.compression import QuantizedDense
from tests.closeness import assert_close


def dense(random: np.random.Generator, features: int = 9, units: int = 4, **options: object) -> keras.layers.Dense:
    made = keras.layers.Dense(units, name="some", **options)
    made.build((None, features))
    made.set_weights([random.normal(size=weight.shape).astype("float32") for weight in made.weights])
    return made


def test_agrees_with_an_explicit_sum(random: np.random.Generator) -> None:
    plain = dense(random, activation="tanh")
    x = random.normal(size=(2, 3, 9)).astype("float32")
    kernel, bias = plain.get_weights()
    scale_w = np.abs(kernel).max(axis=0) / np.float32(127)
    scale_x = np.abs(x).max(axis=-1, keepdims=True) / np.float32(127)
    sums = np.rint(x / scale_x).astype("int64") @ np.rint(kernel / scale_w).astype("int64")
    expected = np.tanh(sums * scale_x * scale_w + bias)
    assert_close(ops.convert_to_numpy(QuantizedDense.from_dense(plain)(x)), expected)


def test_agrees_with_keras_int8(random: np.random.Generator) -> None:
    """Keras computes the same, but adds a small number to the maximum."""
    plain = dense(random, 64, 32)
    x = random.normal(size=(6, 64)).astype("float32")
    ours = ops.convert_to_numpy(QuantizedDense.from_dense(plain)(x))
    exact = ops.convert_to_numpy(plain(x))
    plain.quantize("int8")
    np.testing.assert_allclose(ours, ops.convert_to_numpy(plain(x)), atol=2e-3 * np.abs(exact).max())
    assert np.abs(ours - exact).max() < 0.02 * np.abs(exact).max()


def test_sums_may_exceed_int8_and_the_integers_of_float32(random: np.random.Generator) -> None:
    plain = keras.layers.Dense(1)
    plain.build((None, 2049))
    plain.set_weights([np.ones((2049, 1), "float32"), np.zeros(1, "float32")])
    x = np.ones((1, 2049), "float32")
    assert float(QuantizedDense.from_dense(plain)(x)[0, 0]) == pytest.approx(2049, rel=1e-6)


def test_each_token_has_a_scale_of_its_own_and_zeros_stay_zeros(random: np.random.Generator) -> None:
    layer = QuantizedDense.from_dense(dense(random))
    x = random.normal(size=(4, 9)).astype("float32")
    alone = ops.convert_to_numpy(layer(x[:1]))
    x[1:] *= 1000
    assert_close(ops.convert_to_numpy(layer(x))[:1], alone)
    nothing = ops.convert_to_numpy(layer(np.zeros((2, 9), "float32")))
    assert_close(nothing, np.tile(ops.convert_to_numpy(layer.bias), (2, 1)), 1e-6)


def test_disk_size_is_about_a_quarter(random: np.random.Generator, tmp_path) -> None:
    sizes = {}
    for name, layer in (
        ("float", dense(random, 256, 300)),
        ("int8", QuantizedDense.from_dense(dense(random, 256, 300))),
    ):
        model = keras.Sequential([keras.Input((256,)), layer])
        model.save(tmp_path / f"{name}.keras")
        sizes[name] = (tmp_path / f"{name}.keras").stat().st_size
    assert 3.3 < sizes["float"] / sizes["int8"] < 4.1
    again = keras.saving.load_model(tmp_path / "int8.keras")
    assert keras.backend.standardize_dtype(again.layers[-1].kernel.dtype) == "int8"
    x = random.normal(size=(3, 256)).astype("float32")
    assert_close(ops.convert_to_numpy(again(x)), ops.convert_to_numpy(model(x)))


def test_weights_are_not_trainable_and_the_dense_layer_is_unchanged(random: np.random.Generator) -> None:
    plain = dense(random, use_bias=False, dtype="mixed_float16")
    before = plain.get_weights()
    layer = QuantizedDense.from_dense(plain)
    assert not layer.trainable_weights
    assert [keras.backend.standardize_dtype(weight.dtype) for weight in layer.weights] == ["int8", "float32", "float32"]
    x = random.normal(size=(2, 9)).astype("float16")
    output = layer(x)
    assert keras.backend.standardize_dtype(output.dtype) == "float16"
    np.testing.assert_allclose(ops.convert_to_numpy(output), ops.convert_to_numpy(plain(x)), rtol=0.05, atol=0.1)
    np.testing.assert_array_equal(plain.get_weights()[0], before[0])
    assert layer.name == "some"


def test_compiles_for_any_batch(random: np.random.Generator) -> None:
    if keras.backend.backend() != "tensorflow":
        pytest.skip("only TensorFlow compiles for an unknown batch size")
    import tensorflow as tf

    layer = QuantizedDense.from_dense(dense(random))
    compiled = tf.function(layer, input_signature=[tf.TensorSpec((None, None, 9))])
    x = random.normal(size=(2, 3, 9)).astype("float32")
    assert_close(compiled(x).numpy(), layer(x).numpy(), 1e-6)
