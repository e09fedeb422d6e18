"""An encoder that gives each word of a text a vector of its own, and the loss that teaches it to find documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.retrieval.training import Towers
from course.encoder import projection
from course.given.word_vectors import unit_vectors
from course.ranking import max_sim
from course.tokenization import SPECIAL_TOKENS, is_punctuation
from course.validation.values import require_sizes


@keras.saving.register_keras_serializable(package="course")
class WordVectors(Towers):
    """Reads each text on its own, and gives each of its words a contextual vector of length 1.

    Args:
        encoder: pretrained, or not.
        width: how many numbers a vector has; a projection maps the encoder's features to them. None: the encoder's
            width, without a projection.
        left_out: ids that are not words, such as [SEP] and punctuation marks. Their vectors are zeros, as at padding.
        **kwargs: passed to `keras.Model`.

    Raises:
        TypeError: the encoder is not a model.
        ValueError: a width below 1.

    Reference: Khattab and Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction
    over BERT", 2020, https://arxiv.org/abs/2004.12832, section 3.
    """

    def __init__(
        self, encoder: keras.Model, width: int | None = None, left_out: Sequence[int] = (), **kwargs: Any
    ) -> None:
        super().__init__(encoder, **kwargs)
        if width is not None:
            require_sizes(width=width)
        self.width = width
        self.left_out = [*map(int, left_out)]

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        super().build(inputs_shape)
        if self.width is not None:
            self.vector_dense = projection(self.width, "vector", use_bias=False, dtype=self.dtype_policy)
            self.vector_dense.build((None, None, self.encoder.hidden_dim))

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        """Return vectors, float32, (batch, length, width), for inputs as the encoder takes them."""
        ids, mask = inputs["token_ids"], inputs["padding_mask"]
        vectors = self.encoder(ids, inputs.get("segment_ids"), mask)["sequence_output"]
        if self.width is not None:
            vectors = self.vector_dense(vectors)
        is_no_word = np.zeros(self.encoder.vocabulary_size, bool)
        is_no_word[self.left_out] = True
        is_word = ops.logical_and(mask, ops.logical_not(ops.take(ops.convert_to_tensor(is_no_word), ids, axis=0)))
        return ops.where(is_word[..., None], unit_vectors(vectors), 0.0)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "width": self.width, "left_out": self.left_out}


def no_words(pieces: Sequence[str]) -> list[int]:
    """Return the ids of the pieces that are not words: special tokens and punctuation marks."""
    return [
        number
        for number, piece in enumerate(pieces)
        if piece in SPECIAL_TOKENS or all(map(is_punctuation, piece.removeprefix("##") or piece))
    ]


def max_sim_loss(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    """Return the cross-entropy of matching each query with its own document among those of the batch.

        s_ij = scale · MaxSim(query i, document j) / words of query i
        loss = mean over i of -log softmax(s_i)_i

    With one word in each text, this is `course.matching.in_batch_loss`.

    Args:
        query_vectors: (batch, length, width), of `WordVectors`. Zero vectors are not words.
        document_vectors: (batch, other length, width), the document of each query.
        scale: factor of the mean cosine.
        same: boolean, (batch, batch), or None. Where it is True, document j is right for query i as well, and is left
            out of the softmax.

    Returns:
        A float32 scalar.
    """
    is_query, is_document = (ops.any(vectors != 0, axis=-1) for vectors in (query_vectors, document_vectors))
    words = ops.maximum(ops.sum(ops.cast(is_query, "float32"), axis=1, keepdims=True), 1.0)
    scores = scale * max_sim(query_vectors, document_vectors, is_query, is_document) / words
    own = ops.arange(ops.shape(scores)[0])
    if same is not None:
        scores = ops.where(ops.logical_and(same, own[:, None] != own), -1e9, scores)
    return ops.mean(ops.sparse_categorical_crossentropy(own, scores, from_logits=True))
