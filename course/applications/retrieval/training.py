"""Train two towers, which read texts separately, and a pair classifier, which reads them together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.classification import Inputs
from course.encoder import BertEncoder
from course.matching import in_batch_loss
from course.training.frozen import frozen
from course.training.length_batches import require_encoder_ids
from course.training.logits import predict_logits
from course.training.short_training import compile_for, train_on_texts
from course.validation.values import require_instance, require_numbers, require_seed, require_sizes


@keras.saving.register_keras_serializable(package="course")
class Towers(keras.Model):
    """Reads each text on its own, and returns one vector: the mean of the encoder's outputs for its tokens.

    Both sides share one encoder. A training batch contains queries in its first half and their documents in its second.

    Args:
        encoder: pretrained, or not.
        **kwargs: passed to `keras.Model`.

    Raises:
        TypeError: the encoder is not a model.

    Reference: Reimers and Gurevych, "Sentence-BERT", 2019, https://arxiv.org/abs/1908.10084, section 3.
    """

    def __init__(self, encoder: keras.Model, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        self.encoder = encoder

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        if not self.encoder.built:
            self.encoder.build((None, None))

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        """Return vectors, (batch, hidden_dim), for inputs as the encoder takes them."""
        mask = inputs["padding_mask"]
        tokens = self.encoder(inputs["token_ids"], inputs.get("segment_ids"), mask)["sequence_output"]
        weights = ops.cast(mask, tokens.dtype)[..., None]  # (batch, length, 1)
        return ops.sum(tokens * weights, axis=1) / ops.maximum(ops.sum(weights, axis=1), 1)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "encoder": self.encoder.get_config()}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> keras.Model:
        return cls(**{**config, "encoder": BertEncoder.from_config(config["encoder"])})


def train_towers(
    towers: Towers,
    queries: Inputs,
    documents: Inputs,
    *,
    learning_rate: float = 3e-4,
    batch_size: int = 32,
    epochs: int = 1,
    seed: int = 0,
    loss: Callable[..., Any] | None = None,
    texts: np.ndarray | None = None,
) -> list[float]:
    """Train towers on queries and the document of each. The other documents of a batch are wrong answers.

    The learning rate rises for a tenth of all steps, and falls to 0 at the last one.

    Args:
        towers: with any weights.
        queries: (pairs, length) each.
        documents: (pairs, other length) each.
        learning_rate: the peak learning rate.
        batch_size: pairs per step. A smaller last batch is dropped.
        epochs: passes over all pairs.
        seed: of the random order.
        loss: of query vectors and document vectors. None: `in_batch_loss`.
        texts: from `text_numbers`, if texts occur in several pairs: `loss` then gets as `same` which documents of a
            batch answer which of its queries in any pair. None: each document answers its own query alone.

    Returns:
        The mean loss of each epoch.

    Raises:
        TypeError: not towers.
        ValueError: not as many queries as documents, less than a batch, unknown ids, or an invalid size.
    """
    require_instance(towers, "towers", Towers)
    require_sizes(batch_size=batch_size, epochs=epochs)
    require_numbers(learning_rate=learning_rate)
    require_seed(seed)
    for inputs in (queries, documents):
        require_encoder_ids(towers, inputs)
    count = len(queries["token_ids"])
    if not batch_size <= count == len(documents["token_ids"]):
        raise ValueError(
            "each query must have a document, and there must be at least one batch of pairs. "
            f"Received: {count} queries, {len(documents['token_ids'])} documents, batch_size={batch_size}"
        )
    if not towers.built:
        towers.build({"token_ids": (None, None)})
    vectors_loss = in_batch_loss if loss is None else loss

    def batch_loss(same: Any, vectors: Any) -> Any:
        of_queries, of_documents = ops.split(vectors, 2)
        if texts is None:
            return vectors_loss(of_queries, of_documents)
        return vectors_loss(of_queries, of_documents, same=ops.split(same, 2)[0] > 0)

    both = _side_by_side(queries, documents)
    steps = count // batch_size
    random, history = np.random.default_rng(seed), []
    with frozen(towers.encoder.pooler):  # no vector depends on it
        compile_for(towers, batch_loss, learning_rate, steps * epochs)
        for _ in range(epochs):
            order = random.permutation(count)[: steps * batch_size].reshape(steps, batch_size)
            losses = []
            for rows in order:
                batch = {name: np.concatenate([array[rows], array[count + rows]]) for name, array in both.items()}
                same = np.eye(batch_size) if texts is None else answered(texts, rows)
                # Keras wants a row of targets for each of both sides' texts.
                losses.append(float(towers.train_on_batch(batch, np.tile(same, (2, 1)).astype("float32"))))
            history.append(float(np.mean(losses)))
    return history


def text_numbers(queries: Sequence[str], documents: Sequence[str]) -> np.ndarray:
    """Return a number for each text, the same for equal queries and for equal documents: (2, pairs)."""

    def numbered(texts: Sequence[str]) -> list[int]:
        numbers: dict[str, int] = {}
        return [numbers.setdefault(text, len(numbers)) for text in texts]

    return np.array([numbered(queries), numbered(documents)])


def answered(texts: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return whether query i and document j of some rows are a pair, there or elsewhere: boolean, (rows, rows).

    Args:
        texts: from `text_numbers`, of all pairs.
        rows: the numbers of some of them.
    """
    queries, documents = texts.astype("int64")
    several = documents.max() + 1
    return np.isin(queries[rows, None] * several + documents[rows], queries * several + documents)


