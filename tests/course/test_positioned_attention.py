"""The layer and the encoder that know positions: what they see, how they are trained and saved. All sizes differ."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops

from course.attention import MultiHeadAttention, padding_mask
from course.embeddings import sinusoidal_positions
from course.given.positioned_encoder import PositionedBlock, PositionedEmbedding, PositionedEncoder
from course.positions import PositionedAttention, alibi_bias, rotary_frequencies, scaled_frequencies
from tests.closeness import assert_close
from tests.course.arrays import array

BATCH, HEADS, LENGTH, KEYS, HEAD_DIM, PIECES = 2, 3, 5, 7, 4, 19
HIDDEN_DIM = HEADS * HEAD_DIM
YARN = {"method": "yarn", "factor": 4.0, "trained_length": 64}
SIZES = {
    "vocabulary_size": PIECES,
    "num_layers": 2,
    "num_heads": HEADS,
    "hidden_dim": HIDDEN_DIM,
    "intermediate_dim": 20,
    "max_length": 8,
}
RELATIVE = ["rope", "alibi"]
KINDS = ["learned", "sinusoidal", *RELATIVE, "none"]
COMPILED = [False] if keras.backend.backend() == "torch" else [False, True]  # PyTorch needs a C++ compiler


def made(random, *inputs, **options):
    layer = PositionedAttention(HIDDEN_DIM, HEADS, **options)
    layer.build(*(x.shape for x in inputs))
    layer.set_weights([0.5 * random.normal(size=weight.shape) for weight in layer.weights])
    return layer


def tokens(random, length=LENGTH, width=8):
    return random.normal(size=(BATCH, length, width)).astype("float32")


class TestPositionedAttention:
    def test_without_positions_it_is_chapter_3s_layer(self, random):
        x = tokens(random)
        layer, plain = made(random, x, positions="none"), MultiHeadAttention(HIDDEN_DIM, HEADS)
        plain.build(x.shape)
        plain.set_weights(layer.get_weights())
        np.testing.assert_array_equal(array(layer(x)), array(plain(x)))

    def test_agrees_with_hugging_face(self, random):
        import torch
        from transformers import LlamaConfig
        from transformers.models.llama.modeling_llama import LlamaAttention, LlamaRotaryEmbedding

        config = LlamaConfig(
            hidden_size=HIDDEN_DIM,
            num_attention_heads=HEADS,
            attention_bias=True,
            attn_implementation="eager",
            max_position_embeddings=64,
            rope_parameters={
                "rope_theta": 10000.0,
                "rope_type": "yarn",
                "factor": 4.0,
                "original_max_position_embeddings": 64,
            },
        )
        theirs, x = LlamaAttention(config, layer_idx=0).eval(), tokens(random, width=HIDDEN_DIM)
        layer = made(random, x, scaling=YARN)
        with torch.no_grad():
            for dense, linear in (
                (layer.query_dense, theirs.q_proj),
                (layer.key_dense, theirs.k_proj),
                (layer.value_dense, theirs.v_proj),
                (layer.output_dense, theirs.o_proj),
            ):
                kernel, bias = (array(weight) for weight in dense.weights)
                linear.weight.copy_(torch.tensor(kernel.T))
                linear.bias.copy_(torch.tensor(bias))
            angles = LlamaRotaryEmbedding(config)(torch.tensor(x), torch.arange(LENGTH)[None])
            expected, expected_weights = theirs(torch.tensor(x), position_embeddings=angles, attention_mask=None)
        output, weights = layer(x, return_weights=True)
        assert_close(array(weights), expected_weights.numpy())
        assert_close(array(output), expected.numpy())

    @pytest.mark.parametrize("positions", RELATIVE)
    def test_hidden_tokens_in_front_change_nothing(self, random, positions, shift=38):
        x, front = tokens(random), tokens(random, length=shift)
        layer = made(random, x, positions=positions)
        seen = np.arange(shift + LENGTH) >= shift
        longer = layer(np.concatenate([front, x], axis=1), attention_mask=seen[None, :])
        assert_close(array(longer)[:, shift:], array(layer(x)))

    @pytest.mark.parametrize("positions", RELATIVE)
    def test_order_matters(self, random, positions):
        x = tokens(random)
        layer, order = made(random, x, positions=positions), [1, 0, 2, 4, 3]
        assert np.abs(array(layer(x[:, order])) - array(layer(x))[:, order]).max() > 0.05

    def test_only_rope_distinguishes_a_text_from_its_mirror_image(self, random):
        x = tokens(random)
        for positions, close in (("alibi", True), ("rope", False)):
            layer = made(random, x, positions=positions)
            mirrored = array(layer(x[:, ::-1].copy()))[:, ::-1]
            assert np.allclose(mirrored, array(layer(x)), atol=1e-5) == close

    def test_values_are_not_turned(self, random):
        """Equal tokens get equal outputs, wherever they stand."""
        x = np.repeat(tokens(random, length=1), LENGTH, axis=1)
        output = array(made(random, x)(x))
        assert_close(output, output[:, :1].repeat(LENGTH, axis=1))

    @pytest.mark.parametrize("positions", RELATIVE)
    def test_a_context_has_positions_of_its_own(self, random, positions):
        x, context = tokens(random), tokens(random, length=KEYS, width=10)
        layer = made(random, x, context, positions=positions)
        query, key = (dense(given) for dense, given in ((layer.query_dense, x), (layer.key_dense, context)))
        query, key = (array(rows).reshape(BATCH, -1, HEADS, HEAD_DIM) for rows in (query, key))
        if positions == "rope":  # as complex numbers, where a turn is a factor
            halves = HEAD_DIM // 2
            query, key = (rows[..., :halves] + 1j * rows[..., halves:] for rows in (query, key))
            distance = np.arange(LENGTH)[:, None] - np.arange(KEYS)
            turns = np.exp(1j * distance[..., None] * rotary_frequencies(HEAD_DIM))
            scores = np.einsum("bqhd,bkhd,qkd->bhqk", query, key.conj(), turns).real / 2
        else:
            scores = np.einsum("bqhd,bkhd->bhqk", query, key) / 2 + array(alibi_bias(HEADS, LENGTH, KEYS))
        _, weights = layer(x, context, return_weights=True)
        exponentials = np.exp(scores)
        assert_close(array(weights), exponentials / exponentials.sum(-1, keepdims=True))

    def test_scaling_keeps_the_weights_and_changes_the_outputs(self, random):
        x = tokens(random)
        plain, scaled = made(random, x), PositionedAttention(HIDDEN_DIM, HEADS, scaling=YARN)
        scaled.build(x.shape)
        scaled.set_weights(plain.get_weights())
        assert [weight.path.split("/")[1:] for weight in scaled.weights] == [
            weight.path.split("/")[1:] for weight in plain.weights
        ]
        assert np.abs(array(scaled(x)) - array(plain(x))).max() > 1e-3

    @pytest.mark.parametrize("positions", RELATIVE)
    def test_padding_is_not_seen(self, random, positions):
        x = tokens(random)
        layer = made(random, x, positions=positions)
        token_ids = np.array([[4, 8, 0, 0, 0], [7, 7, 2, 5, 0]])
        changed = np.where(token_ids[..., None] == 0, 1e3 * tokens(random), x)
        output, moved = (array(layer(given, attention_mask=padding_mask(token_ids))) for given in (x, changed))
        np.testing.assert_array_equal(moved[token_ids > 0], output[token_ids > 0])

    @pytest.mark.parametrize("positions", RELATIVE)
    @pytest.mark.parametrize("dtype", ["mixed_float16", "mixed_bfloat16"])
    def test_runs_in_half_precision_far_into_a_text(self, random, positions, dtype):
        """Position 299 does not exist in bfloat16: an angle or a distance that is computed in it is wrong."""
        x = np.repeat(tokens(random, length=LENGTH), 60, axis=1)
        single = made(random, x, positions=positions)
        half = PositionedAttention(HIDDEN_DIM, HEADS, positions=positions, dtype=dtype)
        half.build(x.shape)
        half.set_weights(single.get_weights())
        output = half(x)
        assert keras.backend.standardize_dtype(output.dtype) == half.compute_dtype
        np.testing.assert_allclose(array(output), array(single(x)), rtol=2e-2, atol=0.1)  # bfloat16 has 8 bits

    @pytest.mark.parametrize("positions", RELATIVE)
    @pytest.mark.parametrize("compiled", COMPILED)
    def test_runs_in_a_model_of_unknown_lengths_and_comes_back_from_a_file(self, random, positions, compiled, tmp_path):
        x, context = tokens(random), tokens(random, length=KEYS, width=10)
        layer = made(random, x, context, positions=positions, scaling=YARN, dropout=0.5)
        inputs = keras.Input((None, 8)), keras.Input((None, 10))
        model = keras.Model(inputs, layer(*inputs))
        model.save(tmp_path / "model.keras")
        restored = keras.saving.load_model(tmp_path / "model.keras")
        expected = array(layer(x, context))
        np.testing.assert_array_equal(array(restored([x, context])), expected)
        model.compile(jit_compile=compiled)
        assert_close(model.predict([x, context], verbose=0), expected)

    @pytest.mark.parametrize("positions", RELATIVE)
    def test_every_weight_learns_but_the_key_bias_under_alibi(self, random, positions):
        """With ALiBi, as without positions, that bias adds the same to all scores of a query; with RoPE, not."""
        x = tokens(random)
        layer = made(random, x, positions=positions)
        model = keras.Sequential([keras.Input(x.shape[1:]), layer])
        model.compile(keras.optimizers.SGD(1.0), loss="mse", jit_compile=False)
        before = [array(weight).copy() for weight in layer.weights]
        model.train_on_batch(x, tokens(random, width=HIDDEN_DIM))
        moved = [np.abs(array(after) - b).max() for after, b in zip(layer.weights, before, strict=True)]
        bias_of_keys = moved.pop(3)
        assert min(moved) > 1e-4
        assert (bias_of_keys > 1e-4) == (positions == "rope")

    def test_comes_back_from_its_config(self):
        layer = PositionedAttention(HIDDEN_DIM, HEADS, 0.2, positions="rope", scaling=YARN, name="a", dtype="bfloat16")
        copy = PositionedAttention.from_config(layer.get_config())
        assert copy.get_config() == layer.get_config()
        assert (copy.positions, copy.scaling, copy.dropout, copy.name) == ("rope", YARN, 0.2, "a")


class TestPositionedEncoder:
    @pytest.fixture
    def token_ids(self, random):
        token_ids = random.integers(1, PIECES, (BATCH, LENGTH))
        token_ids[1, -2:] = 0
        return token_ids

    @pytest.mark.parametrize("positions", KINDS)
    def test_only_learned_positions_have_weights_and_only_tables_limit_the_length(self, random, positions):
        encoder = PositionedEncoder(**{**SIZES, "max_length": LENGTH - 1}, positions=positions)
        encoder.build((None, None))
        rows = [weight for weight in encoder.weights if "position_embedding" in weight.path]
        assert len(rows) == (positions == "learned")
        longer = random.integers(1, PIECES, (BATCH, LENGTH))
        if positions in ("learned", "sinusoidal"):
            with pytest.raises(ValueError, match=r"at most 4 tokens.*Received: 5"):
                encoder(longer)
        else:
            assert tuple(encoder(longer)["sequence_output"].shape) == (BATCH, LENGTH, HIDDEN_DIM)

    @pytest.mark.parametrize("positions", KINDS)
    def test_order_matters_unless_there_are_no_positions(self, random, positions):
        keras.utils.set_random_seed(9)
        encoder = PositionedEncoder(**SIZES, positions=positions, dropout=0.0)
        token_ids, order = random.integers(1, PIECES, (BATCH, LENGTH)), [1, 0, 2, 4, 3]
        straight, moved = (array(encoder(ids)["sequence_output"]) for ids in (token_ids, token_ids[:, order]))
        # At first attention weighs all tokens nearly alike, so little of what it knows of positions comes through.
        assert (np.abs(straight[:, order] - moved).max() < 2e-6) == (positions == "none")

    def test_waves_are_chapter_2s_and_as_large_as_a_learned_table(self):
        embedding = PositionedEmbedding(PIECES, HIDDEN_DIM, 8, positions="sinusoidal")
        embedding.build((None, None))
        added = array(embedding._with_positions(ops.zeros((BATCH, LENGTH, HIDDEN_DIM))))
        np.testing.assert_allclose(added, [0.02 * 2**0.5 * sinusoidal_positions(LENGTH, HIDDEN_DIM)] * BATCH, rtol=1e-5)
        assert np.sqrt((added**2).mean()) == pytest.approx(0.02, rel=1e-5)

    def test_every_block_has_the_requested_attention(self, token_ids):
        class Marked(PositionedAttention):
            pass

        class Own(PositionedEncoder):
            attention_class = Marked

        encoder = Own(**SIZES, scaling=YARN, attention_dropout=0.25)
        encoder(token_ids)
        for block in encoder.blocks:
            assert type(block.attention) is Marked
            assert (block.attention.positions, block.attention.scaling) == ("rope", YARN)
            assert block.attention.dropout == 0.25
        with_table = PositionedEncoder(**SIZES, positions="learned")
        with_table.build((None, None))
        assert with_table.blocks[0].attention.positions == "none"

    @pytest.mark.parametrize("positions", KINDS)
    def test_comes_back_from_a_file_as_it_was(self, token_ids, positions, tmp_path):
        encoder = PositionedEncoder(**SIZES, positions=positions, scaling=YARN, dtype="float32")
        expected = array(encoder(token_ids)["sequence_output"])
        encoder.save(tmp_path / "encoder.keras")
        restored = keras.saving.load_model(tmp_path / "encoder.keras")
        assert (restored.positions, restored.scaling, restored.max_length) == (positions, YARN, 8)
        np.testing.assert_array_equal(array(restored(token_ids)["sequence_output"]), expected)

    @pytest.mark.parametrize(
        "layer",
        [
            PositionedEmbedding(PIECES, HIDDEN_DIM, 8, dropout=0.3, positions="alibi"),
            PositionedBlock(HIDDEN_DIM, HEADS, 20, 0.3, norm_first=True, positions="rope", scaling=YARN),
        ],
        ids=lambda layer: type(layer).__name__,
    )
    def test_parts_come_back_from_their_config(self, layer):
        config = layer.get_config()
        copy = type(layer).from_config(config)
        assert copy.get_config() == config
        assert (copy.positions, copy.dropout) == (layer.positions, 0.3)

    def test_frequencies_may_change_between_training_and_use(self, token_ids):
        trained = PositionedEncoder(**SIZES, dropout=0.0)
        trained(token_ids)
        longer = PositionedEncoder(**SIZES, dropout=0.0, scaling={"method": "linear", "factor": 2.0})
        longer(token_ids)
        longer.set_weights(trained.get_weights())
        frequencies, _ = scaled_frequencies(HEAD_DIM, **longer.blocks[0].attention.scaling)
        np.testing.assert_allclose(frequencies, rotary_frequencies(HEAD_DIM) / 2)
