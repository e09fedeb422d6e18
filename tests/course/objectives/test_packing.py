"""Packed rows lose nothing, and documents that share one do not see each other."""

from __future__ import annotations

import itertools

import keras
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keras import ops

from course.encoder import BertEncoder
from course.given.encoding import encode
from course.given.packed import document_mask
from course.objectives import pack_documents
from tests.closeness import assert_close
from tests.course.arrays import array

CLS, SEP = 1, 2

sentences = st.lists(st.integers(10, 99), max_size=9)
all_documents = st.lists(st.lists(sentences, max_size=5), min_size=1, max_size=7).filter(
    lambda documents: any(sentence for document in documents for sentence in document)
)


class TestPackDocuments:
    def test_agrees_with_an_example_by_hand(self) -> None:
        """Rows of seven: the second document needs four places but two are left; the fourth is split between rows."""
        documents = [[[10, 11], [12]], [[13, 14, 15]], [], [[16], [], [17]]]
        token_ids, document_ids = pack_documents(documents, 7, CLS, SEP, padding_id=5)
        assert token_ids.tolist() == [[1, 10, 11, 12, 2, 5, 5], [1, 13, 14, 15, 2, 16, 2], [1, 17, 2, 5, 5, 5, 5]]
        assert document_ids.tolist() == [[1, 1, 1, 1, 1, 0, 0], [2, 2, 2, 2, 2, 4, 4], [4, 4, 4, 0, 0, 0, 0]]
        assert token_ids.dtype == document_ids.dtype == np.int32

    def test_a_document_begins_where_the_last_one_ends(self) -> None:
        token_ids, document_ids = pack_documents([[[10], [11]], [[12]], [[13, 14]]], 8, CLS, SEP)
        assert token_ids.tolist() == [[1, 10, 11, 2, 12, 2, 0, 0], [1, 13, 14, 2, 0, 0, 0, 0]]
        assert document_ids.tolist() == [[1, 1, 1, 1, 2, 2, 0, 0], [3, 3, 3, 3, 0, 0, 0, 0]]

    def test_a_sentence_longer_than_a_row_is_split(self) -> None:
        token_ids, _ = pack_documents([[[9], list(range(10, 18)), [18]]], 5, CLS, SEP)
        assert token_ids.tolist() == [[1, 9, 2, 0, 0], [1, 10, 11, 12, 2], [1, 13, 14, 15, 2], [1, 16, 17, 18, 2]]

    @given(all_documents, st.integers(3, 20))
    def test_no_word_is_lost_and_rows_are_full(self, documents: list[list[list[int]]], length: int) -> None:
        token_ids, document_ids = pack_documents(documents, length, CLS, SEP)
        assert token_ids.shape == document_ids.shape == (len(token_ids), length)
        is_word = token_ids >= 10
        for number, document in enumerate(documents, start=1):
            assert token_ids[is_word & (document_ids == number)].tolist() == [*itertools.chain(*document)]
        assert (document_ids[token_ids > 0] > 0).all()
        assert (document_ids[token_ids == 0] == 0).all()
        assert (token_ids[:, 0] == CLS).all()
        assert (token_ids[:, 1:] != CLS).all()
        # Each stretch of a document in a row ends with one [SEP].
        ends = np.diff(document_ids, append=0, axis=1) != 0
        np.testing.assert_array_equal(token_ids == SEP, ends & (document_ids > 0))
        # A part begins a new row only if the row before had no room for it.
        parts = [
            (number, sentence[start : start + length - 2])
            for number, document in enumerate(documents, start=1)
            for sentence in document
            for start in range(0, len(sentence), length - 2)
        ]
        used, owner, rows = length, 0, 0
        for number, part in parts:
            needed = len(part) + (number != owner)
            if used + needed > length:
                rows, used, needed = rows + 1, 1, len(part) + 1
            used, owner = used + needed, number
        assert len(token_ids) == rows


class TestDocumentsInARow:
    @pytest.fixture(scope="class")
    def encoder(self) -> BertEncoder:
        keras.utils.set_random_seed(1)
        encoder = BertEncoder(40, 2, 2, 8, 12, max_length=9, dropout=0.0)
        encoder.build((None, None))
        return encoder

    def test_the_mask_is_block_diagonal(self) -> None:
        mask = ops.convert_to_numpy(document_mask(np.array([[3, 3, 7, 0]])))
        assert mask.shape == (1, 1, 4, 4)
        assert mask[0, 0].tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

    def test_a_document_does_not_see_its_neighbour(self, encoder: BertEncoder) -> None:
        token_ids = np.array([[1, 10, 11, 2, 12, 13, 2, 0, 0]])
        document_ids = np.array([[1, 1, 1, 1, 2, 2, 2, 0, 0]])
        other = token_ids.copy()
        other[0, 4:6] = [20, 21]
        first, second = (
            array(encode(encoder, ids, document_ids=document_ids)["sequence_output"]) for ids in (token_ids, other)
        )
        assert_close(first[0, :4], second[0, :4], 1e-6)
        assert np.abs(first[0, 4:7] - second[0, 4:7]).max() > 1e-2
        free = array(encoder(other)["sequence_output"])
        assert np.abs(free[0, :4] - first[0, :4]).max() > 1e-4

    def test_a_row_of_one_document_agrees_with_the_encoder(self, encoder: BertEncoder) -> None:
        token_ids = np.array([[1, 10, 11, 12, 2, 0, 0]])
        expected = encoder(token_ids)
        for document_ids in (None, (token_ids > 0).astype("int32")):
            given = encode(encoder, token_ids, document_ids=document_ids)
            assert_close(array(given["pooled_output"]), array(expected["pooled_output"]), 1e-6)
            words = (array(outputs["sequence_output"])[:, :5] for outputs in (given, expected))
            np.testing.assert_allclose(*words, atol=1e-6)
