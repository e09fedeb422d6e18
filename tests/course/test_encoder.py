"""The encoder's parts match their equations and PyTorch's, and the whole encoder can be trained and saved."""

from __future__ import annotations

import math

import keras
import numpy as np
import pytest
from keras import ops

from course.attention import padding_mask
from course.encoder import BertEncoder, EncoderBlock, FeedForward, LayerNorm, gelu, layer_normalization
from course.presets import PRESETS
from tests.closeness import assert_close

BATCH, LENGTH, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM = 2, 5, 3, 12, 20
SIZES = {
    "vocabulary_size": 31,
    "num_layers": 2,
    "num_heads": HEADS,
    "hidden_dim": HIDDEN_DIM,
    "intermediate_dim": INTERMEDIATE_DIM,
    "max_length": 7,
    "num_segments": 6,
}
HALF = ["float16", "bfloat16"]
COMPILED = [False] if keras.backend.backend() == "torch" else [False, True]  # PyTorch needs a C++ compiler


def array(tensor):
    """As float32: NumPy has no bfloat16."""
    return ops.convert_to_numpy(ops.cast(tensor, "float32"))


def randomize(layer, random):
    """Give a built layer weights large enough that a missing part shows."""
    for weight in layer.weights:
        weight.assign((weight.name == "gamma") + 0.5 * random.normal(size=weight.shape))
    return layer


@pytest.fixture
def x(random):
    return random.normal(size=(BATCH, LENGTH, HIDDEN_DIM)).astype("float32")


@pytest.fixture
def ids(random):
    """The second text is two tokens shorter: padding has the id 0."""
    ids = random.integers(1, SIZES["vocabulary_size"], (BATCH, LENGTH))
    ids[1, -2:] = 0
    return ids


@pytest.fixture
def segments(random):
    return random.integers(0, SIZES["num_segments"], (BATCH, LENGTH))


@pytest.fixture
def encoder(random):
    encoder = BertEncoder(**SIZES)
    encoder.build((None, None))
    return randomize(encoder, random)


class TestGelu:
    def test_is_x_times_the_share_of_the_normal_distribution_below_x(self):
        x = np.linspace(-6, 6, 97)
        expected = [number * 0.5 * math.erfc(-number / math.sqrt(2)) for number in x]
        assert_close(array(gelu(x.astype("float32"))), expected, 1e-6)

    def test_approximation_error_is_as_documented(self):
        x = np.linspace(-6, 6, 4801).astype("float32")
        off = np.abs(array(gelu(x, approximate=True)) - array(gelu(x))).max()
        assert off == pytest.approx(4.7e-4, abs=0.1e-4)
        expected = array(keras.activations.gelu(ops.convert_to_tensor(x), approximate=True))
        assert_close(array(gelu(x, approximate=True)), expected, 1e-6)

    @pytest.mark.parametrize("dtype", HALF)
    @pytest.mark.parametrize("approximate", [False, True])
    def test_half_precision_stays_half_and_finite(self, dtype, approximate):
        x = ops.convert_to_tensor([-100.0, -1.0, 0.0, 1.0, 100.0], dtype=dtype)
        output = gelu(x, approximate)
        assert keras.backend.standardize_dtype(output.dtype) == dtype
        np.testing.assert_allclose(array(output), [0.0, -0.1587, 0.0, 0.8413, 100.0], atol=0.01)


