"""Rotations and penalties on distance match their equations, Hugging Face and keras-hub. All sizes differ."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keras import ops

from course.attention import causal_mask, scaled_dot_product_attention
from course.positions import (
    alibi_bias,
    alibi_slopes,
    biased_attention,
    rotary_angles,
    rotary_frequencies,
    rotate,
    scaled_frequencies,
)
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.gradients import gradient

BATCH, HEADS, LENGTH, HEAD_DIM = 2, 3, 7, 10
COMPILED = [False] if keras.backend.backend() == "torch" else [False, True]  # PyTorch needs a C++ compiler


def vectors(random, *shape):
    return random.normal(size=shape).astype("float32")


def turned(x, positions, frequencies=None):
    frequencies = rotary_frequencies(x.shape[-1]) if frequencies is None else frequencies
    return array(rotate(x, *rotary_angles(positions, frequencies)))


class TestRotaryFrequencies:
    @pytest.mark.parametrize(("head_dim", "base"), [(2, 10000.0), (10, 10000.0), (64, 500000.0)])
    def test_fall_from_1_by_the_same_ratio(self, head_dim, base):
        frequencies = array(rotary_frequencies(head_dim, base))
        assert frequencies.dtype == "float32"
        np.testing.assert_allclose(frequencies, [base ** (-2 * i / head_dim) for i in range(head_dim // 2)], rtol=1e-6)

    @pytest.mark.parametrize(("head_dim", "base"), [(7, 10000.0), (0, 10000.0), (8, 1.0), (8, float("nan"))])
    def test_refuse_odd_widths_and_bases_up_to_1(self, head_dim, base):
        with pytest.raises(ValueError, match=r"Received: .*(head_dim|base)="):
            rotary_frequencies(head_dim, base)


class TestRotaryAngles:
    def test_are_the_position_times_the_frequency(self, random):
        frequencies = random.uniform(size=HEAD_DIM // 2).astype("float32")
        cos, sin = rotary_angles(np.array([3, 0, 250]), frequencies)
        assert_close(array(cos), np.cos(np.outer([3, 0, 250], frequencies)), 1e-4)
        assert_close(array(sin), np.sin(np.outer([3, 0, 250], frequencies)), 1e-4)

    def test_positions_of_each_text_broadcast_over_the_heads(self, random):
        positions = random.integers(0, 50, (BATCH, LENGTH))
        cos, sin = rotary_angles(positions, rotary_frequencies(HEAD_DIM))
        assert tuple(cos.shape) == tuple(sin.shape) == (BATCH, 1, LENGTH, HEAD_DIM // 2)
        x = vectors(random, BATCH, HEADS, LENGTH, HEAD_DIM)
        expected = [turned(x[text], positions[text]) for text in range(BATCH)]
        assert_close(turned(x, positions), expected, 1e-6)

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
    def test_are_exact_for_positions_in_half_precision(self, dtype):
        """1 and 256 are exact in both dtypes; 257 does not exist in bfloat16, and 256 · 0.1 is exact in neither."""
        positions = ops.cast(np.array([1, 256]), dtype)
        for half, single in zip(
            rotary_angles(positions, rotary_frequencies(HEAD_DIM)),
            rotary_angles(np.array([1, 256]), rotary_frequencies(HEAD_DIM)),
            strict=True,
        ):
            assert keras.backend.standardize_dtype(half.dtype) == "float32"
            np.testing.assert_array_equal(array(half), array(single))


class TestRotate:
    def test_agrees_with_hugging_face(self, random):
        import torch
        from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

        query, key = (vectors(random, BATCH, HEADS, LENGTH, HEAD_DIM) for _ in range(2))
        positions = random.integers(0, 99, (BATCH, LENGTH))
        angles = torch.tensor(positions)[..., None] * torch.tensor(rotary_frequencies(HEAD_DIM))
        twice = torch.cat([angles, angles], dim=-1)
        expected = apply_rotary_pos_emb(torch.tensor(query), torch.tensor(key), twice.cos(), twice.sin())
        for ours, theirs in zip((query, key), expected, strict=True):
            assert_close(turned(ours, positions), theirs.numpy())

    def test_matches_rotation_of_neighbours_after_reordering_features(self, random):
        import torch
        from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb

        x = vectors(random, BATCH, HEADS, LENGTH, HEAD_DIM)
        angles = torch.arange(LENGTH)[:, None] * torch.tensor(rotary_frequencies(HEAD_DIM))
        by_token = torch.tensor(x).transpose(1, 2)  # (batch, length, heads, head_dim)
        theirs = apply_rotary_pos_emb(by_token, angles.sin()[None], angles.cos()[None]).transpose(1, 2).numpy()
        assert np.abs(turned(x, np.arange(LENGTH)) - theirs).max() > 0.5
        to_halves = np.r_[0:HEAD_DIM:2, 1:HEAD_DIM:2]
        assert_close(turned(x[..., to_halves], np.arange(LENGTH)), theirs[..., to_halves])

    def test_agrees_with_keras_hub(self, random):
        import keras_hub

        x = vectors(random, BATCH, HEADS, LENGTH, HEAD_DIM)
        theirs = keras_hub.layers.RotaryEmbedding(sequence_axis=2)(x)
        assert_close(turned(x, np.arange(LENGTH)), array(theirs))

    @given(st.integers(-40, 200), st.integers(0, 60), st.integers(0, 60), st.integers(0, 999))
    def test_products_depend_on_the_distance_alone(self, shift, query_position, key_position, seed):
        query, key = vectors(np.random.default_rng(seed), 2, 1, HEAD_DIM)

        def product(m, n):
            return (turned(query, np.array([m])) * turned(key, np.array([n]))).sum()

        expected = product(query_position, key_position)
        assert product(query_position + shift, key_position + shift) == pytest.approx(expected, abs=1e-4)

    @given(st.integers(0, 500), st.integers(0, 999))
    def test_no_pair_changes_its_length(self, position, seed):
        x = vectors(np.random.default_rng(seed), 1, HEAD_DIM)
        before, after = (pairs.reshape(2, -1) for pairs in (x, turned(x, np.array([position]))))
        np.testing.assert_allclose(np.hypot(*after), np.hypot(*before), rtol=1e-5)

    def test_position_0_changes_nothing(self, random):
        x = vectors(random, BATCH, HEADS, LENGTH, HEAD_DIM)
        np.testing.assert_array_equal(turned(x, np.zeros(LENGTH, "int32")), x)

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
    def test_half_precision_is_single_precision_rounded_once(self, random, dtype):
        x = ops.cast(30 * vectors(random, BATCH, HEADS, LENGTH, HEAD_DIM), dtype)
        cos, sin = rotary_angles(np.arange(LENGTH), rotary_frequencies(HEAD_DIM))
        half = rotate(x, cos, sin)
        assert keras.backend.standardize_dtype(half.dtype) == dtype
        rounded = ops.cast(rotate(ops.cast(x, "float32"), cos, sin), dtype)
        np.testing.assert_array_equal(array(half), array(rounded))

    def test_gradients_are_turned_back(self, random):
        """The rotation is orthogonal: the gradient of <rotate(x), w> is w, turned by the negative angle."""
        x, along = (vectors(random, LENGTH, HEAD_DIM) for _ in range(2))
        cos, sin = rotary_angles(np.arange(LENGTH), rotary_frequencies(HEAD_DIM))
        gradients = gradient(lambda x: ops.sum(ops.multiply(rotate(x, cos, sin), along)), x)
        assert_close(gradients, turned(along, -np.arange(LENGTH)))

    @pytest.mark.parametrize("compiled", COMPILED)
    def test_runs_in_a_model_of_unknown_batch_and_length(self, random, compiled):
        class Turned(keras.layers.Layer):
            def call(self, x):
                return rotate(x, *rotary_angles(ops.arange(ops.shape(x)[2]), rotary_frequencies(HEAD_DIM)))

            def compute_output_shape(self, x_shape):
                return x_shape

        x = vectors(random, BATCH, HEADS, LENGTH, HEAD_DIM)
        inputs = keras.Input((HEADS, None, HEAD_DIM))
        model = keras.Model(inputs, Turned()(inputs))
        model.compile(jit_compile=compiled)
        assert_close(model.predict(x, verbose=0), turned(x, np.arange(LENGTH)))


def hugging_face(method, head_dim, factor, trained_length, seq_len=None, **options):
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    parameters = {"rope_type": method, "factor": factor, "original_max_position_embeddings": trained_length, **options}
    config = LlamaConfig(
        hidden_size=3 * head_dim,
        num_attention_heads=3,
        max_position_embeddings=trained_length,
        rope_parameters={"rope_theta": 10000.0, **parameters},
    )
    frequencies, attention_factor = ROPE_INIT_FUNCTIONS[method](config, "cpu", seq_len)
    return frequencies.numpy(), attention_factor


class TestScaledFrequencies:
    @pytest.mark.parametrize("head_dim", [16, 64])
    def test_linear_agrees_with_hugging_face(self, head_dim):
        expected, _ = hugging_face("linear", head_dim, 4.0, 64)
        frequencies, attention_factor = scaled_frequencies(head_dim, "linear", 4.0)
        np.testing.assert_allclose(frequencies, expected, rtol=1e-5)
        assert attention_factor == 1.0

    @pytest.mark.parametrize("head_dim", [16, 64])
    def test_ntk_agrees_with_hugging_face(self, head_dim):
        """Theirs depends on the text's length; at (2s - 1) / s times the trained one, it is ours."""
        expected, _ = hugging_face("dynamic", head_dim, 4.0, 64, seq_len=112)
        frequencies, attention_factor = scaled_frequencies(head_dim, "ntk", 4.0)
        np.testing.assert_allclose(frequencies, expected, rtol=1e-5)
        assert attention_factor == 1.0

    @pytest.mark.parametrize(
        ("head_dim", "factor", "trained_length", "options"),
        [
            (64, 4.0, 2048, {}),
            (128, 16.0, 4096, {}),
            (16, 2.5, 512, {}),
            (16, 8.0, 32, {"beta_fast": 4.0, "beta_slow": 0.5}),
            (8, 4.0, 5, {}),  # low = high
        ],
    )
    def test_yarn_agrees_with_hugging_face(self, head_dim, factor, trained_length, options):
        expected, expected_factor = hugging_face("yarn", head_dim, factor, trained_length, **options)
        frequencies, attention_factor = scaled_frequencies(head_dim, "yarn", factor, trained_length, **options)
        np.testing.assert_allclose(frequencies, expected, rtol=1e-5)
        assert attention_factor == pytest.approx(expected_factor)

    def test_keras_hubs_dynamic_scaling_slows_all_pairs_equally(self):
        """NTK multiplies the base by a power of the factor. keras-hub divides all frequencies by that power instead."""
        import keras_hub

        theirs = keras_hub.layers.RotaryEmbedding(rope_type="dynamic", scaling_factor=8.0)._get_inverse_freq(64)
        np.testing.assert_allclose(rotary_frequencies(64) / array(theirs), 8 ** (64 / 62), rtol=1e-4)
        ours, _ = scaled_frequencies(64, "ntk", 8.0)
        assert 7.9 * array(theirs)[0] < ours[0]

    @given(st.integers(2, 64), st.floats(1, 64), st.floats(100, 1e6))
    def test_ntk_divides_the_last_frequency_by_the_factor_and_keeps_the_first(self, pairs, factor, base):
        plain = rotary_frequencies(2 * pairs, base)
        frequencies, _ = scaled_frequencies(2 * pairs, "ntk", factor, base=base)
        assert frequencies[0] == plain[0]
        assert frequencies[-1] == pytest.approx(plain[-1] / factor, rel=1e-4)

    @given(st.integers(1, 64), st.floats(1, 64), st.integers(1, 5000))
    def test_yarn_lies_between_plain_and_linear(self, pairs, factor, trained_length):
        plain = rotary_frequencies(2 * pairs)
        frequencies, _ = scaled_frequencies(2 * pairs, "yarn", factor, trained_length)
        assert (frequencies <= plain * (1 + 1e-6)).all()
        assert (frequencies >= plain / factor * (1 - 1e-6)).all()
        assert (np.diff(frequencies / plain) <= 1e-6).all()

    @pytest.mark.parametrize("method", ["none", "linear", "ntk", "yarn"])
    def test_factor_1_changes_nothing(self, method):
        frequencies, attention_factor = scaled_frequencies(HEAD_DIM, method, 1.0, base=500.0)
        np.testing.assert_allclose(frequencies, rotary_frequencies(HEAD_DIM, 500.0), rtol=1e-6)
        assert frequencies.dtype == "float32"
        assert attention_factor == 1.0

    def test_the_ramp_is_that_of_the_code_and_not_of_the_paper(self):
        """At these sizes, a ramp that is linear in the number of turns is up to 0.4 away, as the docstring warns."""
        plain, (frequencies, _) = rotary_frequencies(64), scaled_frequencies(64, "yarn", 4.0, 2048)
        share_kept = (frequencies / plain - 0.25) / 0.75
        turns = 2048 * plain / (2 * np.pi)
        papers_share = np.clip((turns - 1.0) / (32.0 - 1.0), 0, 1)
        assert np.abs(share_kept - papers_share).max() == pytest.approx(0.4, abs=0.02)


