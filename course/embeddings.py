"""Embeddings: what a token is, where it stands and which text it belongs to, summed into one vector.

First the table of sine waves of the original Transformer, then the three learned tables of BERT.
"""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
from keras import ops

from course.validation.arrays import require_array, require_integers, require_range, require_rank
from course.validation.values import require_sizes


def sinusoidal_positions(length: int, hidden_dim: int) -> np.ndarray:
    """Return a table of sine waves that gives every position a vector of its own, with nothing to learn.

    PE(pos, 2i) = sin(pos / 10000^(2i / hidden_dim)) and PE(pos, 2i + 1) = cos(pos / 10000^(2i / hidden_dim))

    What must hold:
        - Positions count from 0.
        - Sine and cosine take turns: features 0, 2, 4, ... are sines, features 1, 3, 5, ... are cosines.
        - A sine and the cosine after it share one wavelength. The first pair's wavelength is 2π positions; the
          wavelengths grow from pair to pair, towards 10000 · 2π.

    Args:
        length: how many positions there are.
        hidden_dim: width of each position's vector, an even number.

    Returns:
        (length, hidden_dim), float32.

    Raises:
        ValueError: an odd `hidden_dim`, or a size that is not a whole number of at least 1.

    Example:
        >>> sinusoidal_positions(length=2, hidden_dim=4)
        [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.01, 0.99995]]

    Reference: Vaswani et al., "Attention Is All You Need", 2017, https://arxiv.org/abs/1706.03762, section
    3.5.
    """
    require_sizes(length=length, hidden_dim=hidden_dim)
    if hidden_dim % 2:
        raise ValueError(
            f"hidden_dim must be even: a sine and a cosine for each wavelength. Received: hidden_dim={hidden_dim}"
        )
    position = np.arange(length)[:, np.newaxis]  # (length, 1)
    even = np.arange(0, hidden_dim, 2)  # the 2i of the equation, (hidden_dim / 2,)
    angle = position / 10000 ** (even / hidden_dim)  # (length, hidden_dim / 2)
    table = np.empty((length, hidden_dim), "float32")
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle)
    return table