class TestLayerNormalization:
    def test_matches_the_equation(self, x, random):
        gamma, beta = random.normal(size=(2, HIDDEN_DIM))
        output = array(layer_normalization(x, gamma, beta, epsilon=0.3))
        for text, place in np.ndindex(BATCH, LENGTH):
            features = x[text, place].astype("float64")
            mean = sum(features) / HIDDEN_DIM
            variance = sum((features - mean) ** 2) / HIDDEN_DIM
            expected = gamma * (features - mean) / np.sqrt(variance + 0.3) + beta
            assert_close(output[text, place], expected)

    def test_agrees_with_keras(self, x, random):
        theirs = keras.layers.LayerNormalization(epsilon=1e-12)
        theirs.build(x.shape)
        ours = LayerNorm(epsilon=1e-12)
        ours.build(x.shape)
        assert_close(array(ours(x)), array(theirs(x)))
        weights = random.normal(size=(2, HIDDEN_DIM))
        theirs.set_weights(weights)
        ours.set_weights(weights)
        assert_close(array(ours(x)), array(theirs(x)))

    @pytest.mark.parametrize("dtype", HALF)
    def test_half_precision_neither_overflows_nor_divides_by_zero(self, dtype):
        x = np.array([[1000.0, 3000.0, 5000.0], [0.001, 0.003, 0.005], [7.0, 7.0, 7.0]])
        output = layer_normalization(ops.cast(x, dtype), np.ones(3), np.zeros(3))
        assert keras.backend.standardize_dtype(output.dtype) == dtype
        expected = [[-1.2247, 0.0, 1.2247], [-1.2247, 0.0, 1.2247], [0.0, 0.0, 0.0]]
        np.testing.assert_allclose(array(output), expected, atol=0.02)

    def test_mixed_precision_keeps_the_weights_in_float32(self):
        layer = LayerNorm(dtype="mixed_float16")
        layer.build((1, 3))
        layer.gamma.assign([1.0, 70000.0, 1.0])  # infinite in float16, and infinity times 0 is NaN
        output = layer(ops.convert_to_tensor([[1.0, 3.0, 5.0]], dtype="float16"))
        np.testing.assert_allclose(array(output), [[-1.2247, 0.0, 1.2247]], atol=0.001)


class TestFeedForward:
    @pytest.mark.parametrize("approximate", [False, True])
    def test_matches_the_equation(self, x, random, approximate):
        layer = FeedForward(HIDDEN_DIM, INTERMEDIATE_DIM, approximate)
        layer.build(x.shape)
        w1, b1, w2, b2 = (array(weight.value) for weight in randomize(layer, random).weights)
        assert (w1.shape, w2.shape) == ((HIDDEN_DIM, INTERMEDIATE_DIM), (INTERMEDIATE_DIM, HIDDEN_DIM))
        expected = array(gelu(x @ w1 + b1, approximate)) @ w2 + b2
        assert_close(array(layer(x)), expected)

    def test_error_names_the_expected_width(self, random):
        layer = FeedForward(HIDDEN_DIM, INTERMEDIATE_DIM)
        with pytest.raises(ValueError, match=r"value 12.*shape \(2, 5, 8\)"):
            layer(random.normal(size=(2, 5, 8)))


