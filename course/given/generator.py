"""The generator of ELECTRA: it guesses the words that then become the fakes.

Reference: Clark et al., "ELECTRA", 2020, https://arxiv.org/abs/2003.10555, sections 2 and 3.2.
"""

from __future__ import annotations

from typing import Any

import keras

from course.encoder import EncoderBlock, arguments, projection
from course.validation.values import require_sizes


@keras.saving.register_keras_serializable(package="course")
class Generator(keras.layers.Layer):
    """A narrow stack of blocks on the embeddings of another encoder, which it shares.

    Args:
        num_layers, num_heads, hidden_dim, intermediate_dim, dropout: as in `BertEncoder`; the authors take a quarter
            to a half of the discriminator's width.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: sizes that do not fit each other.

    Example:
        >>> generator = Generator(num_layers=4, num_heads=2, hidden_dim=64, intermediate_dim=256)
        >>> generator(embedded, attention_mask)  # as wide as its input
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
        """Return vectors for the head, (batch, length, width), like the embeddings; the blocks get the mask."""
        x = self.narrow(x)  # (batch, length, hidden_dim)
        for block in self.blocks:
            x = block(x, attention_mask=attention_mask)
        return self.widen(x)  # (batch, length, width)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}
