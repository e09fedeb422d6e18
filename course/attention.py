"""Attention: every token looks at every other one and takes what it needs.

From the equation to the layer that BERT uses: scaled dot product, masks, heads. Throughout, a mask is boolean
and True where attention is allowed.

Reference: Vaswani et al., "Attention Is All You Need", 2017, https://arxiv.org/abs/1706.03762, section 3.2.
"""

from __future__ import annotations

import math
from typing import Any

import keras
from keras import ops

from course.validation.arrays import (
    require_array,
    require_attention_shapes,
    require_divisible,
    require_length,
    require_mask,
    require_rank,
)


def scaled_dot_product_attention(query: Any, key: Any, value: Any, mask: Any = None) -> tuple[Any, Any]:
    """Gives every query the mean of the values, weighted by how well the query fits their keys.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, where d_k is `head_dim`, the width of a query and of a key.

    What must hold:
        - The weights of each query are positive and sum to 1 over the keys that it may attend to.
        - A key that the mask forbids gets the weight 0.
        - A query that may attend to nothing gets finite weights and gradients, never NaN. Any finite weights will do,
          because nothing uses the output of such a query.
        - All this also holds in half precision, in which a sum of many small numbers is inexact, and -1e9 is infinite
          in float16: take the softmax in float32, and return the dtype of the inputs.

    Args:
        query: (..., query_length, head_dim).
        key: (..., key_length, head_dim).
        value: (..., key_length, value_dim).
        mask: boolean, True where attention is allowed, with a shape that broadcasts to (..., query_length, key_length).
            None allows everything.

    Returns:
        output: (..., query_length, value_dim), and
        weights: (..., query_length, key_length).

    Raises:
        ValueError: shapes that do not fit each other, or a mask that is not boolean.

    Example:
        The products of the query, of width 4, with the two keys are 2 and 0. Divided by √4, the scores are 1 and 0.

        >>> query = np.array([[1.0, 1.0, 0.0, 0.0]])
        >>> key = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
        >>> value = np.array([[10.0], [20.0]])
        >>> output, weights = scaled_dot_product_attention(query, key, value)
        >>> weights  # [[0.731, 0.269]]
        >>> output   # [[12.69]]

    Reference: Vaswani et al., 2017, section 3.2.1, equation 1.
    """
    query, key, value = (ops.convert_to_tensor(tensor) for tensor in (query, key, value))
    require_attention_shapes(query, key, value)
    head_dim = query.shape[-1]

    # Divide the query, not the scores: it is smaller, and the product does not overflow in float16.
    query = ops.divide(query, math.sqrt(head_dim))
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2))  # (..., query, key)
    scores = ops.cast(scores, keras.backend.result_type(scores.dtype, "float32"))
    if mask is not None:
        mask = ops.convert_to_tensor(mask)
        require_mask(mask, scores.shape)
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    weights = ops.cast(weights, keras.backend.result_type(value.dtype, float))
    return ops.matmul(weights, value), weights  # (..., query, value_dim), (..., query, key)


def padding_mask(token_ids: Any, padding_id: int = 0) -> Any:
    """Return the mask that keeps every query from attending to padding.

    The mask is over keys: its two middle axes broadcast over the heads and the queries.

    Args:
        token_ids: integers, (batch, length).
        padding_id: the id that fills up short texts.

    Returns:
        Boolean, (batch, 1, 1, length): True at tokens, False at padding.

    Raises:
        ValueError: `token_ids` is not (batch, length).

    Example:
        >>> padding_mask(np.array([[7, 4, 9], [5, 0, 0]]))  # shape (2, 1, 1, 3)
        [[[[True, True, True]]], [[[True, False, False]]]]
    """
    token_ids = ops.convert_to_tensor(token_ids)
    require_rank(token_ids, "token_ids", ("batch", "length"))
    return ops.not_equal(token_ids, padding_id)[:, None, None, :]  # (batch, 1, 1, key)