class TestEncoderBlock:
    @pytest.mark.parametrize("norm_first", [False, True])
    def test_agrees_with_pytorch(self, x, ids, random, norm_first):
        import torch

        block = EncoderBlock(HIDDEN_DIM, HEADS, INTERMEDIATE_DIM, norm_first=norm_first, epsilon=1e-3)
        block.build(x.shape)
        randomize(block, random)
        theirs = torch.nn.TransformerEncoderLayer(
            HIDDEN_DIM, HEADS, INTERMEDIATE_DIM, activation="gelu", layer_norm_eps=1e-3, batch_first=True,
            norm_first=norm_first, device="cpu",
        )  # fmt: skip
        attention, feed_forward = block.attention, block.feed_forward
        projections = [attention.query_dense, attention.key_dense, attention.value_dense]
        state = {
            "self_attn.in_proj_weight": np.concatenate([array(dense.kernel).T for dense in projections]),
            "self_attn.in_proj_bias": np.concatenate([array(dense.bias) for dense in projections]),
        }
        for name, dense in [
            ("self_attn.out_proj", attention.output_dense),
            ("linear1", feed_forward.intermediate_dense),
            ("linear2", feed_forward.output_dense),
        ]:
            state |= {f"{name}.weight": array(dense.kernel).T, f"{name}.bias": array(dense.bias)}
        for name, norm in [("norm1", block.attention_norm), ("norm2", block.feed_forward_norm)]:
            state |= {f"{name}.weight": array(norm.gamma), f"{name}.bias": array(norm.beta)}
        theirs.load_state_dict({name: torch.tensor(value) for name, value in state.items()})
        theirs.train(False)
        with torch.no_grad():
            expected = theirs(torch.tensor(x), src_key_padding_mask=torch.tensor(ids == 0)).numpy()
        is_token = ids != 0  # PyTorch's fast path leaves zeros at padding
        given = array(block(x, attention_mask=padding_mask(ids)))
        assert_close(given[is_token], expected[is_token])

    @pytest.mark.parametrize("norm_first", [False, True])
    def test_drops_out_after_both_parts_only_in_training(self, x, norm_first):
        options = {"norm_first": norm_first, "attention_dropout": 0.0}
        plain = EncoderBlock(HIDDEN_DIM, HEADS, INTERMEDIATE_DIM, 0.0, **options)
        dropping = EncoderBlock(HIDDEN_DIM, HEADS, INTERMEDIATE_DIM, 0.999999, **options)
        for block in (plain, dropping):
            block.build(x.shape)
        dropping.set_weights(plain.get_weights())
        assert_close(array(dropping(x)), array(plain(x)), 1e-6)
        np.testing.assert_array_equal(array(plain(x, training=True)), array(plain(x)))
        # With both parts dropped, the tokens pass along the path around them.
        passed = x
        if not norm_first:
            passed = dropping.feed_forward_norm(dropping.attention_norm(x))
        assert_close(array(dropping(x, training=True)), array(passed))

    def test_attention_has_a_dropout_of_its_own(self, x):
        blocks = [
            EncoderBlock(HIDDEN_DIM, HEADS, INTERMEDIATE_DIM, 0.1),
            EncoderBlock(HIDDEN_DIM, HEADS, INTERMEDIATE_DIM, 0.1, attention_dropout=0.0),
        ]
        for block in blocks:
            block.build(x.shape)
        assert [block.attention.dropout for block in blocks] == [0.1, 0.0]

    def test_heads_must_divide_the_width(self):
        with pytest.raises(ValueError, match="hidden_dim=12, num_heads=5"):
            EncoderBlock(hidden_dim=12, num_heads=5, intermediate_dim=20)

    def test_error_names_the_expected_width(self, random):
        with pytest.raises(ValueError, match=r"value 12.*shape \(2, 5, 9\)"):
            EncoderBlock(HIDDEN_DIM, HEADS, INTERMEDIATE_DIM)(random.normal(size=(2, 5, 9)))


@pytest.mark.parametrize(
    "layer",
    [
        LayerNorm(1e-5, name="norm"),
        FeedForward(12, 20, approximate_gelu=True, name="feed_forward"),
        EncoderBlock(12, 3, 20, 0.2, True, attention_dropout=0.3, approximate_gelu=True, epsilon=1e-5),
        BertEncoder(**SIZES, dropout=0.2, attention_dropout=0.3, approximate_gelu=True, epsilon=1e-5, padding_id=2),
    ],
    ids=lambda layer: type(layer).__name__,
)
def test_comes_back_from_its_config(layer):
    config = layer.get_config()
    copy = type(layer).from_config(config)
    assert copy.get_config() == config
    for argument, value in config.items():
        if argument != "dtype":
            assert getattr(copy, argument) == value == getattr(layer, argument)


