"""The last block computed for some places alone gives the same outputs and the same training, with less work."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from course.attention import padding_mask
from course.classification import TextClassifier
from course.encoder import BertEncoder, EncoderBlock
from course.given.encoding import encode
from course.given.packed import document_mask
from course.given.positioned_encoder import PositionedEncoder
from course.masked_lm import mask_tokens, masked_positions
from course.matching import PairClassifier
from course.pretraining import BertPretrainer
from course.training.fused_attention import fuse_attention
from course.training.last_block import first_token_alone, states_at
from course.training.logits import predict_logits
from course.training.mean_pooling import AveragingClassifier
from course.training.objective_models import FastPretrainer, MaskedWordPretrainer
from tests.closeness import assert_close
from tests.course.gradients import gradient
from tests.course.training.tiny_classifier import uncompiled

ROWS, LENGTH, WORDS, WIDTH, INSIDE = 5, 14, 40, 12, 20
SPECIAL_IDS, MASK_ID = (0, 1, 2, 3, 4), 4
PROBABILITIES = np.where(np.arange(WORDS) < len(SPECIAL_IDS), 0.0, 1 / (WORDS - len(SPECIAL_IDS)))
OPTIONS: dict[str, Any] = {"rate": 0.25, "seed": 3}


def encoder_of(kind: Callable[..., BertEncoder] = BertEncoder, **options: Any) -> BertEncoder:
    """Three blocks, with weights large enough that tokens differ."""
    encoder = kind(WORDS, 3, 3, WIDTH, INSIDE, max_length=16, dropout=0.0, **options)
    encoder.build((None, None))
    random = np.random.default_rng(1)
    encoder.set_weights([weight + random.normal(0, 0.3, weight.shape) for weight in encoder.get_weights()])
    return encoder


def rows() -> dict[str, np.ndarray]:
    """Texts of several lengths, [CLS] first, in two segments."""
    random = np.random.default_rng(7)
    lengths = np.array([14, 3, 9, 14, 6])
    token_ids = random.integers(5, WORDS, (ROWS, LENGTH))
    token_ids[:, 0] = 2
    token_ids = np.where(np.arange(LENGTH) < lengths[:, None], token_ids, 0).astype("int32")
    return {"token_ids": token_ids, "segment_ids": (np.arange(LENGTH) > lengths[:, None] // 2).astype("int32")}


def documents() -> np.ndarray:
    """Two documents in each row of the same ids, and padding after them."""
    return np.where(rows()["token_ids"] == 0, 0, np.where(np.arange(LENGTH) < 5, 1, 2)).astype("int32")


def widths_of_the_last_network(encoder: BertEncoder, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that records how many tokens of a row each call of the last feed-forward network gets."""
    seen: list[int] = []
    network = encoder.blocks[-1].feed_forward
    whole = network.call
    monkeypatch.setattr(network, "call", lambda x: (seen.append(x.shape[1]), whole(x))[1])
    return seen


