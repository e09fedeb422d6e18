"""Rows of a query and a document, rankers that learn from groups of rows, and towers with a vector for each word."""

from __future__ import annotations

import keras
import numpy as np
import pytest

from course.applications.retrieval.late_interaction import WordVectors
from course.applications.retrieval.preferences import Preferences
from course.applications.retrieval.rankers import (
    Knrm,
    late_interaction_loss,
    pair_rows,
    scores_of_rows,
    train_on_groups,
    train_ranker,
    vectors_of_words,
)
from course.applications.retrieval.training import train_towers
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.given.word_vectors import unit_vectors
from course.ranking import DeTextRanker, kernel_pooling, max_sim
from tests.closeness import assert_close
from tests.course.arrays import array

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghij"]
QUERY_LENGTH, DOCUMENT_LENGTH = 5, 7


def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(Vocabulary(WORDS))


def encoder() -> BertEncoder:
    keras.utils.set_random_seed(3)
    return BertEncoder(len(WORDS), 2, 2, 8, 12, max_length=16, dropout=0.0)


def rows(random: np.random.Generator, groups: int = 12) -> dict[str, np.ndarray]:
    """Groups of three: the first document has the query's words, the others have different ones."""
    letters = list("abcdefghij")
    queries, documents = [], []
    for _ in range(groups):
        own = random.permutation(letters)
        queries += [" ".join(own[:3])] * 3
        documents += [" ".join(random.permutation(own[:5])), " ".join(own[3:7]), " ".join(own[5:9])]
    return pair_rows(tokenizer(), queries, documents, QUERY_LENGTH, DOCUMENT_LENGTH)


def test_documents_have_the_same_positions_after_every_query() -> None:
    given = pair_rows(tokenizer(), ["a b c d e", "a"], ["f g", "h a b c d e f g"], QUERY_LENGTH, DOCUMENT_LENGTH)
    ids = [[WORDS[number] for number in row] for row in given["token_ids"]]
    assert ids[0] == ["[CLS]", "a", "b", "c", "[SEP]", "f", "g", "[SEP]", *["[PAD]"] * 4]
    assert ids[1] == ["[CLS]", "a", "[SEP]", "[PAD]", "[PAD]", *"habcde", "[SEP]"]
    assert given["segment_ids"].tolist() == [[0] * 5 + [1] * 7] * 2
    np.testing.assert_array_equal(given["padding_mask"], given["token_ids"] != 0)


def test_knrm_scores_are_kernels_times_weights(random: np.random.Generator) -> None:
    model, given = Knrm(encoder(), QUERY_LENGTH), rows(random, 2)
    scores = scores_of_rows(model, given, batch_size=4)
    table = array(unit_vectors(model.encoder.embedding.token_embeddings))
    expected = []
    for ids in given["token_ids"]:
        query, document = ([number for number in part if number > 4] for part in np.split(ids, [QUERY_LENGTH]))
        cosines = table[query] @ table[document].T
        masks = np.ones((1, len(query)), bool), np.ones((1, len(document)), bool)
        expected.append(0.01 * array(kernel_pooling(cosines[None], *masks))[0] @ array(model.score_dense.kernel)[:, 0])
    assert_close(scores, expected)


def test_rankers_learn_from_groups(random: np.random.Generator) -> None:
    model, given = Knrm(encoder(), QUERY_LENGTH), rows(random)
    losses = train_ranker(model, given, 3, learning_rate=3e-2, batch_size=4, epochs=6, seed=1)
    assert losses[-1] < losses[0] - 0.02
    assert scores_of_rows(model, given).shape == (36,)


def test_rankers_of_numbers_learn_from_groups(random: np.random.Generator) -> None:
    given = {
        "query": random.normal(size=(36, 5)).astype("float32"),
        "fields": random.normal(size=(36, 2, 5)).astype("float32"),
        "numbers": random.normal(size=(36, 1)).astype("float32"),
    }
    given["numbers"][::3] += 3  # the first of each group is right
    model = DeTextRanker(5, 2, [0.0], [1.0])
    losses = train_on_groups(model, given, 3, learning_rate=3e-2, batch_size=4, epochs=6, seed=1)
    assert losses[-1] < losses[0] - 0.2
    scores = scores_of_rows(model, given, batch_size=10).reshape(12, 3)
    assert (scores.argmax(axis=1) == 0).mean() > 0.8


def test_invalid_groups_are_named(random: np.random.Generator) -> None:
    for group in (5, 1):
        with pytest.raises(ValueError, match=f"36 rows, group={group}"):
            train_ranker(Knrm(encoder(), QUERY_LENGTH), rows(random), group, batch_size=2)
    with pytest.raises(ValueError, match="2 queries and 1 documents"):
        pair_rows(tokenizer(), ["a", "b"], ["c"], 4, 4)


def test_towers_learn_vectors_of_words_without_padding(random: np.random.Generator) -> None:
    towers, letters = WordVectors(encoder()), list("abcdefghij")
    texts = [" ".join(random.permutation(letters)[:4]) for _ in range(16)]
    sides = tokenizer()(texts, max_length=6), tokenizer()([text[::-1] for text in texts], max_length=9)
    losses = train_towers(
        towers, *sides, learning_rate=1e-2, batch_size=8, epochs=5, seed=2, loss=late_interaction_loss
    )
    assert losses[-1] < losses[0]
    vectors = vectors_of_words(towers, sides[0], batch_size=5)
    assert [len(text) for text in vectors] == sides[0]["padding_mask"].sum(axis=1).tolist()
    assert_close(np.linalg.norm(np.concatenate(vectors), axis=1), 1)


def test_late_interaction_loss_is_the_cross_entropy_of_max_sim(random: np.random.Generator) -> None:
    queries, documents = (random.normal(size=(4, length, 6)).astype("float32") for length in (3, 5))
    documents[1, 3:] = 0
    masks = np.ones((4, 3), bool), np.abs(documents).any(axis=-1)
    scores = 5 * array(max_sim(queries, documents, *masks)).astype("float64")
    expected = np.mean(np.logaddexp.reduce(scores, axis=1) - np.diag(scores))
    assert float(late_interaction_loss(queries, documents)) == pytest.approx(expected, abs=1e-4)


def test_preferences_count_their_calls() -> None:
    compare = Preferences([[0.5, 0.9], [0.2, 0.5]])
    assert compare(np.array([0, 1, 0]), np.array([1, 0, 1])).tolist() == [0.9, 0.2, 0.9]
    assert compare.asked().tolist() == [[0, 2], [1, 0]]
    assert compare.most_at_a_time() == 3
    with pytest.raises(ValueError, match=r"probabilities.shape=\(2,\)"):
        Preferences([0.5, 0.5])
