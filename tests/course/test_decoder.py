"""The parts of a decoder agree with their equations, Keras, PyTorch and keras-hub. All sizes differ."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops

from course.attention import MultiHeadAttention, causal_mask, padding_mask
from course.decoder import AdditiveAttention, CachedAttention, DecoderBlock, teacher_forcing
from tests.closeness import assert_close
from tests.course.arrays import array

BATCH, HEADS, LENGTH, KEYS, HEAD_DIM, UNITS, INNER = 2, 3, 5, 7, 4, 9, 20
HIDDEN_DIM = HEADS * HEAD_DIM
COMPILED = [False] if keras.backend.backend() == "torch" else [False, True]  # PyTorch needs a C++ compiler


def floats(random, *shape):
    return random.normal(size=shape).astype("float32")


def made(layer, random, *shapes):
    """The layer, built for these shapes, with random weights."""
    layer.build(*shapes)
    layer.set_weights([0.5 * random.normal(size=weight.shape) for weight in layer.weights])
    return layer


def assert_survives_a_file(layer, path, *inputs):
    """Assert that a compiled model of unknown lengths, saved and loaded again, gives the layer's outputs."""
    symbols = [keras.Input((*(None,) * (x.ndim - 2), x.shape[-1])) for x in inputs]
    outputs = layer(*symbols)
    model = keras.Model(symbols, outputs)
    model.save(path)
    restored = keras.saving.load_model(path)
    expected = keras.tree.flatten(layer(*inputs))
    for compiled in COMPILED:
        restored.compile(jit_compile=compiled)
        predicted = keras.tree.flatten(restored.predict(list(inputs), verbose=0))
        for output, expected_output in zip(predicted, expected, strict=True):
            assert_close(output, array(expected_output))


class TestAdditiveAttention:
    @pytest.fixture
    def given(self, random):
        query, keys = floats(random, BATCH, LENGTH, 6), floats(random, BATCH, KEYS, 8)
        layer = made(AdditiveAttention(UNITS), random, query.shape, keys.shape)
        return layer, query, keys, floats(random, BATCH, KEYS, 10)

    def test_agrees_with_keras(self, given):
        """Keras's layer has v as its scale, and expects W and U to be applied before."""
        layer, query, keys, values = given
        mask = np.arange(KEYS) < np.array([[KEYS], [4]])
        theirs = keras.layers.AdditiveAttention()
        projected = layer.query_dense(query), ops.convert_to_tensor(values), layer.key_dense(keys)
        theirs.build([x.shape for x in projected])
        theirs.set_weights([array(layer.score_dense.kernel)[:, 0]])
        expected = theirs(list(projected), mask=[None, mask], return_attention_scores=True)
        for output, expected_output in zip(layer(query, keys, values, mask), expected, strict=True):
            assert_close(array(output), array(expected_output))

    def test_single_queries_give_the_same_as_several_at_once(self, given):
        layer, query, keys, values = given
        context, weights = layer(query, keys, values)
        for place in range(LENGTH):
            single_context, single_weights = layer(query[:, place], keys, values)
            assert_close(array(single_context), array(context)[:, place], 1e-6)
            assert_close(array(single_weights), array(weights)[:, place], 1e-6)

    def test_without_values_the_keys_are_the_values(self, given):
        layer, query, keys, _ = given
        context, weights = layer(query, keys)
        assert_close(array(context), array(weights) @ keys)

    @pytest.mark.parametrize("dtype", ["float32", "mixed_float16"])
    def test_forbidden_keys_get_zero_weight_and_weights_are_finite_if_all_are_forbidden(self, random, dtype):
        query, keys = floats(random, 3, LENGTH, 6), floats(random, 3, KEYS, 8)
        layer = made(AdditiveAttention(UNITS, dtype=dtype), random, query.shape, keys.shape)
        mask = np.arange(KEYS) < np.array([[KEYS], [2], [0]])
        context, weights = layer(100 * query, keys, key_mask=mask)
        assert keras.backend.standardize_dtype(weights.dtype) == layer.compute_dtype
        assert (array(weights)[1, :, 2:] == 0).all()
        assert np.isfinite(array(context)).all()
        np.testing.assert_allclose(array(weights).sum(-1), 1, atol=2e-3)

    def test_has_no_bias_and_every_weight_learns(self, given):
        layer, query, keys, _ = given
        assert [weight.path.split("/")[-2:] for weight in layer.weights] == [
            ["query", "kernel"],
            ["key", "kernel"],
            ["score", "kernel"],
        ]
        inputs = keras.Input((None, 6)), keras.Input((None, 8))
        model = keras.Model(inputs, layer(*inputs)[0])
        model.compile(keras.optimizers.SGD(1.0), loss="mse", jit_compile=False)
        before = [array(weight).copy() for weight in layer.weights]
        model.train_on_batch([query, keys], np.zeros((BATCH, LENGTH, 8)))
        assert min(np.abs(array(now) - old).max() for now, old in zip(layer.weights, before, strict=True)) > 1e-4

    def test_runs_compiled_and_comes_back_from_a_file(self, given, tmp_path):
        layer, *inputs = given
        assert_survives_a_file(layer, tmp_path / "model.keras", *inputs)


