"""Rankers from before BERT, and BERT split in two, as the recipe for Cranfield trains them."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.retrieval.trained_ranker import TextReader
from course.encoder import BertEncoder, projection
from course.given.word_vectors import unit_vectors, words_of_pairs
from course.ranking import SplitEncoder, TermGating, kernel_pooling, matching_histogram

_BINS, _KERNELS = 10, 11


class WordByWord(keras.Model):
    """Compares each word of a query with each word of a document by the encoder's token embeddings, without context.

    Args:
        encoder: only its token table is used; the rest is frozen.
        pooling: "kernels", as in K-NRM; or "histogram" with a gate, as in DRMM, where the table is frozen, too.
    """

    def __init__(self, encoder: BertEncoder, pooling: str) -> None:
        super().__init__()
        encoder.trainable = False
        encoder.embedding.token_embedding.trainable = pooling == "kernels"
        self.encoder, self.pooling = encoder, pooling

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        if self.pooling == "kernels":
            self.score_dense = projection(1, "score")
            self.score_dense.build((None, _KERNELS))
            return
        self.gate = TermGating()
        self.hidden_dense, self.score_dense = projection(5, "hidden", activation="tanh"), projection(1, "score")
        self.gate.build((None, None, self.encoder.hidden_dim))
        self.hidden_dense.build((None, None, _BINS))
        self.score_dense.build((None, None, 5))

    def call(self, inputs: dict[str, Any]) -> Any:
        """Scores, (batch,), of rows [CLS] query [SEP] document [SEP]."""
        words = self.encoder.embedding.token_embedding(inputs["token_ids"])
        is_query, is_document = words_of_pairs(inputs["segment_ids"], inputs["padding_mask"])
        unit = unit_vectors(words)
        similarity = ops.matmul(unit, ops.transpose(unit, (0, 2, 1)))
        if self.pooling == "kernels":
            pooled = 0.01 * kernel_pooling(similarity, is_query, is_document)  # a log may be -23 for each word
            return ops.squeeze(self.score_dense(pooled), axis=-1)
        histograms = matching_histogram(similarity, is_document, _BINS)
        word_scores = ops.squeeze(self.score_dense(self.hidden_dense(histograms)), axis=-1)  # (batch, length)
        return ops.sum(self.gate(words, is_query) * word_scores, axis=-1)


class SplitRanker(keras.Model):
    """Reads rows of `split_rows` with a `SplitEncoder`, and projects the pooled output to a score."""

    def __init__(self, encoder: BertEncoder, split: int, query_length: int) -> None:
        super().__init__()
        self.reader, self.encoder = SplitEncoder(encoder, split, query_length), encoder

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        self.score_dense = projection(1, "score")
        self.score_dense.build((None, self.encoder.hidden_dim))

    def call(self, inputs: dict[str, Any]) -> Any:
        """Scores, (batch,)."""
        ids, place = inputs["token_ids"], self.reader.query_length
        return self.score(self.reader({"query_ids": ids[:, :place], "document_ids": ids[:, place:]}))

    def score(self, outputs: dict[str, Any]) -> Any:
        """Scores from the outputs of the last blocks, (batch,)."""
        return ops.squeeze(self.score_dense(outputs["pooled_output"]), axis=-1)


class SplitOnline(keras.Model):
    """The part of a `SplitRanker` that runs per query, on documents that were encoded before.

    Args:
        ranker: trained.
    """

    def __init__(self, ranker: SplitRanker) -> None:
        super().__init__()
        self.ranker = ranker

    def call(self, inputs: dict[str, Any]) -> Any:
        """Scores, (documents,), from "query_ids", (documents, query_length), all rows the same; "document", the first
        blocks' outputs for each, (documents, length, hidden_dim); and its "mask", (documents, length)."""
        reader, count = self.ranker.reader, ops.shape(inputs["document"])[0]
        ids = inputs["query_ids"][:1]
        query = ops.repeat(reader.encode_query(ids, ids != 0), count, axis=0)
        mask = ops.repeat(ids != 0, count, axis=0)
        return self.ranker.score(reader.join(query, mask, inputs["document"], inputs["mask"]))


def split_rows(reader: TextReader, queries: list[str], documents: list[str]) -> dict[str, np.ndarray]:
    """Rows in which each document begins at the same place, after a query padded to `reader.query_length`."""
    first = fixed(reader.queries(queries)["token_ids"], reader.query_length)
    second = fixed(reader.documents(documents)["token_ids"][:, 1:], reader.document_length - 1)  # without [CLS]
    ids = np.concatenate([first, second], axis=1)
    return {"token_ids": ids, "padding_mask": ids != 0}


def fixed(ids: np.ndarray, length: int) -> np.ndarray:
    """Rows padded to a length."""
    return np.pad(ids, ((0, 0), (0, length - ids.shape[1])))
