"""Fused attention: the layer's own numbers, wherever it stands in for the lesson's way, and the kernel on a card."""

from __future__ import annotations

import re
from pathlib import Path

import keras
import numpy as np
import pytest
from keras import ops

from course.attention import MultiHeadAttention, causal_mask, padding_mask
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.presets import PRESETS
from course.tokenization import SPECIAL_TOKENS
from course.training import fused_attention, pretraining
from course.training.checkpoint import save_encoder
from course.training.fused_attention import FusedAttention, fuse_attention
from course.training.pretraining_settings import Settings
from tests.closeness import assert_close
from tests.course.gradients import gradient
from tests.course.training.micro_runs import MICRO

BATCH, QUERIES, KEYS, HEADS, WIDTH = 3, 6, 10, 4, 20
BACKEND = keras.backend.backend()
TOKENS = np.array([[7, 4, 9, 2, 3, 5, 8, 6, 2, 4], [5, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0] * 10])


def masks() -> dict[str, object]:
    """Masks of four axes, and of fewer. The last text is padding alone: its queries may attend to nothing."""
    random = np.random.default_rng(3)
    return {
        "none": None,
        "padding": padding_mask(TOKENS),
        "of each query": random.random((BATCH, 1, QUERIES, KEYS)) < 0.5,
        "of each head": random.random((1, HEADS, 1, KEYS)) < 0.5,
        "of three axes": random.random((BATCH, QUERIES, KEYS)) < 0.5,
        "of two axes": causal_mask(KEYS)[:QUERIES],
    }


def twins(dropout: float = 0.0) -> tuple[MultiHeadAttention, MultiHeadAttention]:
    """The lesson's layer and a fused one, with the same weights."""
    layers = MultiHeadAttention(WIDTH, HEADS, dropout), FusedAttention(WIDTH, HEADS, dropout)
    for layer in layers:
        layer.build((BATCH, QUERIES, WIDTH), (BATCH, KEYS, WIDTH))
    random = np.random.default_rng(5)
    weights = [random.normal(0, 0.5, weight.shape).astype("float32") for weight in layers[0].get_weights()]
    for layer in layers:
        layer.set_weights(weights)
    return layers


def texts() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(7)
    return tuple(random.normal(size=(BATCH, length, WIDTH)).astype("float32") for length in (QUERIES, KEYS))


def refuse(*_: object) -> None:
    raise AssertionError("the other implementation was called")


