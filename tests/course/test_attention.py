"""The functions of attention against their equations. All sizes in a test differ."""

from __future__ import annotations

import math

import keras
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keras import ops

from course.attention import (
    causal_mask,
    merge_heads,
    padding_mask,
    scaled_dot_product_attention,
    split_heads,
)
from tests.closeness import assert_close
from tests.course.arrays import array

BATCH, HEADS, QUERIES, KEYS, HEAD_DIM, VALUE_DIM = 2, 3, 5, 7, 4, 6
HIDDEN_DIM = HEADS * HEAD_DIM
HALF_AND_SINGLE = ["float32", "float16", "bfloat16"]


def query_key_value(random, dtype="float32"):
    shapes = [(QUERIES, HEAD_DIM), (KEYS, HEAD_DIM), (KEYS, VALUE_DIM)]
    return [ops.cast(random.normal(size=(BATCH, HEADS, *shape)), dtype) for shape in shapes]


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def by_loops(query, key, value, mask):
    """Attention by its definition: one query, one key at a time, in double precision."""
    query, key, value = (array(tensor).astype("float64") for tensor in (query, key, value))
    mask = np.broadcast_to(mask, (BATCH, HEADS, QUERIES, KEYS))
    output = np.zeros((BATCH, HEADS, QUERIES, VALUE_DIM))
    weights = np.zeros((BATCH, HEADS, QUERIES, KEYS))
    for b, h, q in np.ndindex(BATCH, HEADS, QUERIES):
        allowed = [k for k in range(KEYS) if mask[b, h, q, k]]
        scores = np.array([sum(query[b, h, q] * key[b, h, k]) / HEAD_DIM**0.5 for k in allowed])
        weights[b, h, q, allowed] = softmax(scores)
        output[b, h, q] = sum(weights[b, h, q, k] * value[b, h, k] for k in allowed)
    return output, weights