class BertEmbedding(keras.layers.Layer):
    """Turns ids into vectors: token + position + segment, normalized.

    x = dropout(norm(E_token[token_ids] + E_position[0 ... length - 1] + E_segment[segment_ids]))

    All three tables are learned. BERT has two segments, text A and text B; there may be more, such as query,
    title and body.

    Args:
        vocabulary_size: how many tokens there are.
        hidden_dim: width of the vectors.
        max_length: how many positions there are: the length of the longest text, in tokens.
        num_segments: how many segments there are.
        dropout: share of the features that is dropped in training.
        epsilon: added to the variance in the normalization. BERT's is 1e-12; a larger one changes every output.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: a size that is not a whole number of at least 1.

    Example:
        >>> embedding = BertEmbedding(vocabulary_size=8000, hidden_dim=256, max_length=128)
        >>> embedding(token_ids, segment_ids)  # (batch, length, 256)

    Reference: Devlin et al., "BERT", 2018, https://arxiv.org/abs/1810.04805, figure 2.
    """

    def __init__(
        self,
        vocabulary_size: int,
        hidden_dim: int,
        max_length: int,
        num_segments: int = 2,
        dropout: float = 0.1,
        *,
        epsilon: float = 1e-12,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_sizes(
            vocabulary_size=vocabulary_size, hidden_dim=hidden_dim, max_length=max_length, num_segments=num_segments
        )
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.max_length = max_length
        self.num_segments = num_segments
        self.dropout = dropout
        self.epsilon = epsilon
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, token_ids_shape: tuple) -> None:
        """Makes the three tables and the normalization, so that their weights exist before the first call.

        `token_embedding`, `position_embedding` and `segment_embedding` are `keras.layers.Embedding` layers
        with a row for each token, position and segment. `self._table(rows, name)` makes one. `norm` is a
        `keras.layers.LayerNormalization` with `epsilon`, over the features, and this layer's dtype policy.

        Args:
            token_ids_shape: (batch, length).
        """
        self.token_embedding = self._table(self.vocabulary_size, "token_embedding")
        self.position_embedding = self._position_table()
        self.segment_embedding = self._table(self.num_segments, "segment_embedding")
        self.norm = keras.layers.LayerNormalization(epsilon=self.epsilon, name="norm", dtype=self.dtype_policy)
        self.norm.build((*token_ids_shape, self.hidden_dim))

    def _table(self, rows: int, name: str) -> keras.layers.Embedding:
        small = keras.initializers.TruncatedNormal(stddev=0.02)
        table = keras.layers.Embedding(rows, self.hidden_dim, small, name=name, dtype=self.dtype_policy)
        table.build()
        return table

    def call(self, token_ids: Any, segment_ids: Any = None) -> Any:
        """Looks up the three vectors of each token, adds them up, normalizes, and applies dropout.

        `require_ids` checks the inputs. Without segments, every token belongs to segment 0. A text shorter than
        `max_length` uses the first rows of the position table. `self.dropout_layer` knows by itself whether it is in
        training.

        Args:
            token_ids: integers, (batch, length).
            segment_ids: integers, (batch, length), or None.

        Returns:
            (batch, length, hidden_dim).

        Raises:
            ValueError: other shapes or dtypes, ids that have no row, or more than `max_length` tokens.
        """
        require_ids(token_ids, "token_ids", size=self.vocabulary_size, max_length=self.max_length)
        if segment_ids is None:
            segment_ids = ops.zeros_like(token_ids)
        require_ids(segment_ids, "segment_ids", size=self.num_segments, like=token_ids)

        x = self.token_embedding(token_ids) + self.segment_embedding(segment_ids)  # (batch, length, hidden_dim)
        x = self._with_positions(x)
        return self.dropout_layer(self.norm(x))

    def _position_table(self) -> Any:
        """Return the table with a row for each position; None in an encoder without learned positions."""
        return self._table(self.max_length, "position_embedding")

    def _with_positions(self, x: Any) -> Any:
        if self.position_embedding is None:
            return x
        positions = ops.arange(ops.shape(x)[1])  # (length,)
        return x + self.position_embedding(positions)  # (length, hidden_dim) is added to each text

    @property
    def token_embeddings(self) -> keras.Variable:
        """Return the token table, (vocabulary_size, hidden_dim), for a head that is tied to it."""
        return self.token_embedding.embeddings

    def compute_output_shape(self, token_ids_shape: tuple, segment_ids_shape: tuple | None = None) -> tuple:
        return (*token_ids_shape, self.hidden_dim)

    def get_config(self) -> dict[str, Any]:
        config = {
            "vocabulary_size": self.vocabulary_size,
            "hidden_dim": self.hidden_dim,
            "max_length": self.max_length,
            "num_segments": self.num_segments,
            "dropout": self.dropout,
            "epsilon": self.epsilon,
        }
        return {**super().get_config(), **config}


def require_ids(ids: Any, name: str, size: int, max_length: int | None = None, like: Any = None) -> None:
    """Raises a ValueError unless these are ids of a table, (batch, length).

    Args:
        ids: a tensor or an array.
        name: what the error calls it.
        size: how many rows the table has. Values are checked only where they are known: inside a compiled function they
            are not.
        max_length: the most tokens that a text may have.
        like: the tensor whose shape it must have.
    """
    require_rank(ids, name, ("batch", "length"))
    require_integers(ids, name)
    length = ids.shape[1]
    if _is_known(length, ids) and length == 0:
        raise ValueError(
            f"{name} must have at least one token per text; an empty text still has [CLS] and [SEP]. "
            f"Received: {name}.shape={tuple(ids.shape)}"
        )
    if max_length is not None and _is_known(length, ids) and length > max_length:
        raise ValueError(
            f"{name} must have at most {max_length} tokens per text, for max_length={max_length}. "
            f"Received: {length}. Cut the texts, or make the layer with a larger max_length."
        )
    if like is not None:
        require_same_shape(ids, name, like)
    require_range(ids, name, size, f"since there are {size} of them")


def require_same_shape(tensor: Any, name: str, token_ids: Any) -> None:
    """Raises a ValueError unless there is one number for each token."""
    require_array(tensor, name)
    sizes = zip(tensor.shape, token_ids.shape, strict=False)
    if len(tensor.shape) != len(token_ids.shape) or any(
        given != wanted for given, wanted in sizes if _is_known(given, tensor) and _is_known(wanted, token_ids)
    ):
        raise ValueError(
            f"{name} must have the shape of token_ids, {tuple(token_ids.shape)}. "
            f"Received: {name}.shape={tuple(tensor.shape)}"
        )


def _is_known(size: Any, tensor: Any) -> bool:
    """Whether a size is known.

    While Keras builds a model, a size may be None, a symbol (JAX), or any number on a device without data (PyTorch's
    "meta").
    """
    return isinstance(size, int) and getattr(getattr(tensor, "device", None), "type", None) != "meta"