class TestTeacherForcing:
    def test_inputs_are_the_words_so_far_and_labels_the_next_words(self):
        targets = np.array([[7, 8, 9], [7, 0, 0], [0, 0, 0]])
        inputs, labels, weights = map(array, teacher_forcing(targets, start_id=1, end_id=2))
        np.testing.assert_array_equal(inputs, [[1, 7, 8, 9], [1, 7, 0, 0], [1, 0, 0, 0]])
        np.testing.assert_array_equal(labels, [[7, 8, 9, 2], [7, 2, 0, 0], [2, 0, 0, 0]])
        np.testing.assert_array_equal(weights, [[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0]])

    def test_takes_padding_of_another_id_and_keeps_the_dtype(self):
        inputs, labels, weights = teacher_forcing(np.array([[0, 4], [6, 4]], "int32"), 1, 2, padding_id=4)
        assert {keras.backend.standardize_dtype(ids.dtype) for ids in (inputs, labels)} == {"int32"}
        np.testing.assert_array_equal(array(labels), [[0, 2, 4], [6, 2, 4]])
        np.testing.assert_array_equal(array(weights), [[1, 1, 0], [1, 1, 0]])

    def test_empty_texts_have_only_an_end(self):
        inputs, labels, weights = teacher_forcing(np.zeros((3, 0), "int32"), 1, 2)
        assert [array(rows).tolist() for rows in (inputs, labels, weights)] == [[[1]] * 3, [[2]] * 3, [[1]] * 3]