class TestScaledDotProductAttention:
    @pytest.mark.parametrize(
        "mask_shape",
        [
            (),
            (KEYS,),
            (QUERIES, KEYS),
            (BATCH, 1, 1, KEYS),
            (1, HEADS, QUERIES, 1),
            (BATCH, HEADS, QUERIES, KEYS),
        ],
        ids=str,
    )
    def test_matches_the_equation_under_masks_of_any_shape(self, random, mask_shape):
        query, key, value = query_key_value(random)
        mask = random.random(mask_shape) < 0.7
        mask = np.where(mask.any(axis=-1, keepdims=True), mask, True) if mask_shape else np.array(True)
        output, weights = scaled_dot_product_attention(query, key, value, mask=mask)
        expected_output, expected_weights = by_loops(query, key, value, mask)
        assert_close(array(weights), expected_weights, 1e-6)
        assert_close(array(output), expected_output)

    def test_without_a_mask_allows_everything(self, random):
        query, key, value = query_key_value(random)
        output, weights = scaled_dot_product_attention(query, key, value)
        expected_output, expected_weights = by_loops(query, key, value, np.array(True))
        assert_close(array(weights), expected_weights, 1e-6)
        assert_close(array(output), expected_output)

    def test_gives_the_weights_of_the_lecture_notes(self):
        """Products of 112 and 96 at width 64: divided by 8, 14 and 12; weights 0.88 and 0.12."""
        query = np.zeros((1, 64), "float32")
        query[0, :2] = 1.0
        key = np.zeros((2, 64), "float32")
        key[0, :2] = 100.0, 12.0
        key[1, :2] = 90.0, 6.0
        value = np.eye(2, dtype="float32")
        output, weights = scaled_dot_product_attention(query, key, value)
        by_hand = np.array([math.exp(14), math.exp(12)]) / (math.exp(14) + math.exp(12))
        np.testing.assert_allclose(array(weights)[0], by_hand, rtol=1e-5)
        np.testing.assert_allclose(array(output)[0], by_hand, rtol=1e-5)
        assert array(weights)[0].round(2).tolist() == pytest.approx([0.88, 0.12])

    def test_takes_plain_lists_of_integers(self):
        output, weights = scaled_dot_product_attention([[1, 1, 0, 0]], [[1, 1, 0, 0], [0, 0, 1, 1]], [[10], [20]])
        first = math.e / (math.e + 1)
        np.testing.assert_allclose(array(weights), [[first, 1 - first]], rtol=1e-6)
        np.testing.assert_allclose(array(output), [[10 * first + 20 * (1 - first)]], rtol=1e-6)

    @pytest.mark.parametrize("head_dim", [4, 64, 256])
    def test_scores_vary_equally_at_every_width(self, random, head_dim):
        """Var(q · k) is proportional to the width, and the division cancels that."""
        query, key = random.normal(size=(3000, 1, head_dim)), random.normal(size=(3000, 2, head_dim))
        products = query @ key.swapaxes(1, 2)
        assert products.var() == pytest.approx(head_dim, rel=0.1)
        # ln(w₁ / w₂) is the difference of two scores of variance 1. Double precision keeps w₂ above 0.
        _, weights = scaled_dot_product_attention(query, key, np.ones((3000, 2, 3)))
        first, second = np.log(array(weights))[:, 0].T
        assert (first - second).var() == pytest.approx(2.0, rel=0.1)

    @pytest.mark.parametrize("leading", [(), (3,), (2, 3, 2)], ids=str)
    def test_takes_any_leading_axes(self, random, leading):
        query = random.normal(size=(*leading, QUERIES, HEAD_DIM)).astype("float32")
        key = random.normal(size=(*leading, KEYS, HEAD_DIM)).astype("float32")
        value = random.normal(size=(*leading, KEYS, VALUE_DIM)).astype("float32")
        output, weights = scaled_dot_product_attention(query, key, value)
        expected = softmax(query @ key.swapaxes(-1, -2) / 2)
        assert_close(array(weights), expected, 1e-6)
        assert_close(array(output), expected @ value)

    @pytest.mark.parametrize("dtype", HALF_AND_SINGLE)
    def test_a_query_that_may_attend_to_nothing_takes_the_mean(self, random, dtype):
        query, key, value = query_key_value(random, dtype)
        mask = np.ones((QUERIES, KEYS), bool)
        mask[2] = False
        output, weights = scaled_dot_product_attention(query, key, value, mask)
        assert np.isfinite(array(output)).all()
        np.testing.assert_allclose(array(weights)[:, :, 2], 1 / KEYS, rtol=1e-2)
        np.testing.assert_allclose(array(output)[:, :, 2], array(value).mean(axis=2), atol=2e-2)

    @pytest.mark.parametrize("dtype", HALF_AND_SINGLE)
    def test_forbidden_keys_get_zero_weight(self, random, dtype):
        query, key, value = query_key_value(random, dtype)
        mask = np.arange(KEYS) < 4
        _, weights = scaled_dot_product_attention(query, key, value, mask)
        assert (array(weights)[..., 4:] == 0).all()
        np.testing.assert_allclose(array(weights).sum(axis=-1), 1, rtol=1e-2)

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
    def test_half_precision_follows_single_precision(self, random, dtype):
        query, key, value = query_key_value(random, dtype)
        output, weights = scaled_dot_product_attention(query, key, value)
        assert {keras.backend.standardize_dtype(x.dtype) for x in (output, weights)} == {dtype}
        expected_output, expected_weights = scaled_dot_product_attention(
            *(ops.cast(tensor, "float32") for tensor in (query, key, value))
        )
        np.testing.assert_allclose(array(weights), array(expected_weights), atol=2e-2)
        np.testing.assert_allclose(array(output), array(expected_output), atol=5e-2)

    def test_products_beyond_float16_do_not_overflow(self):
        """64 x 40 x 40 is 102,400 and beyond float16; divided by √64 it is 12,800."""
        query, key = np.full((1, 64), 40, "float16"), np.full((3, 64), 40, "float16")
        _, weights = scaled_dot_product_attention(query, key, np.ones((3, 2), "float16"))
        np.testing.assert_allclose(array(weights), [[1 / 3] * 3], rtol=1e-3)

    def test_large_scores_stay_finite(self, random):
        query, key, value = query_key_value(random)
        output, weights = scaled_dot_product_attention(1e4 * query, key, value)
        assert np.isfinite(array(output)).all()
        np.testing.assert_allclose(array(weights).sum(axis=-1), 1, rtol=1e-5)

    @given(st.permutations(range(KEYS)), st.permutations(range(QUERIES)), st.integers(0, 99))
    def test_order_of_keys_and_queries_does_not_matter(self, key_order, query_order, seed):
        """Moving keys with their values changes nothing; moving queries moves their outputs."""
        query, key, value = (array(x) for x in query_key_value(np.random.default_rng(seed)))
        output, weights = scaled_dot_product_attention(query, key, value)
        moved_output, moved_weights = scaled_dot_product_attention(
            query[:, :, query_order], key[:, :, key_order], value[:, :, key_order]
        )
        assert_close(array(moved_output), array(output)[:, :, query_order])
        assert_close(array(moved_weights), array(weights)[:, :, query_order][..., key_order], 1e-6)

    @given(st.integers(0, 99))
    def test_an_output_lies_between_the_values(self, seed):
        query, key, value = query_key_value(np.random.default_rng(seed))
        output, _ = scaled_dot_product_attention(query, key, value)
        lowest = array(value).min(axis=2, keepdims=True)
        highest = array(value).max(axis=2, keepdims=True)
        assert (array(output) > lowest - 1e-5).all()
        assert (array(output) < highest + 1e-5).all()

    @pytest.mark.parametrize(
        ("shapes", "message"),
        [
            ([(5, 4), (7, 3), (7, 6)], r"same width.*query.shape=\(5, 4\), key.shape=\(7, 3\)"),
            ([(5, 4), (7, 4), (6, 6)], r"same length.*key.shape=\(7, 4\), value.shape=\(6, 6\)"),
            ([(4,), (7, 4), (7, 6)], r"\(\.\.\., length, width\).*query.shape=\(4,\)"),
        ],
    )
    def test_refuses_shapes_that_do_not_fit(self, shapes, message):
        with pytest.raises(ValueError, match=message):
            scaled_dot_product_attention(*(np.ones(shape, "float32") for shape in shapes))

    @pytest.mark.parametrize(
        ("mask", "message"),
        [
            (np.ones((5, 7), "int32"), r"must be boolean.*mask.dtype=int32"),
            (np.zeros((5, 7), "float32"), r"must be boolean.*mask.dtype=float32"),
            (np.ones((7, 5), bool), r"\(5, 7\). Received: mask.shape=\(7, 5\)"),
            (np.ones((2, 5, 7), bool), r"\(5, 7\). Received: mask.shape=\(2, 5, 7\)"),
        ],
    )
    def test_refuses_masks_that_do_not_fit(self, mask, message):
        query, key, value = (np.ones(shape, "float32") for shape in [(5, 4), (7, 4), (7, 6)])
        with pytest.raises(ValueError, match=message):
            scaled_dot_product_attention(query, key, value, mask)


