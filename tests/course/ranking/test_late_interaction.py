"""One maximum for each word of the query, beside loops and PyTorch; and a search that scores only what may be best."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keras import ops

from course.given.word_vectors import ExactVectors, stacked, unit_vectors
from course.ranking import late_interaction_search, max_sim
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.gradients import gradient

WIDTH = 5
QUERY_MASK = np.arange(4) < np.array([[4], [2]])
DOCUMENT_MASK = np.arange(6) < np.array([[3], [6], [1]])


def vectors(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    query, document = random.normal(size=(2, 4, WIDTH)), 3 * random.normal(size=(3, 6, WIDTH))
    return query.astype("float32"), document.astype("float32")


def test_it_is_what_pytorch_says_word_by_word(random: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    queries, documents = vectors(random)
    found = array(max_sim(queries, documents, QUERY_MASK, DOCUMENT_MASK))
    assert found.shape == (2, 3)
    for query, document in np.ndindex(found.shape):
        one, other = (
            torch.tensor(queries[query][QUERY_MASK[query]]),
            torch.tensor(documents[document][DOCUMENT_MASK[document]]),
        )
        cosines = torch.nn.functional.cosine_similarity(one[:, None], other[None], dim=-1)
        assert found[query, document] == pytest.approx(float(cosines.max(dim=1).values.sum()), abs=1e-5)


def test_padding_never_wins_where_all_cosines_are_negative() -> None:
    query, document = np.ones((1, 3, WIDTH), "float32"), -np.ones((1, 4, WIDTH), "float32")
    mask = np.array([[True, True, False, False]])
    for padding in (0.0, 1.0):  # vectors of zeros, whose cosine is 0; and such that would be the best
        document[0, 2:] = padding
        found = array(max_sim(query, document, np.ones((1, 3), bool), mask))
        assert_close(found, [[-3]])


def test_a_document_without_a_word_is_the_worst(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    mask = DOCUMENT_MASK.copy()
    mask[1] = False
    found = array(max_sim(queries, documents, QUERY_MASK, mask))
    np.testing.assert_array_equal(found[:, 1], [-4, -2])
    assert (found[:, 1:2] <= found).all()


def test_all_pairs_at_once_are_those_in_chunks(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    at_once = array(max_sim(queries, documents, QUERY_MASK, DOCUMENT_MASK))
    for place in range(3):
        chunk = max_sim(queries, documents[place : place + 1], QUERY_MASK, DOCUMENT_MASK[place : place + 1])
        assert_close(array(chunk), at_once[:, place : place + 1], 1e-6)


def test_halves_become_float32_and_zeros_no_nan(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    half = max_sim((99 * queries).astype("float16"), documents.astype("float16"), QUERY_MASK, DOCUMENT_MASK)
    assert keras.backend.standardize_dtype(half.dtype) == "float32"
    np.testing.assert_allclose(array(half), array(max_sim(queries, documents, QUERY_MASK, DOCUMENT_MASK)), atol=5e-3)
    queries[:, 1] = 0
    found = gradient(lambda x: ops.sum(max_sim(x, documents, QUERY_MASK, DOCUMENT_MASK)), queries)
    assert np.isfinite(found).all()
    assert (np.abs(found).max(axis=-1)[QUERY_MASK][[0, 2, 3, 4]] > 1e-4).all()


def texts(random: np.random.Generator, lengths: tuple[int, ...] = (3, 0, 5, 2, 4)) -> list[np.ndarray]:
    return [random.normal(size=(length, WIDTH)).astype("float32") for length in lengths]


def owners_of(documents: list[np.ndarray]) -> np.ndarray:
    return np.repeat(np.arange(len(documents)), [len(document) for document in documents])


def test_stacked_vectors_and_their_mask(random: np.random.Generator) -> None:
    documents = texts(random)
    found, mask = stacked(documents)
    assert (found.shape, mask.sum(axis=1).tolist()) == ((5, 5, WIDTH), [3, 0, 5, 2, 4])
    for document, row, words in zip(documents, found, mask, strict=True):
        np.testing.assert_array_equal(row[words], document)
        assert not row[~words].any()
    assert stacked([np.zeros((0, WIDTH))])[0].shape == (1, 1, WIDTH)


def test_the_nearest_vectors_are_those_of_scikit_learn(random: np.random.Generator) -> None:
    neighbors = pytest.importorskip("sklearn.neighbors")
    kept, asked = random.normal(size=(40, WIDTH)), random.normal(size=(6, WIDTH))
    wanted = neighbors.NearestNeighbors(metric="cosine").fit(kept).kneighbors(asked, 7, return_distance=False)
    np.testing.assert_array_equal(ExactVectors(kept).nearest(asked, 7), wanted)
    assert_close(np.linalg.norm(array(unit_vectors(kept)), axis=1), 1, 1e-6)


@given(st.integers(1, 4), st.integers(1, 12), st.integers(0, 99))
def test_if_each_word_asks_for_all_it_is_the_search_through_all(words: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    documents, query = texts(random), random.normal(size=(words, WIDTH)).astype("float32")
    owners = owners_of(documents)
    found, scores = late_interaction_search(query, ExactVectors(np.concatenate(documents)), owners, documents, 99, k)
    kept, mask = stacked(documents)
    everything = array(max_sim(query[None], kept, np.ones((1, words), bool), mask))[0]
    wanted = [number for number in np.argsort(-everything, kind="stable") if len(documents[number])][:k]
    assert found.tolist() == wanted
    assert_close(scores, everything[wanted])


def test_a_document_that_one_word_found_is_scored_by_all(random: np.random.Generator) -> None:
    documents, query = texts(random), random.normal(size=(2, WIDTH)).astype("float32")
    owners = owners_of(documents)
    index = ExactVectors(np.concatenate(documents))
    found, scores = late_interaction_search(query, index, owners, documents, per_token=1, k=9)
    candidates = set(owners[index.nearest(query, 1)].ravel().tolist())
    assert set(found.tolist()) == candidates
    assert len(found) == len(candidates)
    for number, score in zip(found, scores, strict=True):
        words = np.ones((1, 2), bool), np.ones((1, len(documents[number])), bool)
        assert score == pytest.approx(
            float(array(max_sim(query[None], documents[number][None], *words))[0, 0]), abs=1e-5
        )


def test_equal_documents_come_in_the_order_of_their_numbers(random: np.random.Generator) -> None:
    one, other = texts(random, (2, 3))
    documents = [other, one, one, one]
    found, scores = late_interaction_search(
        one, ExactVectors(np.concatenate(documents)), owners_of(documents), documents, 99, 4
    )
    assert found.tolist() == [1, 2, 3, 0]
    assert scores[0] == scores[2]
