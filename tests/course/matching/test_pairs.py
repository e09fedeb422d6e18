"""Rows of several texts, and the model that reads them, which agrees with Hugging Face's on the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from course.encoder import BertEncoder
from course.matching import PairClassifier, pack_texts
from course.tokenization import pack_pair
from course.weights import load_hugging_face
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.hugging_face import HIDDEN_DIM, VOCABULARY_SIZE, outputs_of, published

LENGTH = 9
IDS = {"cls_id": 2, "sep_id": 3}


def test_three_texts_are_packed_into_a_row() -> None:
    row = pack_texts([[7, 8], [], [9, 9, 6]], 11, **IDS, padding_id=1)
    assert row["token_ids"].tolist() == [2, 7, 8, 3, 3, 9, 9, 6, 3, 1, 1]
    assert row["segment_ids"].tolist() == [0, 0, 0, 0, 1, 2, 2, 2, 2, 0, 0]
    assert row["padding_mask"].tolist() == [True] * 9 + [False] * 2
    assert [row[name].dtype for name in row] == ["int32", "int32", "bool"]


@given(st.lists(st.lists(st.integers(5, 9), max_size=6), min_size=1, max_size=4), st.integers(5, 20))
def test_the_last_texts_are_cut_first(texts: list[list[int]], max_length: int) -> None:
    row = pack_texts(texts, max_length, **IDS)
    ids, segments = row["token_ids"], row["segment_ids"]
    kept = [ids[(segments == number) & row["padding_mask"]][:-1].tolist() for number in range(len(texts))]
    kept[0] = kept[0][1:]  # [CLS]
    assert all(text[: len(some)] == some for text, some in zip(texts, kept, strict=True))
    cut = [number for number, some in enumerate(kept) if len(some) < len(texts[number])]
    if cut:
        assert row["padding_mask"].all()
        assert not any(kept[cut[0] + 1 :])  # texts after the first cut one are empty
    assert (ids == IDS["sep_id"]).sum() == len(texts)


def test_one_or_two_texts_that_fit_are_packed_as_in_chapter_1() -> None:
    for texts in ([[7, 8]], [[7, 8], [9]]):
        expected = pack_pair(texts[0], texts[1] if len(texts) > 1 else None, 10, **IDS)
        for name, values in pack_texts(texts, 10, **IDS).items():
            np.testing.assert_array_equal(values, expected[name])


def classifier(dropout: float = 0.0, segments: int = 3) -> PairClassifier:
    keras.utils.set_random_seed(3)
    sizes = (VOCABULARY_SIZE, 1, 3, HIDDEN_DIM, 20)
    encoder = BertEncoder(*sizes, max_length=LENGTH, num_segments=segments, dropout=0.0, name="encoder")
    return PairClassifier(encoder, dropout)


def inputs(random: np.random.Generator, lengths: tuple[int, ...] = (9, 4), segments: int = 3) -> dict[str, Any]:
    shape = (len(lengths), LENGTH)
    return {
        "token_ids": random.integers(1, VOCABULARY_SIZE, shape, dtype="int32"),
        "segment_ids": np.sort(random.integers(0, segments, shape, dtype="int32"), axis=1),
        "padding_mask": np.arange(LENGTH) < np.array(lengths)[:, None],
    }


def test_logits_agree_with_hugging_face(tmp_path: Path, random: np.random.Generator) -> None:
    options = {"max_position_embeddings": LENGTH, "type_vocab_size": 3, "num_labels": 1}
    theirs = published(tmp_path, "BertForSequenceClassification", **options)
    ours = PairClassifier(load_hugging_face(tmp_path), dropout=0.0)
    ours.build({"token_ids": (None, None)})
    ours.logit_dense.set_weights([theirs.classifier.weight.detach().numpy().T, theirs.classifier.bias.detach().numpy()])
    given = inputs(random)
    expected = outputs_of(theirs, **given).logits.numpy()
    np.testing.assert_allclose(array(ours(given)), expected[:, 0], atol=1e-4, rtol=1e-4)


def test_other_rows_and_padding_do_not_matter(random: np.random.Generator) -> None:
    model, given = classifier(), inputs(random, (4, 9))
    alone = {name: values[:1, :4] for name, values in given.items()}
    assert_close(array(model(given))[:1], array(model(alone)))


def test_logits_depend_on_the_segments(random: np.random.Generator) -> None:
    model, given = classifier(), inputs(random)
    merged = {**given, "segment_ids": np.minimum(given["segment_ids"], 1)}
    assert np.abs(array(model(given)) - array(model(merged))).max() > 1e-3


def test_dropout_acts_only_in_training(random: np.random.Generator) -> None:
    model, given = classifier(dropout=0.5), inputs(random)
    quiet, training = array(model(given)), array(model(given, training=True))
    np.testing.assert_array_equal(quiet, array(model(given, training=False)))
    assert np.abs(quiet - training).max() > 1e-3


def test_learns_and_loads_unchanged(tmp_path: Path, random: np.random.Generator) -> None:
    model, given = classifier(dropout=0.1), inputs(random)
    model.build({"token_ids": (None, None)})
    model.compile(keras.optimizers.Adam(1e-2), keras.losses.BinaryCrossentropy(from_logits=True))
    losses = [float(model.train_on_batch(given, np.array([1.0, 0.0]))) for _ in range(8)]
    assert losses[-1] < losses[0] / 2
    model.save(tmp_path / "matcher.keras")
    loaded = keras.saving.load_model(tmp_path / "matcher.keras")
    assert isinstance(loaded, PairClassifier)
    assert_close(array(loaded(given)), array(model(given)))
