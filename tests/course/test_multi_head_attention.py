"""MultiHeadAttention agrees with Keras and Hugging Face, and can be trained and saved. All sizes differ."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.attention import MultiHeadAttention, causal_mask, padding_mask
from tests.closeness import assert_close
from tests.course.arrays import array

BATCH, HEADS, QUERIES, KEYS, HEAD_DIM = 2, 3, 5, 7, 4
HIDDEN_DIM = HEADS * HEAD_DIM
COMPILED = [False] if keras.backend.backend() == "torch" else [False, True]  # PyTorch needs a C++ compiler


def made(random, *inputs, **options):
    """A layer with random weights, and random biases, because zeros would hide where they are added."""
    layer = MultiHeadAttention(HIDDEN_DIM, HEADS, **options)
    layer.build(*(x.shape for x in inputs))
    layer.set_weights([0.5 * random.normal(size=weight.shape) for weight in layer.weights])
    return layer


def tokens(random, batch=BATCH, length=QUERIES, width=8):
    return random.normal(size=(batch, length, width)).astype("float32")


def cross_attention_model(layer):
    """Tokens of any number attend to a padded context of any length."""
    inputs, context = keras.Input((None, 8)), keras.Input((None, 10))
    token_ids = keras.Input((None,), dtype="int32")
    mask = padding_mask(token_ids)
    return keras.Model([inputs, context, token_ids], layer(inputs, context, attention_mask=mask, return_weights=True))


def test_has_its_weights_once_it_is_built():
    layer = MultiHeadAttention(HIDDEN_DIM, HEADS, name="attention")
    layer.build((None, None, 8), (None, None, 10))
    shapes = {weight.path: tuple(weight.shape) for weight in layer.weights}
    assert shapes == {
        "attention/query/kernel": (8, 12),
        "attention/query/bias": (12,),
        "attention/key/kernel": (10, 12),
        "attention/key/bias": (12,),
        "attention/value/kernel": (10, 12),
        "attention/value/bias": (12,),
        "attention/output/kernel": (12, 12),
        "attention/output/bias": (12,),
    }


@pytest.mark.parametrize("with_context", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_agrees_with_keras(random, with_context, masked):
    x = tokens(random)
    context = tokens(random, length=KEYS, width=10) if with_context else x
    layer = made(random, x, context)
    keras_layer = keras.layers.MultiHeadAttention(HEADS, HEAD_DIM, output_shape=HIDDEN_DIM)
    keras_layer.build(x.shape, context.shape)
    keras_layer.set_weights(
        [array(ours).reshape(theirs.shape) for ours, theirs in zip(layer.weights, keras_layer.weights, strict=True)]
    )
    mask = random.random((BATCH, QUERIES, context.shape[1])) < 0.6 if masked else None
    if masked:
        mask[:, :, 0] = True
    expected, expected_weights = keras_layer(x, context, attention_mask=mask, return_attention_scores=True)
    output, weights = layer(x, context, attention_mask=mask, return_weights=True)
    assert_close(array(output), array(expected))
    assert_close(array(weights), array(expected_weights))


def test_agrees_with_hugging_face(random):
    import torch
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertSelfAttention, BertSelfOutput

    config = BertConfig(
        hidden_size=HIDDEN_DIM,
        num_attention_heads=HEADS,
        intermediate_size=16,
        attn_implementation="eager",
    )
    attend, project = BertSelfAttention(config).eval(), BertSelfOutput(config).dense
    x = tokens(random, width=HIDDEN_DIM)
    layer = made(random, x)
    with torch.no_grad():
        for name, linear in (
            ("query", attend.query),
            ("key", attend.key),
            ("value", attend.value),
            ("output", project),
        ):
            kernel, bias = (array(weight) for weight in getattr(layer, f"{name}_dense").weights)
            linear.weight.copy_(torch.tensor(kernel.T))
            linear.bias.copy_(torch.tensor(bias))
        real = np.arange(QUERIES) < np.array([QUERIES, 3])[:, None]
        additive = torch.tensor(np.where(real, 0, np.finfo("float32").min)[:, None, None, :].astype("float32"))
        merged, expected_weights = attend(torch.tensor(x), attention_mask=additive)
        expected = project(merged)
    output, weights = layer(x, attention_mask=padding_mask(real.astype("int32")), return_weights=True)
    assert_close(array(output), expected.cpu().numpy())
    assert_close(array(weights), expected_weights.cpu().numpy())


@pytest.mark.parametrize(
    "mask_shape",
    [(QUERIES, KEYS), (BATCH, QUERIES, KEYS), (BATCH, 1, 1, KEYS), (BATCH, HEADS, QUERIES, KEYS)],
)
def test_takes_masks_of_two_to_four_axes(random, mask_shape):
    x, context = tokens(random), tokens(random, length=KEYS, width=10)
    mask = random.random(mask_shape) < 0.6
    mask[..., 3] = True
    _, weights = made(random, x, context)(x, context, attention_mask=mask, return_weights=True)
    allowed = mask[:, None] if len(mask_shape) == 3 else mask
    np.testing.assert_array_equal(array(weights) > 0, np.broadcast_to(allowed, weights.shape))


def test_under_a_causal_mask_later_tokens_never_change_earlier_outputs(random):
    x = tokens(random)
    layer = made(random, x)
    output = array(layer(x, attention_mask=causal_mask(QUERIES)))
    for position in range(QUERIES):
        changed = x.copy()
        changed[:, position] += 1
        moved = array(layer(changed, attention_mask=causal_mask(QUERIES)))
        np.testing.assert_array_equal(moved[:, :position], output[:, :position])
        assert (np.abs(moved[:, position:] - output[:, position:]).max(axis=-1) > 1e-4).all()


def test_contents_of_padding_change_nothing(random):
    x = tokens(random)
    layer = made(random, x)
    token_ids = np.array([[4, 8, 0, 0, 0], [7, 7, 2, 5, 0]])
    changed = np.where(token_ids[..., None] == 0, 1e3 * tokens(random), x)
    mask = padding_mask(token_ids)
    output, moved = (array(layer(inputs, attention_mask=mask)) for inputs in (x, changed))
    np.testing.assert_array_equal(moved[token_ids > 0], output[token_ids > 0])
    assert not np.allclose(array(layer(x)), output)


@given(st.permutations(range(QUERIES)), st.integers(0, 99))
def test_order_does_not_matter_without_positions(order, seed):
    random = np.random.default_rng(seed)
    x = tokens(random)
    layer = made(random, x)
    assert_close(array(layer(x[:, order])), array(layer(x))[:, order])


def test_all_weights_learn_but_the_bias_of_the_keys(random):
    """That bias adds q · b to all scores of a query, and the softmax cancels it."""
    x = tokens(random)
    layer = made(random, x)
    model = keras.Sequential([keras.Input(x.shape[1:]), layer])
    model.compile(keras.optimizers.SGD(1.0), loss="mse", jit_compile=False)
    before = [array(weight).copy() for weight in layer.weights]
    model.train_on_batch(x, tokens(random, width=HIDDEN_DIM))
    moved = [np.abs(array(after) - b).max() for after, b in zip(layer.weights, before, strict=True)]
    bias_of_keys = moved.pop(3)
    assert min(moved) > 1e-4
    assert bias_of_keys < 1e-6


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "mixed_float16", "mixed_bfloat16"])
def test_runs_in_half_precision(random, dtype):
    x = tokens(random)
    single = made(random, x)
    half = MultiHeadAttention(HIDDEN_DIM, HEADS, dtype=dtype)
    half.build(x.shape)
    half.set_weights(single.get_weights())
    mask = np.ones((QUERIES, QUERIES), bool)
    mask[1] = False
    output, weights = half(x, attention_mask=mask, return_weights=True)
    expected, expected_weights = single(x, attention_mask=mask, return_weights=True)
    assert {keras.backend.standardize_dtype(t.dtype) for t in (output, weights)} == {half.compute_dtype}
    assert {weight.dtype for weight in half.weights} == {half.variable_dtype}
    np.testing.assert_allclose(array(weights), array(expected_weights), atol=3e-2)
    np.testing.assert_allclose(array(output), array(expected), atol=0.1)


def test_drops_weights_in_training_and_scales_up_the_rest():
    """With one head, projections that do nothing and one-hot values, the output is the weights."""
    eye = np.eye(6, dtype="float32")
    layer = MultiHeadAttention(hidden_dim=6, num_heads=1, dropout=0.25)
    layer.build((1, 6, 6))
    layer.set_weights([eye, np.zeros(6)] * 4)
    output, weights = layer(eye[None], training=True, return_weights=True)
    output, weights = array(output)[0], array(weights)[0, 0]
    kept = output > 0
    assert 0.5 < kept.mean() < 1
    np.testing.assert_allclose(output, np.where(kept, weights / 0.75, 0), rtol=1e-5)
    np.testing.assert_allclose(array(layer(eye[None]))[0], weights, rtol=1e-5)


def test_without_dropout_training_changes_nothing(random):
    x = tokens(random)
    layer = made(random, x)
    np.testing.assert_array_equal(array(layer(x, training=True)), array(layer(x)))


@pytest.mark.parametrize("compiled", COMPILED)
def test_runs_in_a_model_of_unknown_batch_and_lengths(random, compiled):
    x, context = tokens(random), tokens(random, length=KEYS, width=10)
    layer = made(random, x, context, dropout=0.5)
    model = cross_attention_model(layer)
    model.compile(jit_compile=compiled)
    token_ids = np.array([[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 0, 0, 0, 0]])
    output, weights = model.predict([x, context, token_ids], verbose=0)
    expected, expected_weights = layer(x, context, padding_mask(token_ids), return_weights=True)
    assert_close(output, array(expected))
    assert_close(weights, array(expected_weights))
    assert model.output_shape == [(None, None, HIDDEN_DIM), (None, HEADS, None, None)]


def test_comes_back_from_a_file_as_it_was(random, tmp_path):
    x, context = tokens(random), tokens(random, length=KEYS, width=10)
    token_ids = np.array([[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 0, 0, 0, 0]])
    model = cross_attention_model(made(random, x, context, dropout=0.1))
    model.save(tmp_path / "model.keras")
    restored = keras.saving.load_model(tmp_path / "model.keras")
    for before, after in zip(model([x, context, token_ids]), restored([x, context, token_ids]), strict=True):
        np.testing.assert_array_equal(array(after), array(before))


def test_comes_back_from_its_config():
    layer = MultiHeadAttention(HIDDEN_DIM, HEADS, dropout=0.2, name="heads", dtype="mixed_bfloat16")
    copy = MultiHeadAttention.from_config(layer.get_config())
    assert copy.get_config() == layer.get_config()
    assert (copy.hidden_dim, copy.num_heads, copy.dropout, copy.name) == (HIDDEN_DIM, HEADS, 0.2, "heads")
    assert copy.dtype_policy.name == "mixed_bfloat16"


def test_computes_its_output_shape(random):
    layer = MultiHeadAttention(HIDDEN_DIM, HEADS)
    assert layer.compute_output_shape((2, 5, 8)) == (2, 5, HIDDEN_DIM)
    assert layer.compute_output_shape((2, 5, 8), (2, 7, 10)) == (2, 5, HIDDEN_DIM)


@pytest.mark.filterwarnings("ignore:You are using a softmax over axis -1")  # of the single token
def test_takes_an_empty_batch_and_a_single_token(random):
    layer = made(random, tokens(random))
    assert tuple(layer(np.zeros((0, 5, 8), "float32")).shape) == (0, 5, HIDDEN_DIM)
    _, weights = layer(tokens(random, length=1), return_weights=True)
    assert (array(weights) == 1).all()


def test_does_not_use_the_mask_that_keras_attaches(random):
    embedded = keras.layers.Embedding(9, 8, mask_zero=True)(np.array([[4, 2, 0, 0, 0], [5, 5, 5, 1, 0]]))
    with pytest.warns(UserWarning, match="does not support masking"):
        _, weights = made(random, embedded)(embedded, return_weights=True)
    assert (array(weights) > 0).all()


def test_refuses_wrong_heads_ranks_and_masks(random):
    layer = made(random, tokens(random))
    with pytest.raises(ValueError, match="hidden_dim=12, num_heads=5"):
        MultiHeadAttention(hidden_dim=12, num_heads=5)
    with pytest.raises(ValueError, match="expected ndim=3, found ndim=2"):
        layer(np.ones((5, 8), "float32"))
    with pytest.raises(ValueError, match=r"x must be \(batch, length, hidden_dim\)"):
        layer(tokens(random), np.ones((5, 8), "float32"))
    with pytest.raises(ValueError, match=r"attention_mask.shape=\(5,\)"):
        layer(tokens(random), attention_mask=np.ones(5, bool))
    with pytest.raises(ValueError, match=r"Received: mask.shape=\(1, 1, 2, 5\)"):
        layer(tokens(random), attention_mask=np.ones((2, 5), bool))
    with pytest.raises(ValueError, match=r"must be boolean"):
        layer(tokens(random), attention_mask=np.ones((5, 5), "int32"))
