"""Rankers that learn: rows of a query and a document, models that score them, and their training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.retrieval.late_interaction import WordVectors
from course.classification import Inputs
from course.encoder import projection
from course.given.word_vectors import unit_vectors, words_of_pairs
from course.ranking import KERNEL_MEANS, kernel_pooling, max_sim
from course.training.frozen import frozen
from course.training.length_batches import require_encoder_ids
from course.training.short_training import compile_for
from course.validation.values import require_instance, require_numbers, require_seed, require_sizes, require_text_pairs


def pair_rows(
    tokenizer: Any, queries: Sequence[str], documents: Sequence[str], query_length: int, document_length: int
) -> Inputs:
    """Return a row for each query and its document: the query, padded to `query_length`, then the document.

    A document therefore has the same positions after every query, as `SplitEncoder` requires.

    Args:
        tokenizer: a `WordPieceTokenizer`.
        queries: (rows,).
        documents: (rows,).
        query_length: tokens of [CLS] query [SEP], with padding.
        document_length: tokens of document [SEP], with padding.

    Returns:
        "token_ids", "segment_ids" and "padding_mask", (rows, query_length + document_length) each.

    Raises:
        TypeError: not texts.
        ValueError: not as many queries as documents, or lengths too short for a word.
    """
    queries, documents = require_text_pairs(queries, documents)
    first = tokenizer(queries, max_length=query_length)["token_ids"]
    second = tokenizer(documents, max_length=document_length + 1)["token_ids"][:, 1:]  # without its [CLS]
    token_ids = np.zeros((len(queries), query_length + document_length), "int32")
    token_ids[:, : first.shape[1]] = first
    token_ids[:, query_length : query_length + second.shape[1]] = second
    segment_ids = np.tile(np.arange(token_ids.shape[1]) >= query_length, (len(queries), 1)).astype("int32")
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": token_ids != 0}


class Knrm(keras.Model):
    """Scores documents by kernels over the similarities of query words and document words: K-NRM.

    Args:
        encoder: only its token table is used, as word vectors.
        query_length: how many tokens of a row are the query's, as in `pair_rows`.
        pooling: of similarities and both masks. None: `kernel_pooling`.
        **kwargs: passed to `keras.Model`.

    Raises:
        TypeError: the encoder is not a model.

    Reference: Xiong et al., 2017, https://arxiv.org/abs/1706.06613.
    """

    def __init__(
        self, encoder: keras.Model, query_length: int, pooling: Callable[..., Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        require_sizes(query_length=query_length)
        self.encoder = encoder
        self.query_length = query_length
        self.pooling = kernel_pooling if pooling is None else pooling

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.score_dense = projection(1, "score")
        self.score_dense.build((None, len(KERNEL_MEANS)))

    @property
    def unused(self) -> list[keras.layers.Layer]:
        """The layers of the encoder that do not influence the scores."""
        embedding = self.encoder.embedding
        tables = [embedding.position_embedding, embedding.segment_embedding, embedding.norm]
        return [*tables, *self.encoder.blocks, self.encoder.pooler]

    def call(self, inputs: dict[str, Any]) -> Any:
        """Return scores, (batch,), of rows as from `pair_rows`."""
        is_query, is_document = words_of_pairs(inputs["segment_ids"], inputs["padding_mask"])
        unit, start = unit_vectors(self.encoder.embedding.token_embedding(inputs["token_ids"])), self.query_length
        similarity = ops.matmul(unit[:, :start], ops.transpose(unit[:, start:], (0, 2, 1)))
        kernels = self.pooling(similarity, is_query[:, :start], is_document[:, start:])
        # A log of 1e-10 is -23, and a query has a dozen words, so the kernels are scaled as in the authors' code.
        return ops.squeeze(self.score_dense(0.01 * kernels), axis=-1)


def train_on_groups(
    model: keras.Model,
    rows: Inputs,
    group: int,
    *,
    learning_rate: float,
    batch_size: int = 32,
    epochs: int = 2,
    seed: int = 0,
) -> list[float]:
    """Train a ranker on groups of rows whose first row is right. The loss is the mean of -log softmax over the group.

    The learning rate rises for a tenth of all steps, and falls to 0 at the last one.

    Args:
        model: with any weights. It scores each row of its inputs.
        rows: (queries · group, ...) each, group by group.
        group: rows per query.
        learning_rate: the peak learning rate.
        batch_size: queries per step. A smaller last batch is dropped.
        epochs: passes over all queries.
        seed: of the random order.

    Returns:
        The mean loss of each epoch.

    Raises:
        ValueError: rows that do not divide into groups, less than a batch, or an invalid size.
    """
    require_sizes(group=group, batch_size=batch_size, epochs=epochs)
    require_numbers(learning_rate=learning_rate)
    require_seed(seed)
    count = len(next(iter(rows.values())))
    queries, rest = divmod(count, group)
    if rest or queries < batch_size or group < 2:
        raise ValueError(
            "each query must have a group of at least two rows, and there must be at least one batch of queries. "
            f"Received: {count} rows, group={group}, batch_size={batch_size}"
        )
    if not model.built:
        model.build({name: (None, *array.shape[1:]) for name, array in rows.items()})
    steps = queries // batch_size
    random, history = np.random.default_rng(seed), []
    compile_for(
        model,
        lambda _, scores: -ops.mean(ops.log_softmax(ops.reshape(scores, (-1, group)), axis=-1)[:, 0]),
        learning_rate,
        steps * epochs,
    )
    for _ in range(epochs):
        order = random.permutation(queries)[: steps * batch_size].reshape(steps, batch_size)
        losses = []
        for chosen in order:
            places = (chosen[:, None] * group + np.arange(group)).reshape(-1)
            batch = {name: array[places] for name, array in rows.items()}
            losses.append(float(model.train_on_batch(batch, np.zeros(len(places), "float32"))))
        history.append(float(np.mean(losses)))
    return history


def train_ranker(
    model: Knrm,
    rows: Inputs,
    group: int,
    *,
    learning_rate: float = 1e-2,
    batch_size: int = 32,
    epochs: int = 2,
    seed: int = 0,
) -> list[float]:
    """Train a ranker that reads texts, with `train_on_groups`.

    Args:
        model: with any weights.
        rows: (queries · group, length) each, group by group.
        group: rows per query.
        learning_rate: the peak learning rate.
        batch_size: queries per step. A smaller last batch is dropped.
        epochs: passes over all queries.
        seed: of the random order.

    Returns:
        The mean loss of each epoch.

    Raises:
        ValueError: rows that do not divide into groups, less than a batch, unknown ids, or an invalid size.
    """
    require_encoder_ids(model, rows)
    if not model.built:
        model.build(dict.fromkeys(rows, (None, None)))
    with frozen(*model.unused):
        return train_on_groups(
            model, rows, group, learning_rate=learning_rate, batch_size=batch_size, epochs=epochs, seed=seed
        )


def scores_of_rows(model: keras.Model, rows: Inputs, batch_size: int = 200) -> np.ndarray:
    """Return a ranker's score of each row: float32, (rows,). Rows keep their length and the padding in the middle."""
    require_sizes(batch_size=batch_size)
    count = len(next(iter(rows.values())))
    batches = (
        {name: array[start : start + batch_size] for name, array in rows.items()}
        for start in range(0, count, batch_size)
    )
    return np.concatenate([np.asarray(model.predict_on_batch(batch), "float32") for batch in batches])


def late_interaction_loss(
    query_vectors: Any, document_vectors: Any, scale: float = 5.0, score: Callable[..., Any] | None = None
) -> Any:
    """Return `in_batch_loss` with `max_sim` in place of the cosine: for `train_towers` with `WordVectors`.

    Args:
        query_vectors: (batch, query_length, width), zeros at padding.
        document_vectors: (batch, document_length, width), zeros at padding.
        scale: factor of the scores.
        score: of both vectors and both masks. None: `max_sim`.
    """
    query_mask, document_mask = (
        ops.any(ops.not_equal(vectors, 0), axis=-1) for vectors in (query_vectors, document_vectors)
    )
    scores = scale * (max_sim if score is None else score)(query_vectors, document_vectors, query_mask, document_mask)
    return ops.mean(ops.sparse_categorical_crossentropy(ops.arange(ops.shape(scores)[0]), scores, from_logits=True))


def vectors_of_words(towers: WordVectors, inputs: Inputs, batch_size: int = 100) -> list[np.ndarray]:
    """Return the vectors of each text, without padding: (its tokens, hidden_dim), float32."""
    vectors = scores_of_rows(towers, inputs, batch_size)
    return [row[mask] for row, mask in zip(vectors, inputs["padding_mask"], strict=True)]