class TestDecoderBlock:
    @pytest.fixture
    def given(self, random):
        x, context = floats(random, BATCH, LENGTH, HIDDEN_DIM), floats(random, BATCH, KEYS, 10)
        block = DecoderBlock(HIDDEN_DIM, HEADS, INNER)
        return made(block, random, x.shape, context.shape), x, context

    @pytest.mark.parametrize("norm_first", [False, True])
    def test_agrees_with_pytorch(self, random, norm_first):
        import torch

        x, context = floats(random, BATCH, LENGTH, HIDDEN_DIM), floats(random, BATCH, KEYS, HIDDEN_DIM)
        block = made(DecoderBlock(HIDDEN_DIM, HEADS, INNER, norm_first=norm_first), random, x.shape, context.shape)
        theirs = torch.nn.TransformerDecoderLayer(
            HIDDEN_DIM, HEADS, INNER, 0.0, "gelu", layer_norm_eps=1e-12, batch_first=True, norm_first=norm_first
        )
        with torch.no_grad():
            for attention, their_part in (
                (block.self_attention, theirs.self_attn),
                (block.cross_attention, theirs.multihead_attn),
            ):
                parts = (attention.query_dense, attention.key_dense, attention.value_dense)
                kernels, biases = zip(*(map(array, part.weights) for part in parts), strict=True)
                their_part.in_proj_weight.copy_(torch.tensor(np.concatenate(kernels, axis=1).T))
                their_part.in_proj_bias.copy_(torch.tensor(np.concatenate(biases)))
                _copy(attention.output_dense, their_part.out_proj)
            _copy(block.feed_forward.intermediate_dense, theirs.linear1)
            _copy(block.feed_forward.output_dense, theirs.linear2)
            for norm, their_part in (
                (block.self_attention_norm, theirs.norm1),
                (block.cross_attention_norm, theirs.norm2),
                (block.feed_forward_norm, theirs.norm3),
            ):
                their_part.weight.copy_(torch.tensor(array(norm.gamma)))
                their_part.bias.copy_(torch.tensor(array(norm.beta)))
            real = np.arange(KEYS) < np.array([[KEYS], [3]])
            expected = theirs.eval()(
                torch.tensor(x),
                torch.tensor(context),
                tgt_mask=torch.tensor(~array(causal_mask(LENGTH))),
                memory_key_padding_mask=torch.tensor(~real),
            )
        output = block(x, context, context_mask=real[:, None, None, :])
        assert_close(array(output), expected.numpy())

    @pytest.mark.parametrize("norm_first", [False, True])
    def test_agrees_with_keras_hub(self, random, norm_first):
        import keras_hub

        x, context = floats(random, BATCH, LENGTH, HIDDEN_DIM), floats(random, BATCH, KEYS, HIDDEN_DIM)
        block = made(DecoderBlock(HIDDEN_DIM, HEADS, INNER, norm_first=norm_first), random, x.shape, context.shape)
        theirs = keras_hub.layers.TransformerDecoder(
            INNER, HEADS, activation="gelu", layer_norm_epsilon=1e-12, normalize_first=norm_first
        )
        theirs(x, context)
        attentions = (
            (block.self_attention, theirs._self_attention_layer),
            (block.cross_attention, theirs._cross_attention_layer),
        )
        for attention, their_part in attentions:
            _heads(attention, their_part)
        for ours, their_part in (
            (block.feed_forward.intermediate_dense, theirs._feedforward_intermediate_dense),
            (block.feed_forward.output_dense, theirs._feedforward_output_dense),
            (block.self_attention_norm, theirs._self_attention_layer_norm),
            (block.cross_attention_norm, theirs._cross_attention_layer_norm),
            (block.feed_forward_norm, theirs._feedforward_layer_norm),
        ):
            their_part.set_weights(ours.get_weights())
        assert_close(array(block(x, context)), array(theirs(x, context)))

    def test_no_word_sees_later_words(self, given, random):
        block, x, context = given
        changed = np.concatenate([x[:, :3], floats(random, BATCH, LENGTH - 3, HIDDEN_DIM)], axis=1)
        output, moved = array(block(x, context)), array(block(changed, context))
        np.testing.assert_array_equal(output[:, :3], moved[:, :3])
        assert np.abs(output[:, 3:] - moved[:, 3:]).max() > 0.1

    def test_padding_is_hidden_in_both_attentions(self, given, random):
        block, x, context = given
        written, read = np.array([[3, 0, 4, 5, 6], [3, 4, 5, 6, 7]]), np.arange(1, KEYS + 1) * np.ones((BATCH, 1), int)
        read[1, 4:] = 0
        masks = {"attention_mask": padding_mask(written), "context_mask": padding_mask(read)}
        other_x = np.where(written[..., None] == 0, 99, x).astype("float32")
        other_context = np.where(read[..., None] == 0, 99, context).astype("float32")
        output, moved = array(block(x, context, **masks)), array(block(other_x, other_context, **masks))
        assert_close(output[written > 0], moved[written > 0])

    def test_without_a_context_it_is_chapter_4s_block_with_a_causal_mask(self, random):
        from course.encoder import EncoderBlock

        x = floats(random, BATCH, LENGTH, HIDDEN_DIM)
        block = made(DecoderBlock(HIDDEN_DIM, HEADS, INNER), random, x.shape)
        encoder = EncoderBlock(HIDDEN_DIM, HEADS, INNER)
        encoder.build(x.shape)
        encoder.set_weights(block.get_weights())
        expected = encoder(x, attention_mask=causal_mask(LENGTH))
        assert_close(array(block(x)), array(expected), 1e-6)

    @pytest.mark.parametrize("silent", ["self_attention", "cross_attention"])
    @pytest.mark.parametrize(("positions", "matters"), [("rope", True), ("alibi", True), ("none", False)])
    def test_positions_are_in_both_attentions(self, random, positions, matters, silent):
        """One attention gives nothing, so word order reaches the last word's output only through the other one."""
        x, context = floats(random, BATCH, LENGTH, HIDDEN_DIM), floats(random, BATCH, KEYS, 10)
        block = made(DecoderBlock(HIDDEN_DIM, HEADS, INNER, positions=positions), random, x.shape, context.shape)
        for weight in getattr(block, silent).output_dense.weights:
            weight.assign(ops.zeros(weight.shape))
        order, other_order = [1, 0, 3, 2, 4], [6, 1, 4, 2, 5, 0, 3]
        moved = block(x, context[:, other_order]) if silent == "self_attention" else block(x[:, order], context)
        difference = np.abs(array(block(x, context)) - array(moved))[:, -1].max()
        assert (difference > 0.01) == matters
        assert (difference < 1e-5) != matters

    def test_drops_out_only_in_training(self, random):
        x = floats(random, BATCH, LENGTH, HIDDEN_DIM)
        block = made(DecoderBlock(HIDDEN_DIM, HEADS, INNER, dropout=0.5), random, x.shape)
        np.testing.assert_array_equal(array(block(x)), array(block(x, training=False)))
        assert np.abs(array(block(x, training=True)) - array(block(x))).max() > 0.1

    def test_runs_compiled_and_comes_back_from_a_file(self, given, tmp_path):
        block, *inputs = given
        assert DecoderBlock.from_config(block.get_config()).get_config() == block.get_config()
        assert_survives_a_file(block, tmp_path / "model.keras", *inputs)


