"""MaxSim agrees with loops and PyTorch; the search scores only candidates, and agrees with a full search."""

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


def test_max_sim_agrees_with_pytorch_word_by_word(random: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    queries, documents = vectors(random)
    found = array(max_sim(queries, documents, QUERY_MASK, DOCUMENT_MASK))
    assert found.shape == (2, 3)
    for query, document in np.ndindex(found.shape):
        ours, theirs = (
            torch.tensor(queries[query][QUERY_MASK[query]]),
            torch.tensor(documents[document][DOCUMENT_MASK[document]]),
        )
        cosines = torch.nn.functional.cosine_similarity(ours[:, None], theirs[None], dim=-1)
        assert found[query, document] == pytest.approx(float(cosines.max(dim=1).values.sum()), abs=1e-5)


def test_padding_never_wins_even_if_all_cosines_are_negative() -> None:
    query, document = np.ones((1, 3, WIDTH), "float32"), -np.ones((1, 4, WIDTH), "float32")
    mask = np.array([[True, True, False, False]])
    for padding in (0.0, 1.0):  # zero vectors, whose cosine is 0; and vectors that would be the best
        document[0, 2:] = padding
        found = array(max_sim(query, document, np.ones((1, 3), bool), mask))
        assert_close(found, [[-3]])


def test_documents_without_words_score_worst(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    mask = DOCUMENT_MASK.copy()
    mask[1] = False
    found = array(max_sim(queries, documents, QUERY_MASK, mask))
    np.testing.assert_array_equal(found[:, 1], [-4, -2])
    assert (found[:, 1:2] <= found).all()


def test_scores_do_not_depend_on_chunks(random: np.random.Generator) -> None:
    queries, documents = vectors(random)
    at_once = array(max_sim(queries, documents, QUERY_MASK, DOCUMENT_MASK))
    for place in range(3):
        chunk = max_sim(queries, documents[place : place + 1], QUERY_MASK, DOCUMENT_MASK[place : place + 1])
        assert_close(array(chunk), at_once[:, place : place + 1], 1e-6)


def test_float16_gives_float32_and_zero_vectors_no_nan(random: np.random.Generator) -> None:
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


def test_stacked_pads_and_masks_vectors(random: np.random.Generator) -> None:
    documents = texts(random)
    rows, mask = stacked(documents)
    assert (rows.shape, mask.sum(axis=1).tolist()) == ((5, 5, WIDTH), [3, 0, 5, 2, 4])
    for document, row, words in zip(documents, rows, mask, strict=True):
        np.testing.assert_array_equal(row[words], document)
        assert not row[~words].any()
    assert stacked([np.zeros((0, WIDTH))])[0].shape == (1, 1, WIDTH)


def test_nearest_vectors_agree_with_scikit_learn(random: np.random.Generator) -> None:
    neighbors = pytest.importorskip("sklearn.neighbors")
    indexed, queries = random.normal(size=(40, WIDTH)), random.normal(size=(6, WIDTH))
    expected = neighbors.NearestNeighbors(metric="cosine").fit(indexed).kneighbors(queries, 7, return_distance=False)
    np.testing.assert_array_equal(ExactVectors(indexed).nearest(queries, 7), expected)
    assert_close(np.linalg.norm(array(unit_vectors(indexed)), axis=1), 1, 1e-6)
    with pytest.raises(ValueError, match=r"at most 40.*Received: 41"):
        ExactVectors(indexed).nearest(queries, 41)


@given(st.integers(1, 4), st.integers(1, 12), st.integers(0, 99))
def test_search_with_all_candidates_agrees_with_max_sim(words: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    documents, query = texts(random), random.normal(size=(words, WIDTH)).astype("float32")
    owners = owners_of(documents)
    found, scores = late_interaction_search(query, ExactVectors(np.concatenate(documents)), owners, documents, 99, k)
    rows, mask = stacked(documents)
    everything = array(max_sim(query[None], rows, np.ones((1, words), bool), mask))[0]
    expected = [number for number in np.argsort(-everything, kind="stable") if len(documents[number])][:k]
    assert found.tolist() == expected
    assert_close(scores, everything[expected])


def test_candidates_of_one_word_are_scored_by_all_words(random: np.random.Generator) -> None:
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


def test_ties_keep_the_order_of_the_documents(random: np.random.Generator) -> None:
    query, other = texts(random, (2, 3))
    documents = [other, query, query, query]
    found, scores = late_interaction_search(
        query, ExactVectors(np.concatenate(documents)), owners_of(documents), documents, 99, 4
    )
    assert found.tolist() == [1, 2, 3, 0]
    assert scores[0] == scores[2]
