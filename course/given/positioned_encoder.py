"""A BERT with positions of any of chapter 9's kinds; everything else is from chapters 2 to 4."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Mapping
from typing import Any

import keras
from keras import ops

from course.embeddings import BertEmbedding, sinusoidal_positions
from course.encoder import BertEncoder, EncoderBlock
from course.positions import PositionedAttention
from course.validation.values import require_choice

_ADDED = ("learned", "sinusoidal")  # to the tokens, before the first block
_BY_ATTENTION = ("rope", "alibi")  # in every block


class PositionedEmbedding(BertEmbedding):
    """Chapter 2's embedding, whose positions may be sine waves, or missing, so that a text may have any length.

    Args:
        *args, **kwargs: what `BertEmbedding` takes.
        positions: as in `PositionedEncoder`.
    """

    def __init__(self, *args: Any, positions: str = "none", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        require_choice("positions", positions, (*_ADDED, *_BY_ATTENTION, "none"))
        self.positions = positions
        self.table_length = self.max_length
        if positions not in _ADDED:
            self.max_length = sys.maxsize  # no text is too long

    def _position_table(self) -> keras.layers.Embedding | None:
        return super()._position_table() if self.positions == "learned" else None

    def _with_positions(self, x: Any) -> Any:
        if self.positions != "sinusoidal":
            return super()._with_positions(x)
        # As large as a learned table is at the start. Ten times as large, they would drown the tokens.
        waves = 0.02 * math.sqrt(2) * sinusoidal_positions(self.table_length, self.hidden_dim)
        rows = ops.take(ops.convert_to_tensor(waves), ops.arange(ops.shape(x)[1]), axis=0)  # (length, hidden_dim)
        return x + ops.cast(rows, x.dtype)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "max_length": self.table_length, "positions": self.positions}


class PositionedBlock(EncoderBlock):
    """Chapter 4's block, whose attention knows positions.

    Args:
        *args, **kwargs: what `EncoderBlock` takes.
        positions, scaling: as in `PositionedAttention`.
    """

    attention_class: type[PositionedAttention] = PositionedAttention

    def __init__(
        self, *args: Any, positions: str = "none", scaling: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.positions = positions
        self.scaling = dict(scaling or {})

    def _make_attention(self) -> keras.layers.Layer:
        return self.attention_class(
            self.hidden_dim,
            self.num_heads,
            self.attention_dropout,
            positions=self.positions,
            scaling=self.scaling,
            name="attention",
            dtype=self.dtype_policy,
        )

    def get_config(self) -> dict[str, Any]:
        return {**keras.layers.Layer.get_config(self), **_arguments(EncoderBlock, self)}


@keras.saving.register_keras_serializable(package="course")
class PositionedEncoder(BertEncoder):
    """BERT with positions of one of five kinds. Only learned ones have weights.

    Args:
        *args, **kwargs: what `BertEncoder` takes. Learned and sinusoidal positions end at `max_length`; with the
            others, a text may have any length.
        positions: "learned" or "sinusoidal", which are added to the tokens; "rope" or "alibi", by which attention sees
            how far apart two tokens are; or "none".
        scaling: as in `PositionedAttention`, for "rope".

    Attributes:
        attention_class: of the blocks' attention. A subclass may name its own.

    Raises:
        ValueError: positions of another kind, or what `BertEncoder` refuses.

    Example:
        >>> encoder = PositionedEncoder(vocabulary_size=8000, positions="alibi", **PRESETS["mini"])
        >>> encoder(token_ids)["sequence_output"]  # (batch, length, 256), whatever the length
    """

    attention_class: type[PositionedAttention] = PositionedAttention

    def __init__(
        self, *args: Any, positions: str = "rope", scaling: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        require_choice("positions", positions, (*_ADDED, *_BY_ATTENTION, "none"))
        self.positions = positions
        self.scaling = dict(scaling or {})

    def _make_embedding(self) -> keras.layers.Layer:
        return PositionedEmbedding.from_config({**super()._make_embedding().get_config(), "positions": self.positions})

    def _make_block(self, index: int) -> keras.layers.Layer:
        in_attention = self.positions if self.positions in _BY_ATTENTION else "none"
        config = super()._make_block(index).get_config()
        block = PositionedBlock.from_config({**config, "positions": in_attention, "scaling": self.scaling})
        block.attention_class = self.attention_class
        return block

    def get_config(self) -> dict[str, Any]:
        return {**keras.Model.get_config(self), **_arguments(BertEncoder, self)}


def _arguments(parent: type, layer: Any) -> dict[str, Any]:
    """Return what a layer was made with: its parent's arguments, and its positions."""
    names = inspect.signature(parent.__init__).parameters  # type: ignore[misc]
    taken = {name: getattr(layer, name) for name in names if name not in ("self", "kwargs")}
    return {**taken, "positions": layer.positions, "scaling": layer.scaling}