@pytest.mark.parametrize("name", masks())
def test_outputs_equal_those_of_the_lesson(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson, fused = twins()
    x, context = texts()
    expected = ops.convert_to_numpy(lesson(x, context, masks()[name]))
    monkeypatch.setattr(MultiHeadAttention, "_attend", refuse)
    assert_close(ops.convert_to_numpy(fused(x, context, masks()[name])), expected)


@pytest.mark.parametrize("name", ["none", "padding", "of each query"])
def test_gradients_equal_those_of_the_lesson(name: str) -> None:
    x, context = texts()
    read = np.random.default_rng(9).normal(size=(BATCH, QUERIES, WIDTH)).astype("float32")
    read[-1] = 0.0  # the output for padding is not read
    mask = masks()[name]

    def total(layer: MultiHeadAttention, inputs: object, its_context: object) -> object:
        return ops.sum(ops.multiply(layer(inputs, its_context, mask), read))

    of_inputs = [gradient(lambda y, layer=layer: total(layer, y, context), x) for layer in twins()]
    of_context = [gradient(lambda y, layer=layer: total(layer, x, y), context) for layer in twins()]
    for lesson, fused in (of_inputs, of_context):
        np.testing.assert_allclose(fused, lesson, atol=1e-5 * np.abs(lesson).max())
        assert np.abs(lesson[0]).max() > 0.1


def test_weights_and_dropout_are_the_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson, fused = twins(dropout=0.5)
    x, context = texts()
    monkeypatch.setattr(fused_attention, "fused_attention", refuse)
    for one, other in zip(lesson(x, context, return_weights=True), fused(x, context, return_weights=True), strict=True):
        assert_close(ops.convert_to_numpy(other), ops.convert_to_numpy(one), 1e-6)
    outputs = [ops.convert_to_numpy(fused(x, context, training=True)) for _ in range(2)]
    assert np.abs(outputs[0] - outputs[1]).max() > 0.1
    with pytest.raises(AssertionError):
        fused(x, context, training=False)  # without dropout, the kernel is called again


def test_refuses_a_mask_that_adds() -> None:
    _, fused = twins()
    with pytest.raises(ValueError, match="boolean"):
        fused(*texts(), np.zeros((BATCH, 1, 1, KEYS), "float32"))


def test_fusing_changes_neither_weights_nor_saved_encoder(tmp_path: Path) -> None:
    encoder = BertEncoder(50, num_layers=2, num_heads=2, hidden_dim=12, intermediate_dim=20, max_length=10, dropout=0.0)
    encoder.build((None, None))
    expected = ops.convert_to_numpy(encoder(TOKENS)["sequence_output"])
    fuse_attention(encoder)
    assert {type(block.attention) for block in encoder.blocks} == {FusedAttention}
    assert_close(ops.convert_to_numpy(encoder(TOKENS)["sequence_output"]), expected)
    save_encoder(encoder, tmp_path / "encoder.keras")
    again = keras.saving.load_model(tmp_path / "encoder.keras")
    assert {type(block.attention) for block in again.blocks} == {MultiHeadAttention}
    assert_close(ops.convert_to_numpy(again(TOKENS)["sequence_output"]), expected, 1e-6)


@pytest.mark.parametrize("kernel", [False, True])
def test_a_pretraining_uses_the_kernel_if_there_is_one(kernel: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretraining, "has_kernel", lambda: kernel)
    monkeypatch.setitem(PRESETS, "tiny", MICRO)
    vocabulary = Vocabulary([*SPECIAL_TOKENS, "a", "b", "c"])
    shares = np.arange(len(vocabulary)) >= len(SPECIAL_TOKENS)
    settings = Settings("tiny", max_length=10)
    model = pretraining.make_pretrainer(vocabulary, shares / shares.sum(), settings, 10)
    kind = FusedAttention if kernel else MultiHeadAttention
    assert {type(block.attention) for block in model.encoder.blocks} == {kind}


@pytest.mark.skipif(BACKEND != "jax", reason="only JAX shows what a GPU would run without one")
@pytest.mark.parametrize(
    ("dropout", "length", "kernels"),
    [(0.0, 10, ["fmhaScaleBiasSoftmax", "fmhaScaleBiasSoftmaxBackward"]), (0.1, 10, []), (0.0, 9, [])],
)
def test_a_step_for_a_gpu_calls_the_kernel(
    dropout: float, length: int, kernels: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In training, under a mask over keys, with gradients; JAX compiles it for a GPU that need not exist."""
    import jax
    from jax._src.cudnn import fused_attention_stablehlo as cudnn

    monkeypatch.setattr(cudnn, "check_cudnn_version", lambda: 91000)
    monkeypatch.setattr(cudnn, "check_compute_capability", lambda wanted: True)
    monkeypatch.setattr(cudnn, "is_cuda_compute_capability_equal", lambda asked: False)
    layer = FusedAttention(32, 4, dropout, dtype="mixed_bfloat16")
    layer.build((BATCH, length, 32))
    values = [weight.value for weight in layer.trainable_variables]
    others = [weight.value for weight in layer.non_trainable_variables]

    def loss(values: list, x: object) -> object:
        output, _ = layer.stateless_call(
            values, others, x, attention_mask=padding_mask(TOKENS[:, :length]), training=True
        )
        return ops.sum(ops.cast(output, "float32"))

    x = np.zeros((BATCH, length, 32), "float32")
    for_gpu = jax.jit(jax.grad(loss)).trace(values, x).lower(lowering_platforms=("cuda",)).as_text()
    assert re.findall(r"custom_call @__cudnn\$(\w+)", for_gpu) == kernels
    assert not caplog.records  # Keras logs an error if it cannot use the kernel