class TestBertEncoder:
    def test_pooled_output_is_tanh_of_the_projected_first_token(self, encoder, ids, segments):
        outputs = encoder(ids, segments)
        assert set(outputs) == {"sequence_output", "pooled_output"}
        sequence, pooled = array(outputs["sequence_output"]), array(outputs["pooled_output"])
        assert sequence.shape == (BATCH, LENGTH, HIDDEN_DIM)
        first_token = sequence[:, 0] @ array(encoder.pooler.kernel) + array(encoder.pooler.bias)
        assert_close(pooled, np.tanh(first_token))

    def test_each_layers_output_comes_from_the_one_before(self, encoder, ids, segments):
        outputs = encoder(ids, segments, return_layers=True)
        layers = outputs["layer_outputs"]
        assert len(layers) == SIZES["num_layers"] + 1
        assert_close(array(layers[0]), array(encoder.embedding(ids, segments)), 1e-6)
        for block, before, after in zip(encoder.blocks, layers[:-1], layers[1:], strict=True):
            expected = array(block(before, attention_mask=padding_mask(ids)))
            assert_close(array(after), expected)
        np.testing.assert_array_equal(array(outputs["sequence_output"]), array(layers[-1]))

    def test_padding_changes_nothing(self, encoder, ids, segments):
        short = array(encoder(ids[1:, :3], segments[1:, :3])["sequence_output"])
        padded = array(encoder(ids, segments)["sequence_output"])
        assert_close(padded[1:, :3], short)

    @pytest.mark.parametrize("dtype", ["bool", "int32", "float32"])
    def test_padding_mask_defaults_to_that_of_the_ids(self, encoder, ids, dtype):
        own = array(encoder(ids)["sequence_output"])
        given = array(encoder(ids, padding_mask=(ids != 0).astype(dtype))["sequence_output"])
        assert_close(given, own, 1e-6)
        everything = array(encoder(ids, padding_mask=np.ones_like(ids).astype(dtype))["sequence_output"])
        assert np.abs(everything - own).max() > 0.01

    def test_padding_may_have_another_id(self, random, ids, encoder):
        other = BertEncoder(**SIZES, padding_id=30)
        other.build((None, None))
        other.set_weights(encoder.get_weights())
        is_token = np.minimum(ids, 29) != 0
        moved = np.where(is_token, np.minimum(ids, 29), 30)
        expected = array(encoder(np.where(is_token, moved, 0))["sequence_output"])
        assert_close(array(other(moved)["sequence_output"])[is_token], expected[is_token])

    def test_order_and_segments_matter(self, encoder, ids, segments):
        pooled = array(encoder(ids, segments)["pooled_output"])
        swapped = ids.copy()
        swapped[:, [1, 2]] = swapped[:, [2, 1]]
        assert np.abs(array(encoder(swapped, segments)["pooled_output"]) - pooled).max(axis=1).min() > 1e-3
        assert np.abs(array(encoder(ids, 5 - segments)["pooled_output"]) - pooled).max(axis=1).min() > 1e-3

    @pytest.mark.parametrize(
        ("padding", "message"),
        [
            (np.ones((BATCH, 4), bool), r"padding_mask must have the shape of token_ids, \(2, 5\).*\(2, 4\)"),
            (np.ones((BATCH, 1, 1, LENGTH), bool), r"padding_mask must have the shape of token_ids, \(2, 5\)"),
        ],
    )
    def test_padding_mask_must_have_one_number_per_token(self, encoder, ids, padding, message):
        with pytest.raises(ValueError, match=message):
            encoder(ids, padding_mask=padding)

    @pytest.mark.parametrize("compiled", COMPILED)
    def test_works_in_a_model_of_unknown_batch_and_length(self, encoder, ids, segments, compiled):
        inputs = [keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="int32")]
        outputs = encoder(*inputs)
        assert outputs["sequence_output"].shape == (None, None, HIDDEN_DIM)
        model = keras.Model(inputs, outputs)
        model.compile(jit_compile=compiled)
        expected = encoder(ids, segments)
        for name, given in model.predict([ids, segments], verbose=0).items():
            assert_close(given, array(expected[name]))

    @pytest.mark.parametrize(("policy", "compiled"), [("float32", COMPILED[-1]), ("mixed_float16", False)])
    def test_a_training_step_moves_every_weight(self, ids, segments, random, policy, compiled):
        encoder = BertEncoder(**{**SIZES, "num_layers": 1}, dtype=policy)  # compiles faster
        inputs = [keras.Input((None,), dtype="int32"), keras.Input((None,), dtype="int32")]
        outputs = encoder(*inputs)
        model = keras.Model(inputs, [outputs["sequence_output"], outputs["pooled_output"]])
        model.compile("sgd", ["mean_squared_error"] * 2, jit_compile=compiled)
        randomize(encoder, random)
        before = encoder.get_weights()
        targets = [random.normal(size=(BATCH, LENGTH, HIDDEN_DIM)), random.normal(size=(BATCH, HIDDEN_DIM))]
        model.fit([ids, segments], targets, verbose=0)
        for weight, old in zip(encoder.weights, before, strict=True):
            assert np.isfinite(array(weight.value)).all(), weight.path
            # The bias of the keys shifts all scores of a query equally, which changes nothing.
            if not weight.path.endswith("key/bias") and "seed" not in weight.path:
                assert (array(weight.value) != old).any(), weight.path

    @pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
    def test_mixed_precision_follows_single_precision(self, encoder, ids, segments, policy):
        half = BertEncoder(**SIZES, dtype=policy)
        half.build((None, None))
        half.set_weights(encoder.get_weights())
        outputs = half(ids, segments)
        expected = encoder(ids, segments)
        for name, given in outputs.items():
            assert keras.backend.standardize_dtype(given.dtype) == policy.removeprefix("mixed_")
            # Two blocks, each of which rounds to 8 bits (bfloat16) or 11.
            np.testing.assert_allclose(array(given), array(expected[name]), atol=0.15)

    def test_survives_a_file(self, encoder, ids, segments, tmp_path):
        encoder.save(tmp_path / "encoder.keras")
        restored = keras.saving.load_model(tmp_path / "encoder.keras")
        assert isinstance(restored, BertEncoder)
        assert restored.get_config() == encoder.get_config()
        expected = encoder(ids, segments)
        for name, given in restored(ids, segments).items():
            np.testing.assert_array_equal(array(given), array(expected[name]))

    def test_blocks_start_with_different_weights(self):
        encoder = BertEncoder(**SIZES)
        encoder.build((None, None))
        kernels = [array(block.feed_forward.intermediate_dense.kernel) for block in encoder.blocks]
        assert all((kernel != kernels[0]).any() for kernel in kernels[1:])