def causal_mask(length: int) -> Any:
    """Return the mask that keeps every query from attending to later tokens, as a decoder needs it.

    A decoder writes from left to right.

    Args:
        length: how many tokens there are, at least 1; in a compiled model, a tensor without axes.

    Returns:
        Boolean, (length, length), with a row for each query and a column for each key: True on the diagonal and below.

    Raises:
        ValueError: `length` is negative, or not a whole number.

    Example:
        >>> causal_mask(3)
        [[True, False, False], [True, True, False], [True, True, True]]
    """
    require_length(length)
    positions = ops.arange(length)
    return positions[:, None] >= positions[None, :]  # (query, key)


def split_heads(x: Any, num_heads: int) -> Any:
    """Splits the features of every token into heads, and puts the axis of the heads next to the batch.

    The first head gets the first `head_dim` features of every token, the second the next, and so on; `head_dim` is
    `hidden_dim / num_heads`. After this, one matrix product serves all heads at once.

    Args:
        x: (batch, length, hidden_dim).
        num_heads: how many heads.

    Returns:
        (batch, num_heads, length, head_dim), of the dtype of `x`. In a compiled model, head_dim is a known size, where
        -1 would leave it open: attention divides by its square root.

    Raises:
        ValueError: `x` has another rank, or `num_heads` does not divide `hidden_dim`.

    Example:
        Two tokens of four features, in two heads: each head sees both tokens, with two features of each.

        >>> split_heads(np.array([[[1, 2, 3, 4], [5, 6, 7, 8]]]), num_heads=2)
        [[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]]

    Reference: Vaswani et al., 2017, section 3.2.2.
    """
    x = ops.convert_to_tensor(x)
    require_rank(x, "x", ("batch", "length", "hidden_dim"))
    require_divisible(x.shape[-1], num_heads)
    _, length, hidden_dim = ops.shape(x)
    x = ops.reshape(x, (-1, length, num_heads, hidden_dim // num_heads))  # (batch, length, heads, head_dim)
    return ops.transpose(x, (0, 2, 1, 3))  # (batch, heads, length, head_dim)


def merge_heads(x: Any) -> Any:
    """Joins the heads of every token again: `merge_heads(split_heads(x, num_heads))` is `x`.

    Args:
        x: (batch, num_heads, length, head_dim).

    Returns:
        (batch, length, num_heads * head_dim), of the dtype of `x`.

    Raises:
        ValueError: `x` has another rank.

    Example:
        >>> merge_heads(np.array([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]]))
        [[[1, 2, 3, 4], [5, 6, 7, 8]]]
    """
    x = ops.convert_to_tensor(x)
    require_rank(x, "x", ("batch", "num_heads", "length", "head_dim"))
    _, num_heads, length, head_dim = ops.shape(x)
    x = ops.transpose(x, (0, 2, 1, 3))  # (batch, length, heads, head_dim)
    return ops.reshape(x, (-1, length, num_heads * head_dim))  # (batch, length, hidden_dim)


@keras.saving.register_keras_serializable(package="course")  # so that a saved model finds the class
class MultiHeadAttention(keras.layers.Layer):
    """Several attention heads side by side, each with its own view of the tokens.

    MultiHead(X, C) = concat(head_1, ..., head_h) W_O, where head_i is the attention of the i-th part of X W_Q
    to the i-th parts of C W_K and C W_V. Without a context, the tokens attend to each other: C = X.

    `attention_mask` says what may be attended to. The layer does not use a mask that Keras attaches to a tensor, as
    `keras.layers.Embedding(..., mask_zero=True)` does; Keras warns about it.

    Args:
        hidden_dim: width of the output, of all heads together.
        num_heads: how many heads; it must divide `hidden_dim`.
        dropout: share of the attention weights that is dropped in training.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: `num_heads` does not divide `hidden_dim`.

    Example:
        >>> attention = MultiHeadAttention(hidden_dim=64, num_heads=4)
        >>> attention(x, attention_mask=padding_mask(token_ids))  # tokens attend to each other
        >>> attention(x, context=y)                               # tokens of x attend to those of y
        >>> output, weights = attention(x, return_weights=True)   # to look at the weights

    Reference: Vaswani et al., 2017, section 3.2.2; Devlin et al., "BERT", 2018, section 3.
    """

    def __init__(self, hidden_dim: int, num_heads: int, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_divisible(hidden_dim, num_heads)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)
        self.input_spec = keras.layers.InputSpec(ndim=3)

    def build(self, inputs_shape: tuple, context_shape: tuple | None = None) -> None:
        """Makes the four projections and their weights, so that they exist before the first call.

        `self.query_dense`, `key_dense`, `value_dense` and `output_dense` are Dense layers of width
        `hidden_dim` with a bias, named "query", "key", "value" and "output", and this layer's dtype
        policy. Each is built for the width of its input: the inputs (query), the context (key and
        value), or the merged heads (output).

        Args:
            inputs_shape: (batch, query_length, width).
            context_shape: (batch, key_length, context_width), or None where the inputs attend to themselves.
        """

        def projection(name: str) -> keras.layers.Dense:
            return keras.layers.Dense(self.hidden_dim, name=name, dtype=self.dtype_policy)

        self.query_dense = projection("query")
        self.key_dense = projection("key")
        self.value_dense = projection("value")
        self.output_dense = projection("output")

        context_shape = context_shape or inputs_shape
        self.query_dense.build(inputs_shape)
        self.key_dense.build(context_shape)
        self.value_dense.build(context_shape)
        self.output_dense.build((*inputs_shape[:-1], self.hidden_dim))  # the merged heads

    def call(
        self,
        inputs: Any,
        context: Any = None,
        attention_mask: Any = None,
        training: bool | None = None,
        return_weights: bool = False,
    ) -> Any:
        """Projects, splits into heads, attends, merges the heads, and projects once more.

        In training, `self.dropout_layer` drops some of the weights before the values are summed.

        Args:
            inputs: (batch, query_length, width): the tokens that ask.
            context: (batch, key_length, context_width): the tokens that are attended to. None: the inputs.
            attention_mask: boolean, True where attention is allowed: (query, key), (batch, query, key), or what
                broadcasts to (batch, num_heads, query, key). `with_four_axes` turns each of these into the last.
            training: whether weights are dropped.
            return_weights: whether to also return the attention weights.

        Returns:
            (batch, query_length, hidden_dim); with `return_weights`, a tuple of this and the weights before
            dropout, (batch, num_heads, query_length, key_length).
        """
        context = inputs if context is None else context
        mask = self.with_four_axes(attention_mask)

        query = split_heads(self.query_dense(inputs), self.num_heads)  # (batch, heads, query, head_dim)
        key = split_heads(self.key_dense(context), self.num_heads)  # (batch, heads, key, head_dim)
        value = split_heads(self.value_dense(context), self.num_heads)  # (batch, heads, key, head_dim)

        query, key = self._position(query, key)
        output, weights = self._attend(query, key, value, mask)
        if self.dropout and training:  # sums again, over the connections that are left
            output = ops.matmul(self.dropout_layer(weights, training=True), value)

        output = self.output_dense(merge_heads(output))  # (batch, query, hidden_dim)
        return (output, weights) if return_weights else output

    def _position(self, query: Any, key: Any) -> tuple[Any, Any]:
        """Return the queries and keys as they are; a layer that knows positions rotates them here."""
        return query, key

    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> tuple[Any, Any]:
        """Return the output and the weights; a layer that adds to the scores does so here."""
        return scaled_dot_product_attention(query, key, value, mask)

    @staticmethod
    def with_four_axes(mask: Any) -> Any:
        """Return the mask as (batch, num_heads, query, key), where a size may be 1; None stays None.

        Raises:
            ValueError: a mask of one axis or more than four.
        """
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
