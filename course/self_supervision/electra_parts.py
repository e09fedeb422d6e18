"""The parts of ELECTRA: a small generator, the head of the detective, and words put at their places.

Reference: Clark et al., "ELECTRA", 2020, https://arxiv.org/abs/2003.10555, sections 2 and 3.2.
"""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from course.encoder import EncoderBlock, arguments, gelu, projection
from course.validation.arrays import require_rank, require_same_shapes
from course.validation.values import require_sizes


@keras.saving.register_keras_serializable(package="course")
class Generator(keras.layers.Layer):
    """A narrow stack of blocks on the embeddings of another encoder, which it shares.

    Args:
        num_layers, num_heads, hidden_dim, intermediate_dim, dropout: as in `BertEncoder`; the authors take a quarter
            to a half of the detective's width.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: sizes that do not fit each other.

    Example:
        >>> generator = Generator(num_layers=4, num_heads=2, hidden_dim=64, intermediate_dim=256)
        >>> generator(embedded, attention_mask)  # as wide as what comes in
    """

    def __init__(
        self,
        num_layers: int,
        num_heads: int,
        hidden_dim: int,
        intermediate_dim: int,
        dropout: float = 0.1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_sizes(num_layers=num_layers, hidden_dim=hidden_dim)
        self.num_layers, self.num_heads, self.hidden_dim = num_layers, num_heads, hidden_dim
        self.intermediate_dim, self.dropout = intermediate_dim, dropout
        sizes = (hidden_dim, num_heads, intermediate_dim, dropout)
        self.blocks = [
            EncoderBlock(*sizes, name=f"block_{index}", dtype=self.dtype_policy) for index in range(num_layers)
        ]

    def build(self, x_shape: tuple) -> None:
        self.narrow = projection(self.hidden_dim, "narrow", dtype=self.dtype_policy)
        self.widen = projection(x_shape[-1], "widen", dtype=self.dtype_policy)
        self.narrow.build(x_shape)
        inside = (*x_shape[:-1], self.hidden_dim)
        for part in (*self.blocks, self.widen):
            part.build(inside)

    def call(self, x: Any, attention_mask: Any = None) -> Any:
        """From embeddings, (batch, length, width), to as much for the head; the mask is that of the blocks."""
        x = self.narrow(x)  # (batch, length, hidden_dim)
        for block in self.blocks:
            x = block(x, attention_mask=attention_mask)
        return self.widen(x)  # (batch, length, width)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}


@keras.saving.register_keras_serializable(package="course")
class ReplacedTokenHead(keras.layers.Layer):
    """Says of each token how sure it is that somebody put it there: u = w · gelu(W h + b) + c.

    Args:
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.
    """

    def build(self, sequence_output_shape: tuple) -> None:
        self.dense = projection(sequence_output_shape[-1], "dense", dtype=self.dtype_policy)
        self.score = projection(1, "score", dtype=self.dtype_policy)
        for part in (self.dense, self.score):
            part.build(sequence_output_shape)

    def call(self, sequence_output: Any) -> Any:
        """From (batch, length, hidden_dim) to logits, (batch, length): above 0 it says "replaced"."""
        return self.score(gelu(self.dense(sequence_output)))[:, :, 0]


def put_words(token_ids: Any, positions: Any, weights: Any, words: Any) -> Any:
    """Texts in which some words are others.

    Args:
        token_ids: integers, (batch, length).
        positions: integers below length, (batch, count), in each row different ones.
        weights: (batch, count); where it is 0, nothing is put.
        words: integers, (batch, count), what is put there.

    Returns:
        int32, (batch, length).

    Raises:
        ValueError: shapes that do not fit each other.

    Example:
        >>> put_words(np.array([[5, 6, 7]]), np.array([[2, 0]]), np.array([[1.0, 0.0]]), np.array([[9, 8]]))
        # [[5, 6, 9]]
    """
    require_rank(token_ids, "token_ids", ("batch", "length"))
    require_rank(positions, "positions", ("batch", "count"))
    require_same_shapes(positions=positions, weights=weights, words=words)
    token_ids, positions, words = (ops.cast(each, "int32") for each in (token_ids, positions, words))
    words = ops.where(ops.cast(weights, "float32") > 0, words, ops.take_along_axis(token_ids, positions, axis=1))
    batch, count = ops.shape(positions)
    rows = ops.broadcast_to(ops.arange(batch, dtype="int32")[:, None], (batch, count))
    places = ops.reshape(ops.stack([rows, positions], axis=-1), (-1, 2))
    return ops.scatter_update(token_ids, places, ops.reshape(words, (-1,)))