def number_of_parameters(vocabulary_size, num_layers, hidden_dim, intermediate_dim, max_length, num_segments):
    norm = 2 * hidden_dim
    tables = (vocabulary_size + max_length + num_segments) * hidden_dim
    attention = 4 * (hidden_dim + 1) * hidden_dim
    feed_forward = (hidden_dim + 1) * intermediate_dim + (intermediate_dim + 1) * hidden_dim
    pooler = (hidden_dim + 1) * hidden_dim
    return tables + norm + num_layers * (attention + norm + feed_forward + norm) + pooler


def test_number_of_parameters(encoder):
    sizes = {name: value for name, value in SIZES.items() if name != "num_heads"}
    assert encoder.count_params() == number_of_parameters(**sizes)


# From keras-hub's presets, which do not include mini.
@pytest.mark.parametrize(
    ("preset", "count"),
    [
        ("tiny", 4_385_920),
        ("small", 28_763_648),
        ("medium", 41_373_184),
        ("base", 109_482_240),
        ("large", 335_141_888),
    ],
)
def test_presets_have_the_published_number_of_parameters(preset, count):
    sizes = {name: value for name, value in PRESETS[preset].items() if name != "num_heads"}
    assert number_of_parameters(30522, max_length=512, num_segments=2, **sizes) == count


def test_presets_have_heads_of_64_features_and_a_feed_forward_network_of_four_times_the_width():
    assert list(PRESETS) == ["tiny", "mini", "small", "medium", "base", "large"]
    for sizes in PRESETS.values():
        assert sizes["hidden_dim"] == 64 * sizes["num_heads"] == sizes["intermediate_dim"] / 4