class TestPaddingMask:
    def test_is_true_at_tokens(self):
        mask = padding_mask([[7, 4, 9], [5, 0, 0]])
        assert array(mask).tolist() == [[[[True, True, True]]], [[[True, False, False]]]]

    def test_takes_another_padding_id_wherever_it_stands(self):
        mask = padding_mask(np.array([[1, 5, 0, 1]]), padding_id=1)
        assert array(mask)[0, 0, 0].tolist() == [False, True, True, False]

    @pytest.mark.parametrize("shape", [(4,), (2, 3, 4)], ids=str)
    def test_refuses_another_rank(self, shape):
        with pytest.raises(ValueError, match=r"token_ids must be \(batch, length\).*Received"):
            padding_mask(np.ones(shape, "int32"))


class TestCausalMask:
    def test_is_true_on_the_diagonal_and_below(self):
        assert array(causal_mask(3)).tolist() == [
            [True, False, False],
            [True, True, False],
            [True, True, True],
        ]

    @pytest.mark.parametrize("length", [0, 1])
    def test_takes_the_shortest_lengths(self, length):
        assert array(causal_mask(length)).tolist() == [[True]] * length

    def test_refuses_a_negative_length(self):
        with pytest.raises(ValueError, match="length=-1"):
            causal_mask(-1)

    def test_combines_with_a_padding_mask(self):
        both = ops.logical_and(causal_mask(3), padding_mask([[5, 5, 0], [5, 0, 0]]))
        assert array(both)[:, 0].tolist() == [
            [[True, False, False], [True, True, False], [True, True, False]],
            [[True, False, False], [True, False, False], [True, False, False]],
        ]


class TestHeads:
    def test_each_head_gets_its_own_features_of_every_token(self):
        x = np.arange(BATCH * QUERIES * HIDDEN_DIM).reshape(BATCH, QUERIES, HIDDEN_DIM)
        heads = array(split_heads(x, HEADS))
        assert heads.shape == (BATCH, HEADS, QUERIES, HEAD_DIM)
        for head in range(HEADS):
            np.testing.assert_array_equal(heads[:, head], x[:, :, head * HEAD_DIM : (head + 1) * HEAD_DIM])

    @given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))
    def test_merging_undoes_splitting(self, batch, length, num_heads, head_dim):
        x = np.arange(batch * length * num_heads * head_dim).reshape(batch, length, num_heads * head_dim)
        heads = split_heads(x, num_heads)
        assert tuple(heads.shape) == (batch, num_heads, length, head_dim)
        np.testing.assert_array_equal(array(merge_heads(heads)), x)

    def test_work_in_functional_models_of_unknown_batch_size(self, random):
        inputs = keras.Input((QUERIES, HIDDEN_DIM))
        heads = split_heads(inputs, HEADS)
        model = keras.Model(inputs, [heads, merge_heads(heads)])
        x = random.normal(size=(BATCH, QUERIES, HIDDEN_DIM)).astype("float32")
        heads, merged = model(x)
        np.testing.assert_array_equal(array(heads), array(split_heads(x, HEADS)))
        np.testing.assert_array_equal(array(merged), x)

    def test_refuse_wrong_ranks_and_numbers_of_heads(self):
        with pytest.raises(ValueError, match="hidden_dim=12, num_heads=5"):
            split_heads(np.ones((2, 7, 12)), 5)
        with pytest.raises(ValueError, match=r"x must be \(batch, length, hidden_dim\).*\(7, 12\)"):
            split_heads(np.ones((7, 12)), 3)
        with pytest.raises(ValueError, match=r"x must be \(batch, num_heads, length, head_dim\).*\(2, 7, 12\)"):
            merge_heads(np.ones((2, 7, 12)))
