"""A class decorator, a helper method with einsum instead of transposes, setattr in a loop over the four names."""
# exercise: MultiHeadAttention; right: 10
from __future__ import annotations
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_array, require_attention_shapes, require_divisible, require_length, require_mask, require_rank
def _described(cls):
    cls.names = ("query", "key", "value", "output")
    return cls
@keras.saving.register_keras_serializable(package="course")
@_described
class MultiHeadAttention(keras.layers.Layer):
    def __init__(self, hidden_dim: int, num_heads: int, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_divisible(hidden_dim, num_heads)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)
        self.input_spec = keras.layers.InputSpec(ndim=3)

    def build(self, inputs_shape: tuple, context_shape: tuple | None = None) -> None:
        context_shape = context_shape or inputs_shape
        shapes = (inputs_shape, context_shape, context_shape, (*inputs_shape[:-1], self.hidden_dim))
        for name, shape in zip(self.names, shapes, strict=True):
            dense = keras.layers.Dense(self.hidden_dim, name=name, dtype=self.dtype_policy)
            dense.build(shape)
            setattr(self, f"{name}_dense", dense)

    def call(self, inputs: Any, context: Any = None, attention_mask: Any = None, training: bool | None = None, return_weights: bool = False) -> Any:
        context = inputs if context is None else context
        mask = self.with_four_axes(attention_mask)
        query, key, value = (
            ops.reshape(dense(x), (-1, ops.shape(x)[1], self.num_heads, self.hidden_dim // self.num_heads))
            for dense, x in ((self.query_dense, inputs), (self.key_dense, context), (self.value_dense, context))
        )  # (batch, length, heads, head_dim) each
        scores = ops.einsum("bqhd,bkhd->bhqk", query / math.sqrt(self.hidden_dim // self.num_heads), key)
        scores = ops.cast(scores, "float32")
        if mask is not None:
            scores = ops.where(mask, scores, -1e9)
        weights = ops.cast(ops.softmax(scores, axis=-1), value.dtype)
        kept = self.dropout_layer(weights, training=training)
        output = ops.einsum("bhqk,bkhd->bqhd", kept, value)
        output = self.output_dense(ops.reshape(output, (-1, ops.shape(inputs)[1], self.hidden_dim)))
        return (output, weights) if return_weights else output

    @staticmethod
    def with_four_axes(mask: Any) -> Any:
        if mask is None:
            return None
        require_array(mask, "attention_mask")
        if len(mask.shape) == 4:
            return mask
        if len(mask.shape) == 3:
            return mask[:, None, :, :]
        if len(mask.shape) == 2:
            return mask[None, None, :, :]
        raise ValueError(
            "attention_mask must be (query, key), (batch, query, key), or broadcast to "
            "(batch, num_heads, query, key). For a mask over keys, (batch, key), pass "
            f"`mask[:, None, None, :]`. Received: attention_mask.shape={tuple(mask.shape)}"
        )

    def compute_output_shape(self, inputs_shape: tuple, context_shape: tuple | None = None) -> tuple:
        return (*inputs_shape[:-1], self.hidden_dim)

    def compute_output_spec(
        self,
        inputs: Any,
        context: Any = None,
        attention_mask: Any = None,
        training: bool | None = None,
        return_weights: bool = False,
    ) -> Any:
        batch, query_length, _ = inputs.shape
        key_length = query_length if context is None else context.shape[1]
        output = keras.KerasTensor((batch, query_length, self.hidden_dim), self.compute_dtype)
        weights = keras.KerasTensor((batch, self.num_heads, query_length, key_length), self.compute_dtype)
        return (output, weights) if return_weights else output

    def get_config(self) -> dict[str, Any]:
        config = {"hidden_dim": self.hidden_dim, "num_heads": self.num_heads, "dropout": self.dropout}
        return {**super().get_config(), **config}