class TestCachedAttention:
    @pytest.fixture
    def given(self, random):
        x = floats(random, BATCH, LENGTH, HIDDEN_DIM)
        plain = made(MultiHeadAttention(HIDDEN_DIM, HEADS), random, x.shape)
        cached = CachedAttention(HIDDEN_DIM, HEADS)
        cached.build(x.shape)
        cached.set_weights(plain.get_weights())
        return cached, x, array(plain(x, attention_mask=causal_mask(LENGTH)))

    @pytest.mark.parametrize("chunks", [[1] * LENGTH, [LENGTH], [2, 1, 2], [3, 2]], ids=str)
    def test_chunks_of_any_size_match_one_causal_call(self, given, chunks):
        cached, x, expected = given
        cache = cached.empty_cache(BATCH, LENGTH + 4) + 99.0  # entries that are not written yet have no influence
        outputs, position = [], 0
        for new in chunks:
            output, cache = cached(x[:, position : position + new], cache, position=position)
            outputs.append(array(output))
            position += new
        assert_close(np.concatenate(outputs, axis=1), expected)
        assert (array(cache)[:, :, :, LENGTH:] == 99).all()

    def test_agrees_with_keras_hub(self, given):
        import keras_hub

        cached, x, _ = given
        theirs = keras_hub.layers.CachedMultiHeadAttention(num_heads=HEADS, key_dim=HEAD_DIM)
        theirs.build(x.shape, x.shape)
        _heads(cached, theirs)
        ours = cached.empty_cache(BATCH, LENGTH)
        their_cache = np.zeros((BATCH, 2, LENGTH, HEADS, HEAD_DIM), "float32")
        for place in range(LENGTH):
            word, mask = x[:, place : place + 1], np.arange(LENGTH)[None, None] <= place
            output, ours = cached(word, ours, position=place)
            expected, their_cache = theirs(word, word, attention_mask=mask, cache=their_cache, cache_update_index=place)
            assert_close(array(output), array(expected))
        assert_close(array(ours), array(their_cache).transpose(0, 1, 3, 2, 4))

    def test_does_not_change_the_given_cache(self, given):
        cached, x, _ = given
        empty = cached.empty_cache(BATCH, LENGTH)
        cached(x, empty, position=0)
        assert (array(empty) == 0).all()

    def test_the_position_may_be_a_tensor(self, given):
        cached, x, expected = given
        _, cache = cached(x[:, :3], cached.empty_cache(BATCH, LENGTH), position=0)
        output, _ = cached(x[:, 3:], cache, position=ops.convert_to_tensor(3))
        assert_close(array(output), expected[:, 3:])

    def test_runs_in_half_precision(self, given):
        cached, x, expected = given
        half = CachedAttention(HIDDEN_DIM, HEADS, dtype="mixed_float16")
        half.build(x.shape)
        half.set_weights(cached.get_weights())
        output, cache = half(x, half.empty_cache(BATCH, LENGTH), position=0)
        assert keras.backend.standardize_dtype(cache.dtype) == "float16"
        np.testing.assert_allclose(array(output), expected, atol=3e-2)


def _copy(dense, linear):
    import torch

    linear.weight.copy_(torch.tensor(array(dense.kernel).T))
    linear.bias.copy_(torch.tensor(array(dense.bias)))


def _heads(attention, theirs):
    """Copy our weights into Keras's multi-head attention, whose weights have an axis of heads."""
    for dense, their_part in (
        (attention.query_dense, theirs._query_dense),
        (attention.key_dense, theirs._key_dense),
        (attention.value_dense, theirs._value_dense),
        (attention.output_dense, theirs._output_dense),
    ):
        shapes = [tuple(weight.shape) for weight in their_part.weights]
        weights = [array(weight).reshape(shape) for weight, shape in zip(dense.weights, shapes, strict=True)]
        their_part.set_weights(weights)
