"""Quantized weights: agreement with Keras and PyTorch, and properties that hold for all weights."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from keras import ops

from course.compression import dequantize, quantize


def made(weights: np.ndarray, axis: int, **options: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    levels, scale, zero_point = (ops.convert_to_numpy(part) for part in quantize(weights, axis, **options))
    return levels, scale, zero_point


@pytest.fixture
def kernel(random: np.random.Generator) -> np.ndarray:
    """A kernel, (7, 5), whose columns differ in scale, none with the mean 0."""
    return ((random.normal(size=(7, 5)) + 0.4) * [0.03, 1, 20, 0.5, 300]).astype("float32")


def test_agrees_with_keras(kernel: np.ndarray) -> None:
    """Keras returns the factor 1 / scale. Its addition of 1e-7 to the maximum is switched off."""
    levels, inverse = keras.quantizers.abs_max_quantize(kernel, axis=0, epsilon=0.0)
    found, scale, zero_point = made(kernel, axis=1)
    np.testing.assert_array_equal(found, ops.convert_to_numpy(levels))
    np.testing.assert_allclose(scale, 1 / ops.convert_to_numpy(inverse), rtol=1e-5)
    assert not zero_point.any()


def test_agrees_with_pytorch(kernel: np.ndarray) -> None:
    """PyTorch's observer chooses scale and zero point of each channel, as for a layer."""
    torch = pytest.importorskip("torch")
    observer = torch.ao.quantization.PerChannelMinMaxObserver(
        ch_axis=1, dtype=torch.qint8, qscheme=torch.per_channel_affine, quant_min=-128, quant_max=127
    )
    observer(torch.tensor(kernel))
    expected_scale, expected_zero = observer.calculate_qparams()
    expected = torch.quantize_per_channel(torch.tensor(kernel), expected_scale, expected_zero, 1, torch.qint8)
    levels, scale, zero_point = made(kernel, axis=1, symmetric=False)
    np.testing.assert_allclose(scale[0], expected_scale.numpy(), rtol=1e-5)
    np.testing.assert_array_equal(zero_point[0], expected_zero.numpy())
    np.testing.assert_array_equal(levels, expected.int_repr().numpy())
    back = ops.convert_to_numpy(dequantize(levels, scale, zero_point))
    np.testing.assert_allclose(back, expected.dequantize().numpy(), rtol=1e-5, atol=1e-6)


def test_docstring_example() -> None:
    levels, scale, zero_point = made(np.array([[1.0, -0.03], [-0.4, 0.04]], "float32"), axis=1)
    np.testing.assert_array_equal(levels, [[127, -95], [-51, 127]])
    np.testing.assert_allclose(scale, [[1 / 127, 0.04 / 127]], rtol=1e-6)
    np.testing.assert_array_equal(zero_point, [[0, 0]])


@given(
    weights=arrays(
        "float32",
        array_shapes(min_dims=1, max_dims=3, max_side=5),
        elements=st.floats(-(2.0**100), 2.0**100, width=32, allow_subnormal=False),
    ),
    bits=st.integers(2, 8),
    symmetric=st.booleans(),
)
def test_no_weight_moves_by_more_than_half_a_step(weights: np.ndarray, bits: int, symmetric: bool) -> None:
    weights.flat[0] = 0.0
    for axis in range(-weights.ndim, weights.ndim):
        levels, scale, zero_point = made(weights, axis, bits=bits, symmetric=symmetric)
        highest = 2 ** (bits - 1) - 1
        assert levels.dtype == zero_point.dtype == np.int8
        assert -highest - (not symmetric) <= levels.min() <= levels.max() <= highest
        assert scale.shape == tuple(n if i == axis % weights.ndim else 1 for i, n in enumerate(weights.shape))
        assert (scale > 0).all() and np.isfinite(scale).all()
        back = ops.convert_to_numpy(dequantize(levels, scale, zero_point))
        assert back.flat[0] == 0
        # For levels up to 255, float32 adds a rounding error of its own.
        assert (np.abs(back.astype("float64") - weights) <= scale.astype("float64") * 0.5001).all()


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("value", [0.0, 3.7, -0.002, 3e38, -1e-40])
def test_constant_channels_are_restored(value: float, symmetric: bool) -> None:
    """The tolerance of 1e-38 covers a value near the smallest float."""
    weights = np.full((4, 2), value, "float32")
    weights[:, 1] = [1, -2, 3, 4]
    levels, scale, zero_point = made(weights, axis=1, symmetric=symmetric)
    back = ops.convert_to_numpy(dequantize(levels, scale, zero_point))
    np.testing.assert_allclose(back[:, 0], weights[:, 0], rtol=1e-6, atol=1e-38)
    assert np.isfinite(scale).all()


def test_half_precision_is_computed_in_float32(kernel: np.ndarray) -> None:
    half = kernel.astype("float16")
    of_float32, of_half = made(half.astype("float32"), axis=1), made(half, axis=1)
    for expected, actual in zip(of_float32, of_half, strict=True):
        np.testing.assert_array_equal(expected, actual)
    assert of_half[1].dtype == np.float32


def test_differences_of_levels_do_not_wrap_around() -> None:
    found = dequantize(
        np.array([[100, -128]], "int8"), np.array([[0.5, 2.0]], "float32"), np.array([[-100, 127]], "int8")
    )
    np.testing.assert_array_equal(ops.convert_to_numpy(found), [[100.0, -510.0]])