def _side_by_side(queries: Inputs, documents: Inputs) -> Inputs:
    """Return all queries followed by all documents, padded to one length."""
    length = max(queries["token_ids"].shape[1], documents["token_ids"].shape[1])
    return {
        name: np.concatenate(
            [np.pad(inputs[name], ((0, 0), (0, length - inputs[name].shape[1]))) for inputs in (queries, documents)]
        )
        for name in queries
    }


def vectors_of(towers: Towers, inputs: Inputs, batch_size: int = 64) -> np.ndarray:
    """Return a vector of length 1 for each text, so that dot products are cosines: float32, (texts, hidden_dim).

    Raises:
        ValueError: no texts, unknown ids, or a size below 1.
    """
    require_encoder_ids(towers, inputs)
    vectors = predict_logits(towers, inputs, batch_size)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def train_pairs(
    model: keras.Model,
    inputs: Inputs,
    labels: np.ndarray,
    *,
    learning_rate: float = 5e-4,
    batch_size: int = 32,
    epochs: int = 2,
    seed: int = 0,
) -> list[float]:
    """Train all weights of a `PairClassifier` on the mean of -log P(label), where P(match) = σ(logit).

    The learning rate rises for a tenth of all steps, and falls to 0 at the last one.

    Args:
        model: with any weights.
        inputs: (pairs, length) each.
        labels: (pairs,), 1 where a pair matches, else 0.
        learning_rate: the peak learning rate.
        batch_size: pairs per step.
        epochs: passes over all pairs.
        seed: of the random order.

    Returns:
        The mean loss of each epoch.

    Raises:
        TypeError: not a model.
        ValueError: labels other than 0 and 1, or not one for each pair; unknown ids; or an invalid size.
    """
    require_instance(model, "model", keras.Model)
    require_encoder_ids(model, inputs)
    labels = np.asarray(labels)
    if labels.shape != (len(inputs["token_ids"]),) or not np.isin(labels, (0, 1)).all():
        raise ValueError(
            f"labels must be 0 or 1, one for each pair. Received: labels.shape={labels.shape} for "
            f"{len(inputs['token_ids'])} pairs"
        )
    if not model.built:
        model.build({"token_ids": (None, None)})
    return train_on_texts(
        model,
        inputs,
        labels.astype("float32"),
        keras.losses.BinaryCrossentropy(from_logits=True),
        learning_rate=learning_rate,
        batch_size=batch_size,
        epochs=epochs,
        seed=seed,
    )


def symmetric_score(model: keras.Model, inputs: Inputs, turned: Inputs, batch_size: int = 64) -> np.ndarray:
    """Return the mean of a pair classifier's logits for both orders, so that the order does not matter.

    Args:
        model: a `PairClassifier`.
        inputs: (pairs, length) each, of first and second text.
        turned: (pairs, length) each, of second and first text.
        batch_size: pairs per batch.

    Returns:
        Logits, float32, (pairs,).

    Raises:
        ValueError: no pairs, not as many pairs in both orders, unknown ids, or a size below 1.
    """
    for rows in (inputs, turned):
        require_encoder_ids(model, rows)
    if len(inputs["token_ids"]) != len(turned["token_ids"]):
        raise ValueError(
            "each pair must be given in both orders. "
            f"Received: {len(inputs['token_ids'])} and {len(turned['token_ids'])} pairs"
        )
    return (predict_logits(model, inputs, batch_size) + predict_logits(model, turned, batch_size)) / 2