@pytest.mark.parametrize("mask", ["of padding", "of documents"])
@pytest.mark.parametrize("prepare", [None, fuse_attention], ids=["lesson", "fused"])
def test_outputs_equal_those_of_the_whole_encoder(
    mask: str, prepare: Callable[[BertEncoder], None] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, inputs = encoder_of(), rows()
    of_documents = documents() if mask == "of documents" else None
    whole = ops.convert_to_numpy(encode(encoder, **inputs, document_ids=of_documents)["sequence_output"])
    if prepare:
        prepare(encoder)
    seen = widths_of_the_last_network(encoder, monkeypatch)
    places = np.array([[0, 5, 2, 2], [0, 1, 0, 2], [8, 0, 3, 1], [13, 0, 12, 7], [5, 4, 3, 2]], "int32")
    attention_mask = padding_mask(inputs["token_ids"]) if of_documents is None else document_mask(of_documents)
    embedded = encoder.embedding(**inputs)
    states = ops.convert_to_numpy(states_at(encoder, embedded, attention_mask, ops.convert_to_tensor(places)))
    assert_close(states, np.take_along_axis(whole, places[:, :, None], axis=1))
    assert seen == [4]


def test_gradients_equal_those_of_the_whole_encoder() -> None:
    encoder, inputs = encoder_of(), rows()
    places = np.array([[0, 5], [0, 1], [8, 0], [13, 2], [5, 4]], "int32")
    read = ops.convert_to_tensor(np.random.default_rng(3).normal(size=(ROWS, 2, WIDTH)).astype("float32"))
    mask = padding_mask(inputs["token_ids"])
    embedded = ops.convert_to_numpy(encoder.embedding(**inputs))

    def asked(x: Any) -> Any:
        return ops.sum(read * states_at(encoder, x, mask, ops.convert_to_tensor(places)))

    def whole(x: Any) -> Any:
        for block in encoder.blocks:
            x = block(x, attention_mask=mask)
        return ops.sum(read * ops.take_along_axis(x, ops.convert_to_tensor(places)[:, :, None], axis=1))

    assert_close(gradient(asked, embedded), gradient(whole, embedded))


@pytest.mark.parametrize("positions", ["rope", "alibi", "none"])
def test_attention_with_positions_computes_all_places(positions: str) -> None:
    encoder, inputs = encoder_of(PositionedEncoder, positions=positions), rows()
    whole = ops.convert_to_numpy(encoder(**inputs)["sequence_output"])
    places = np.array([[0, 5], [0, 1], [8, 0], [13, 2], [5, 4]], "int32")
    embedded = encoder.embedding(**inputs)
    states = states_at(encoder, embedded, padding_mask(inputs["token_ids"]), ops.convert_to_tensor(places))
    assert_close(ops.convert_to_numpy(states), np.take_along_axis(whole, places[:, :, None], axis=1))


def step_of(model: keras.Model, *examples: Any) -> list[np.ndarray]:
    """Return the change of each weight in one step."""
    before = [ops.convert_to_numpy(weight) for weight in model.trainable_variables]
    with uncompiled():
        model.train_on_batch(*examples)
    return [ops.convert_to_numpy(weight) - old for weight, old in zip(model.trainable_variables, before, strict=True)]


@pytest.mark.parametrize("told", ["by ids", "by a mask"])
def test_pairs_are_learned_as_in_the_lesson(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs, labels = rows(), np.array([0, 1, 1, 0, 1], "int32")
    if told == "by a mask":  # hides one more token of each text
        inputs["padding_mask"] = (inputs["token_ids"] != 0) & (np.arange(LENGTH) != 2)
    answers, steps = [], []
    for kind in (BertPretrainer, FastPretrainer):
        keras.utils.set_random_seed(11)
        model = kind(encoder_of(), PROBABILITIES, MASK_ID, SPECIAL_IDS, **OPTIONS)
        answers.append({name: ops.convert_to_numpy(output) for name, output in model(inputs).items()})
        seen = widths_of_the_last_network(model.encoder, monkeypatch)
        model.compile(keras.optimizers.SGD(0.5))
        steps.append(step_of(model, inputs, labels))
    assert seen == [1 + answers[0]["words"].shape[1]]
    for name, expected in answers[0].items():
        assert_close(answers[1][name], expected)
    for weight, ours, lesson in zip(model.trainable_variables, steps[1], steps[0], strict=True):
        assert_close(ours, lesson)
        # The same addition to all keys does not change the softmax.
        assert np.abs(lesson).max() > 1e-4 or weight.path.endswith("key/bias")


def test_words_in_packed_rows_are_predicted_as_by_the_whole_encoder() -> None:
    encoder, inputs, of_documents = encoder_of(), rows(), documents()
    model = MaskedWordPretrainer(encoder, PROBABILITIES, MASK_ID, SPECIAL_IDS, **OPTIONS)
    masked_ids, selected = mask_tokens(inputs["token_ids"], PROBABILITIES, MASK_ID, SPECIAL_IDS, **OPTIONS)
    positions, weights = masked_positions(selected, OPTIONS["rate"])
    whole = encode(encoder, masked_ids, document_ids=of_documents)["sequence_output"]
    outputs = model({"token_ids": inputs["token_ids"], "document_ids": of_documents})
    expected = model.masked_lm_head(whole, encoder.embedding.token_embeddings, positions)
    assert_close(ops.convert_to_numpy(outputs["word_logits"]), ops.convert_to_numpy(expected))
    np.testing.assert_array_equal(ops.convert_to_numpy(outputs["word_weights"]), ops.convert_to_numpy(weights))


@pytest.mark.parametrize("kind", [TextClassifier, PairClassifier])
def test_a_classifier_predicts_the_same_from_the_first_token_alone(
    kind: Callable[..., keras.Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = kind(encoder_of(), 3, dropout=0.0) if kind is TextClassifier else kind(encoder_of(), dropout=0.0)
    model.build({"token_ids": (None, None)})
    inputs = {**rows(), "padding_mask": rows()["token_ids"] != 0}
    whole = ops.convert_to_numpy(model(inputs))
    seen = widths_of_the_last_network(model.encoder, monkeypatch)
    with first_token_alone(model):
        assert_close(ops.convert_to_numpy(model(inputs)), whole)
    assert seen == [1]
    assert_close(predict_logits(model, inputs), whole)
    assert type(model.encoder.blocks[-1]) is EncoderBlock
    assert model.encoder(**rows())["sequence_output"].shape == (ROWS, LENGTH, WIDTH)


def test_a_classifier_learns_the_same_from_the_first_token_alone() -> None:
    steps = []
    for context in (contextlib.nullcontext, first_token_alone):
        keras.utils.set_random_seed(13)
        model = TextClassifier(encoder_of(), 3, dropout=0.0)
        model.build({"token_ids": (None, None)})
        model.compile(keras.optimizers.SGD(0.5), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        with context(model):
            steps.append(step_of(model, rows(), np.array([0, 2, 1, 1, 2])))
    for whole, asked in zip(*steps, strict=True):
        assert_close(asked, whole)


def test_after_an_error_the_block_is_the_lessons_again() -> None:
    model = TextClassifier(encoder_of(), 3)
    with pytest.raises(KeyError), first_token_alone(model):
        assert type(model.encoder.blocks[-1]) is not EncoderBlock
        raise KeyError
    assert type(model.encoder.blocks[-1]) is EncoderBlock


def test_models_that_read_every_token_get_every_token(monkeypatch: pytest.MonkeyPatch) -> None:
    positioned = encoder_of(PositionedEncoder, positions="rope")
    for model in (AveragingClassifier(encoder_of(), 3), TextClassifier(positioned, 3)):
        model.build({"token_ids": (None, None)})
        whole = ops.convert_to_numpy(model(rows()))
        seen = widths_of_the_last_network(model.encoder, monkeypatch)
        with first_token_alone(model):
            assert_close(ops.convert_to_numpy(model(rows())), whole)
        assert seen == [LENGTH]
