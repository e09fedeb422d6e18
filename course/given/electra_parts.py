"""The parts around ELECTRA's discriminator: its head, and a function that puts words into texts.

Reference: Clark et al., "ELECTRA", 2020, https://arxiv.org/abs/2003.10555, sections 2 and 3.2.
"""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from course.encoder import gelu, projection
from course.validation.arrays import require_ids, require_rank, require_same_shapes


@keras.saving.register_keras_serializable(package="course")
class ReplacedTokenHead(keras.layers.Layer):
    """Scores how likely each token is a replacement: u = w · gelu(W h + b) + c.

    Args:
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.
    """

    def build(self, sequence_output_shape: tuple) -> None:
        self.dense = projection(sequence_output_shape[-1], "dense", dtype=self.dtype_policy)
        self.score = projection(1, "score", dtype=self.dtype_policy)
        for part in (self.dense, self.score):
            part.build(sequence_output_shape)

    def call(self, sequence_output: Any) -> Any:
        """Return logits, (batch, length), for outputs, (batch, length, hidden_dim); above 0 means "replaced"."""
        return self.score(gelu(self.dense(sequence_output)))[:, :, 0]


def put_words(token_ids: Any, positions: Any, weights: Any, words: Any) -> Any:
    """Return the texts with some words replaced.

    Args:
        token_ids: integers, (batch, length).
        positions: integers below length, (batch, count), different ones in each row.
        weights: (batch, count); where one is 0, nothing is replaced.
        words: integers, (batch, count), the words to put there.

    Returns:
        int32, (batch, length).

    Raises:
        ValueError: shapes that do not fit each other.

    Example:
        >>> put_words(np.array([[5, 6, 7]]), np.array([[2, 0]]), np.array([[1.0, 0.0]]), np.array([[9, 8]]))
        # [[5, 6, 9]]
    """
    require_ids(token_ids=token_ids)
    require_rank(positions, "positions", ("batch", "count"))
    require_same_shapes(positions=positions, weights=weights, words=words)
    token_ids, positions, words = (ops.cast(each, "int32") for each in (token_ids, positions, words))
    words = ops.where(ops.cast(weights, "float32") > 0, words, ops.take_along_axis(token_ids, positions, axis=1))
    batch, count = ops.shape(positions)
    rows = ops.broadcast_to(ops.arange(batch, dtype="int32")[:, None], (batch, count))
    places = ops.reshape(ops.stack([rows, positions], axis=-1), (-1, 2))
    return ops.scatter_update(token_ids, places, ops.reshape(words, (-1,)))
