"""Next-sentence prediction: does the second sentence follow the first, or does it come from elsewhere?

The pairs with their labels, the head on the pooled output, and its loss.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.encoder import projection
from course.validation.arrays import require_range, require_rank
from course.validation.values import require_texts

# As in the published weights: 0 is a real pair.
IS_NEXT, NOT_NEXT = 0, 1


def sentence_pairs(
    documents: Sequence[Sequence[str]], seed: int | np.random.Generator | None = None
) -> list[tuple[str, str, int]]:
    """Makes pairs of sentences, half of them real.

    Each sentence that has a next one in its document is the first of one pair, in the order of the documents.
    A fair coin decides which second sentence it gets, and which label:

    - the next one of its document, and `IS_NEXT`;
    - or one of *another* document, and `NOT_NEXT`: a document is drawn, with all others equally likely, and then one of
      its sentences.

    What must hold:
        - Documents repeat each other. If the drawn sentence reads the same as the next one, the pair is a real one, so
          its label is `IS_NEXT`.
        - Sentences of white space alone are ignored, and so are documents that have no others.
        - A document of one sentence starts no pair, but its sentence can be drawn.

    Args:
        documents: each a list of sentences.
        seed: what `numpy.random.default_rng` takes: an integer gives the same pairs again, and a
            `numpy.random.Generator` gives new ones at each call.

    Returns:
        A list of (first, second, label).

    Raises:
        TypeError: documents that are not lists of strings.
        ValueError: fewer than two documents that have a sentence, so that there is no other to draw from.

    Reference: Devlin et al., "BERT", 2018, section 3.1, task 2.
    """
    random = np.random.default_rng(seed)
    documents = _without_blanks(documents)
    pairs = []
    for number, document in enumerate(documents):
        for first, true_next in itertools.pairwise(document):
            second = true_next
            if random.random() < 0.5:
                # One number fewer than there are documents, then a step over this one: any but this one.
                other = int(random.integers(len(documents) - 1))
                other += other >= number
                second = documents[other][random.integers(len(documents[other]))]
            pairs.append((first, second, IS_NEXT if second == true_next else NOT_NEXT))
    return pairs


class NextSentenceHead(keras.layers.Layer):
    """Scores a pair of sentences: 0, the second is the next one; 1, it is not.

    It reads the pooled output, made of the vector of [CLS], which has looked at both sentences:

        u = h W + b    and then, in the loss, y = softmax(u)

    Args:
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Example:
        >>> logits = NextSentenceHead()(pooled_output)  # (batch, 2)

    Reference: Devlin et al., "BERT", 2018, section 3.1, task 2.
    """

    def build(self, pooled_output_shape: tuple) -> None:
        """Makes the layer `dense`, a `projection` of that name, with W as (hidden_dim, 2), and builds it.

        Args:
            pooled_output_shape: (batch, hidden_dim).

        Raises:
            ValueError: another rank.
        """
        _require_one_vector_each(pooled_output_shape)
        self.dense = projection(2, "dense", dtype=self.dtype_policy)
        self.dense.build(pooled_output_shape)

    def call(self, pooled_output: Any) -> Any:
        """Return both scores of each pair.

        Args:
            pooled_output: (batch, hidden_dim), from the encoder.

        Returns:
            Logits, (batch, 2): u, before the softmax, in the head's compute dtype.

        Raises:
            ValueError: another rank.
        """
        _require_one_vector_each(pooled_output.shape)
        return self.dense(pooled_output)


def next_sentence_loss(labels: Any, logits: Any) -> Any:
    """Return the mean of -log P(label) over the pairs of a batch, in float32.

    Args:
        labels: integers, (batch,), `IS_NEXT` (0) or `NOT_NEXT` (1).
        logits: (batch, 2), before the softmax, in any precision.

    Returns:
        A float32 scalar.

    Raises:
        ValueError: other shapes, or other labels.

    Example:
        >>> next_sentence_loss(np.array([1]), np.array([[0.0, 0.0]]))  # both are equally likely: log 2
        # 0.6931
    """
    labels, logits = ops.convert_to_tensor(labels), ops.cast(logits, "float32")
    _require_two_scores_each(labels, logits)
    return ops.mean(ops.sparse_categorical_crossentropy(labels, logits, from_logits=True))


def _without_blanks(documents: Sequence[Sequence[str]]) -> list[list[str]]:
    for number, document in enumerate(documents):
        require_texts(document, f"document {number}")
    kept = [[sentence for sentence in document if sentence.strip()] for document in documents]
    kept = [document for document in kept if document]
    if len(kept) < 2:
        raise ValueError(
            "documents must contain at least two that have a sentence, so that there is another to draw from. "
            f"Received: {len(documents)} documents, {len(kept)} of them with a sentence"
        )
    return kept


def _require_two_scores_each(labels: Any, logits: Any) -> None:
    """Raises a ValueError unless each pair has two scores and a label, 0 or 1."""
    require_rank(labels, "labels", ("batch",))
    if len(logits.shape) != 2 or logits.shape[-1] != 2:
        raise ValueError(f"logits must be (batch, 2). Received: logits.shape={tuple(logits.shape)}")
    sizes = (labels.shape[0], logits.shape[0])
    if all(isinstance(size, int) for size in sizes) and sizes[0] != sizes[1]:
        raise ValueError(f"each pair needs a label. Received: {sizes[1]} pairs and {sizes[0]} labels")
    require_range(labels, "labels", 2, "IS_NEXT or NOT_NEXT")


def _require_one_vector_each(shape: tuple) -> None:
    """Raises a ValueError unless this is the shape of one vector for each pair."""
    if len(shape) != 2:
        raise ValueError(
            "pooled_output must be (batch, hidden_dim): one vector for each pair, not the whole sequence. "
            f"Received: pooled_output.shape={tuple(shape)}"
        )
