"""Towers and pair classifiers learn; bad input is named."""

from __future__ import annotations

import tracemalloc

import keras
import numpy as np
import pytest

from course.applications.retrieval import headlines, segments, training
from course.encoder import BertEncoder
from course.matching import PairClassifier
from course.training.logits import predict_logits
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.bad_input import Row, parameters, public_names

SIZES = {"num_layers": 1, "num_heads": 2, "hidden_dim": 16, "intermediate_dim": 24, "max_length": 12, "dropout": 0.0}


def encoder(num_segments: int = 2) -> BertEncoder:
    return BertEncoder(31, num_segments=num_segments, **SIZES)


def inputs(token_ids: np.ndarray) -> dict[str, np.ndarray]:
    token_ids = token_ids.astype("int32")
    return {
        "token_ids": token_ids,
        "segment_ids": np.zeros_like(token_ids),
        "padding_mask": token_ids > 0,
    }


def texts(random: np.random.Generator, count: int = 24) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return queries of three words, and documents with these words in another order and two others."""
    words = np.stack([random.permutation(np.arange(5, 31))[:3] for _ in range(count)])
    documents = np.concatenate([words[:, ::-1], random.integers(1, 5, (count, 2)), np.zeros((count, 4), int)], axis=1)
    return inputs(np.concatenate([words, np.zeros((count, 1), int)], axis=1)), inputs(documents)


def test_towers_learn_to_find_each_querys_document(random: np.random.Generator) -> None:
    keras.utils.set_random_seed(4)
    towers, (queries, documents) = training.Towers(encoder()), texts(random)
    losses = training.train_towers(towers, queries, documents, epochs=12, batch_size=8, learning_rate=5e-3, seed=2)
    assert losses[-1] < losses[0] / 2
    cosines = training.vectors_of(towers, queries) @ training.vectors_of(towers, documents).T
    assert (cosines.argmax(axis=1) == np.arange(24)).mean() > 0.8
    assert towers.encoder.pooler.trainable


def test_a_vector_is_the_mean_over_words_without_padding(random: np.random.Generator) -> None:
    keras.utils.set_random_seed(4)
    towers, (_, documents) = training.Towers(encoder()), texts(random, 3)
    found = training.vectors_of(towers, documents)
    words = {name: values[:, :5] for name, values in documents.items()}
    means = array(towers.encoder(words["token_ids"])["sequence_output"]).mean(axis=1)
    assert_close(found, means / np.linalg.norm(means, axis=1, keepdims=True))


def test_texts_without_words_have_finite_vectors() -> None:
    towers = training.Towers(encoder())
    nothing = inputs(np.zeros((2, 4), int))
    assert np.isfinite(array(towers(nothing))).all()


def test_pair_classifiers_learn(random: np.random.Generator) -> None:
    keras.utils.set_random_seed(4)
    token_ids = random.integers(5, 31, (40, 6))
    labels = (token_ids[:, 2] > 17).astype("int32")
    model = PairClassifier(encoder(), dropout=0.0)
    losses = training.train_pairs(model, inputs(token_ids), labels, epochs=15, batch_size=8, learning_rate=5e-3)
    assert losses[-1] < losses[0] / 2
    assert ((predict_logits(model, inputs(token_ids)) > 0) == labels).mean() > 0.8


def test_one_long_text_does_not_make_the_others_long() -> None:
    documents = ["word " * 20_000, *(str(number % 100) for number in range(300))]
    tracemalloc.start()
    try:
        queries, numbers = training.text_numbers(["q"] * len(documents), documents)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    assert len(set(queries)) == 1
    assert len(set(numbers)) == len(set(documents))
    assert (numbers[1:101] == numbers[101:201]).all()


def test_the_symmetric_score_does_not_depend_on_the_order(random: np.random.Generator) -> None:
    keras.utils.set_random_seed(4)
    model, (given, turned) = PairClassifier(encoder()), (inputs(random.integers(5, 31, (5, 6))) for _ in range(2))
    scores = training.symmetric_score(model, given, turned)
    assert_close(scores, training.symmetric_score(model, turned, given), 1e-6)
    assert_close(scores, (predict_logits(model, given) + predict_logits(model, turned)) / 2, 1e-6)
    assert np.abs(scores - predict_logits(model, given)).max() > 1e-4


def test_more_segments_keep_the_outputs_for_old_ones(random: np.random.Generator) -> None:
    keras.utils.set_random_seed(4)
    narrow = encoder()
    narrow.build((None, None))
    wide = segments.with_segments(narrow, 4)
    ids, old = random.integers(1, 31, (2, 7)), np.array([[0] * 3 + [1] * 4] * 2)
    np.testing.assert_array_equal(*(array(model(ids, old)["sequence_output"]) for model in (narrow, wide)))
    np.testing.assert_array_equal(*(array(wide(ids, np.where(old > 0, last, 0))["sequence_output"]) for last in (1, 3)))
    assert narrow.num_segments == 2


GIVEN = inputs(np.ones((4, 3), int))
UNKNOWN = inputs(np.full((4, 3), 31))


BAD: list[Row] = [
    ("with_segments", lambda: segments.with_segments(encoder(), 1), "Received: 1, and the encoder has 2"),
    ("with_segments", lambda: segments.with_segments(encoder(), 2.5), "num_segments=2.5"),
    ("tfidf_scores", lambda: headlines.tfidf_scores([], ["a"]), "0 queries and 1 documents"),
    ("tfidf_scores", lambda: headlines.tfidf_scores(["is it"], ["", ""]), "empty vocabulary"),
    ("hard_pairs", lambda: headlines.hard_pairs(np.zeros((3, 3)), 3), "negatives=3"),
    ("hard_pairs", lambda: headlines.hard_pairs(np.zeros((3, 2)), 1), r"\(3, 2\)"),
    ("hard_pairs", lambda: headlines.hard_pairs(np.zeros((3, 3)), 0), "negatives=0"),
    ("drawn_pairs", lambda: headlines.drawn_pairs(np.array([0, 0, 1]), [1, 1]), r"\[2, 1\] documents"),
    ("drawn_pairs", lambda: headlines.drawn_pairs(np.array([0, 0, 2]), [1, 1]), r"negatives=\[1, 1\]"),
    ("train_towers", lambda: training.train_towers(training.Towers(encoder()), GIVEN, GIVEN), "4 queries.*size=32"),
    (
        "train_towers",
        lambda: training.train_towers(training.Towers(encoder()), GIVEN, inputs(np.ones((5, 3), int)), batch_size=2),
        "4 queries, 5 documents",
    ),
    ("vectors_of", lambda: training.vectors_of(training.Towers(encoder()), inputs(np.ones((0, 3), int))), ""),
    ("train_pairs", lambda: training.train_pairs(PairClassifier(encoder()), GIVEN, np.array([0, 1, 2, 0])), "0 or 1"),
    ("train_pairs", lambda: training.train_pairs(PairClassifier(encoder()), GIVEN, np.array([0, 1])), r"\(2,\) for 4"),
    (
        "symmetric_score",
        lambda: training.symmetric_score(PairClassifier(encoder()), GIVEN, inputs(np.ones((3, 2), int))),
        "4 and 3 pairs",
    ),
    ("train_pairs", lambda: training.train_pairs(PairClassifier(encoder()), GIVEN, np.zeros(4), seed=-1), "seed=-1"),
    ("train_pairs", lambda: training.train_pairs(PairClassifier(encoder()), UNKNOWN, np.zeros(4)), "from 0 to 30.*31"),
    ("vectors_of", lambda: training.vectors_of(training.Towers(encoder()), UNKNOWN), "from 0 to 30.*31"),
    (
        "train_towers",
        lambda: training.train_towers(training.Towers(encoder()), GIVEN, UNKNOWN, batch_size=2),
        "from 0 to 30.*31",
    ),
    (
        "symmetric_score",
        lambda: training.symmetric_score(PairClassifier(encoder()), GIVEN, UNKNOWN),
        "from 0 to 30.*31",
    ),
]
# They take no input that could be wrong, or are tested below.
WITHOUT = {"Pairs", "names_in", "graded_gains", "Towers", "answered", "text_numbers"}


@pytest.mark.parametrize(("call", "message"), parameters(BAD))
def test_bad_input_is_named(call, message) -> None:
    with pytest.raises(ValueError, match=f"(?s){message}"):
        call()


def test_arguments_that_are_not_models_raise_a_type_error() -> None:
    with pytest.raises(TypeError, match="encoder must be a Model"):
        training.Towers("bert")
    with pytest.raises(TypeError, match="towers must be a Towers"):
        training.train_towers(encoder(), GIVEN, GIVEN)
    with pytest.raises(TypeError, match="model must be a Model"):
        training.train_pairs("bert", GIVEN, np.zeros(4))
    with pytest.raises(TypeError, match="encoder must be a Model"):
        segments.with_segments("bert", 3)


def test_every_public_function_has_a_row() -> None:
    assert public_names([headlines, segments, training]) == {row[0] for row in BAD} | WITHOUT