class TestAlibi:
    @pytest.mark.parametrize("num_heads", [1, 2, 3, 8, 12, 16, 20])
    def test_slopes_agree_with_hugging_face(self, num_heads):
        import torch
        from transformers.models.bloom.modeling_bloom import _get_alibi_slopes

        expected = _get_alibi_slopes(num_heads, torch.device("cpu")).numpy()
        np.testing.assert_allclose(alibi_slopes(num_heads), expected, rtol=1e-6)

    def test_bias_is_the_slope_times_the_distance_to_either_side(self):
        bias = array(alibi_bias(HEADS, 4, LENGTH, offset=2))
        assert bias.shape == (1, HEADS, 4, LENGTH)
        for head, query, key in np.ndindex(bias.shape[1:]):
            expected = -alibi_slopes(HEADS)[head] * abs(2 + query - key)
            assert bias[0, head, query, key] == pytest.approx(expected)

    def test_distances_are_exact_far_away(self):
        bias = array(alibi_bias(1, 1, 5001))[0, 0, 0]
        np.testing.assert_array_equal(bias, -np.arange(5001) / 256)

    def test_under_a_causal_mask_the_weights_are_those_of_keras_hub(self, random):
        """Theirs is one row, which counts from the last key; the softmax cancels the constant between the two."""
        import keras_hub

        scores = vectors(random, BATCH, HEADS, LENGTH, LENGTH)
        allowed = causal_mask(LENGTH)
        theirs, ours = (
            ops.softmax(ops.where(allowed, biased, -1e9))
            for biased in (keras_hub.layers.AlibiBias()(scores), ops.add(scores, alibi_bias(HEADS, LENGTH, LENGTH)))
        )
        assert_close(array(ours), array(theirs))


class TestBiasedAttention:
    def test_zero_bias_gives_plain_attention(self, random):
        query, key, value = (vectors(random, BATCH, HEADS, length, 4) for length in (5, LENGTH, LENGTH))
        mask = np.arange(LENGTH) < 4
        for output, expected in zip(
            biased_attention(query, key, value, np.zeros((5, 1), "float32"), mask),
            scaled_dot_product_attention(query, key, value, mask),
            strict=True,
        ):
            assert_close(array(output), array(expected), 1e-6)

    @pytest.mark.parametrize("dtype", ["float32", "float16"])
    def test_the_bias_is_added_to_the_scores_after_their_division(self, random, dtype):
        query, key, value = (ops.cast(vectors(random, HEADS, LENGTH, 4), dtype) for _ in range(3))
        bias = vectors(random, HEADS, LENGTH, LENGTH)
        _, weights = biased_attention(query, key, value, bias)
        assert keras.backend.standardize_dtype(weights.dtype) == dtype
        scores = array(query) @ array(key).swapaxes(1, 2) / 2 + bias
        np.testing.assert_allclose(
            array(weights), array(ops.softmax(scores)), atol=1e-5 if dtype == "float32" else 1e-3
        )
