"""Positions: not where a token stands, but how far away it is.

Rotations that make a product of query and key depend on their distance (RoPE), three ways to let them read texts
longer than in training, and a penalty on distance that needs no repair (ALiBi).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import keras
import numpy as np
from keras import ops

# Import the whole module, because a student's own class may lack the two methods that `PositionedAttention` replaces.
import course.attention
from course.validation.arrays import (
    require_attention_shapes,
    require_length,
    require_mask,
    require_positions,
    require_rotation,
)
from course.validation.values import require_choice, require_numbers, require_sizes

# The ways to slow down the turning for longer texts.
METHODS = ("none", "linear", "ntk", "yarn")


def rotary_frequencies(head_dim: int, base: float = 10000.0) -> np.ndarray:
    """Return the angle, in radians, by which each pair of features is turned at every step along the text.

    θ_i = base^(-2i / head_dim), for i = 0, 1, ..., head_dim / 2 - 1

    Args:
        head_dim: width of a head, an even number: two features make a pair.
        base: the larger, the slower the last pairs turn.

    Returns:
        (head_dim / 2,), float32. The first is 1, and each is smaller than the one before.

    Raises:
        ValueError: an odd `head_dim`, or a `base` that is not more than 1.

    Example:
        >>> rotary_frequencies(head_dim=8)
        [1.0, 0.1, 0.01, 0.001]

    Reference: Su et al., "RoFormer", 2021, https://arxiv.org/abs/2104.09864, section 3.2.2, where i counts from 1.
    """
    require_sizes(head_dim=head_dim)
    require_numbers(base=base)
    if head_dim % 2 or base <= 1:
        raise ValueError(
            "head_dim must be even, since features are turned in pairs, and base must be more than 1. "
            f"Received: head_dim={head_dim}, base={base}"
        )
    even = np.arange(0, head_dim, 2)  # the 2i of the equation, (head_dim / 2,)
    return (base ** (-even / head_dim)).astype("float32")


def rotary_angles(positions: Any, frequencies: Any) -> tuple[Any, Any]:
    """Return cosine and sine of the angle by which each pair is turned at each position: position · θ_i.

    What must hold:
        - Angles are computed in float32, whatever dtype the positions have: bfloat16 cannot count beyond 256.
        - Where each text has positions of its own, an axis of size 1 lets them broadcast over the heads.
        - It runs in a compiled model, where the positions are tensors whose values are not known yet.

    Args:
        positions: (length,), or (batch, length) where each text has its own.
        frequencies: (head_dim / 2,), in radians.

    Returns:
        cos and sin, each (length, head_dim / 2) or (batch, 1, length, head_dim / 2), float32.

    Raises:
        ValueError: positions or frequencies of another rank.

    Example:
        >>> rotary_angles(np.array([0, 2]), np.array([1.0, 0.1]))
        ([[1.0, 1.0], [-0.4161, 0.9801]], [[0.0, 0.0], [0.9093, 0.1987]])

    Reference: Su et al., 2021, section 3.4.2.
    """
    positions, frequencies = ops.convert_to_tensor(positions), ops.convert_to_tensor(frequencies)
    require_positions(positions, frequencies)
    angles = ops.cast(positions, "float32")[..., None] * ops.cast(frequencies, "float32")  # (..., length, head_dim / 2)
    if len(positions.shape) == 2:
        angles = angles[:, None]  # (batch, 1, length, head_dim / 2)
    return ops.cos(angles), ops.sin(angles)


def rotate(x: Any, cos: Any, sin: Any) -> Any:
    """Turns each pair of features of every query or key by the angle of its position.

    Feature i of the first half and feature i of the second half are a pair, a point in the plane. Turned by the
    angle α, the point (a, b) becomes (a cos α - b sin α, b cos α + a sin α).

    What must hold:
        - Position 0, with the cosine 1 and the sine 0, changes nothing, and no pair changes its length.
        - The product of a query turned at m and a key turned at n depends on n - m alone.
        - All this also holds in half precision: compute in float32, and return the dtype of `x`.

    GPT-NeoX and most models in Hugging Face's library, Llama's among them, whose weights were reordered for it, have
    this layout of two halves. The paper, GPT-J, Cohere's models and Meta's own code for Llama pair neighbours, features
    2i and 2i + 1: this is right as well, but for other weights.

    Args:
        x: (..., length, head_dim).
        cos, sin: (..., length, head_dim / 2), of shapes that broadcast over the other axes of `x`.

    Returns:
        The shape and dtype of `x`.

    Raises:
        ValueError: shapes that do not fit each other.

    Example:
        By a quarter turn, where the cosine is 0 and the sine 1, the point (1, 2) becomes (-2, 1).

        >>> rotate(np.array([[1.0, 2.0]]), cos=np.array([[0.0]]), sin=np.array([[1.0]]))
        [[-2.0, 1.0]]

    Reference: Su et al., 2021, section 3.4.2.
    """
    x, cos, sin = (ops.convert_to_tensor(tensor) for tensor in (x, cos, sin))
    require_rotation(x, cos, sin)
    precise = keras.backend.result_type(x.dtype, "float32")
    cos, sin = ops.cast(cos, precise), ops.cast(sin, precise)
    first, second = ops.split(ops.cast(x, precise), 2, axis=-1)  # each (..., length, head_dim / 2)
    turned = ops.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)
    return ops.cast(turned, x.dtype)  # (..., length, head_dim)


def scaled_frequencies(
    head_dim: int,
    method: str = "none",
    factor: float = 1.0,
    trained_length: int = 512,
    *,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
) -> tuple[np.ndarray, float]:
    """Return frequencies with which a trained model reads texts `factor` times as long, without more training.

    With s = `factor`, d = `head_dim` and L = `trained_length`:

        - "none": the θ_i of `rotary_frequencies`.
        - "linear": all become θ_i / s, as if the positions lay s times as close.
        - "ntk": the base becomes base · s^(d / (d - 2)). θ_0 stays, the last becomes exactly 1/s of what it was.
        - "yarn": a mix of its own for each pair: θ_i (1 - γ_i) + γ_i θ_i / s. The ramp γ_i is 0 up to the pair `low`,
          1 from the pair `high`, and linear in i between them. In training, pair i turns β times where
          i = d ln(L / (2π β)) / (2 ln base). `low` is this i for `beta_fast`, rounded down, at least 0; `high` is
          that for `beta_slow`, rounded up, at most d - 1. If `high` is not above `low`, γ is 1 right after `low`: their
          distance counts as 0.001.

    YaRN also makes attention sharper. Queries and keys are both multiplied by 0.1 ln s + 1, its attention factor;
    that of the others is 1. With s = 1 every method gives the plain frequencies and 1.

    The paper on YaRN lets γ rise with the number of turns. The code of its authors, and of all libraries, lets it rise
    with i, as here; published models were trained with the code.

    Args:
        head_dim: width of a head, even; at least 4 for "ntk".
        method: "none", "linear", "ntk" or "yarn".
        factor: s, how many times as long the texts are, at least 1.
        trained_length: L, how many positions there were in training; only "yarn" uses it.
        base: of the frequencies in training.
        beta_fast: pairs that turn this often in training, or more often, stay as they are.
        beta_slow: pairs that turn this often, or less, are divided by s.

    Returns:
        The frequencies, (head_dim / 2,) and float32, and the attention factor.

    Raises:
        ValueError: an unknown method, or a number out of range.

    Example:
        >>> scaled_frequencies(8, "linear", factor=4.0)
        ([0.25, 0.025, 0.0025, 0.00025], 1.0)
        >>> scaled_frequencies(8, "ntk", factor=4.0)
        ([1.0, 0.063, 0.00397, 0.00025], 1.0)

    Reference: Chen et al., "Extending Context Window of Large Language Models via Positional Interpolation", 2023,
    https://arxiv.org/abs/2306.15595, section 2.3; Peng et al., "YaRN", 2023, https://arxiv.org/abs/2309.00071,
    section 3, for all of these.
    """
    frequencies = rotary_frequencies(head_dim, base)  # (head_dim / 2,)
    require_choice("method", method, METHODS)
    require_sizes(trained_length=trained_length)
    require_numbers(factor=factor, beta_fast=beta_fast, beta_slow=beta_slow)
    if factor < 1 or not beta_fast > beta_slow > 0:
        raise ValueError(
            "factor must be at least 1, and beta_fast more than beta_slow, which must be more than 0. "
            f"Received: factor={factor}, beta_fast={beta_fast}, beta_slow={beta_slow}"
        )
    if method == "ntk" and head_dim < 4:
        raise ValueError(f'head_dim must be at least 4 for "ntk": two pairs. Received: head_dim={head_dim}')

    if method == "linear":
        return frequencies / factor, 1.0
    if method == "ntk":
        return rotary_frequencies(head_dim, base * factor ** (head_dim / (head_dim - 2))), 1.0
    if method == "yarn":

        def pair_that_turns(times: float) -> float:
            return head_dim * math.log(trained_length / (2 * math.pi * times)) / (2 * math.log(base))

        low = max(math.floor(pair_that_turns(beta_fast)), 0)
        high = min(math.ceil(pair_that_turns(beta_slow)), head_dim - 1)
        ramp = np.clip((np.arange(head_dim // 2) - low) / max(high - low, 0.001), 0, 1)  # (head_dim / 2,)
        slowing = (1 - ramp + ramp / factor).astype("float32")
        return frequencies * slowing, 0.1 * math.log(factor) + 1
    return frequencies, 1.0


def alibi_slopes(num_heads: int) -> np.ndarray:
    """Return how strongly each head prefers what is near: its penalty for one step.

    Of n heads, where n is a power of two, head h = 1, ..., n has the slope 2^(-8h / n).

    Otherwise, with p the largest power of two below n: first come the slopes of p heads. The missing n - p follow, from
    the slopes of 2p heads: the first, the third, the fifth, and so on, in this order.

    Args:
        num_heads: n, how many heads.

    Returns:
        (num_heads,), float32, all between 0 and 1.

    Raises:
        ValueError: `num_heads` is not a whole number of at least 1.

    Example:
        >>> alibi_slopes(4)
        [0.25, 0.0625, 0.015625, 0.00390625]
        >>> alibi_slopes(3)
        [0.0625, 0.00390625, 0.25]

    Reference: Press et al., "Train Short, Test Long", 2021, https://arxiv.org/abs/2108.12409, section 3; the rule for
    other numbers is that of the authors' code.
    """
    require_sizes(num_heads=num_heads)

    def slopes(heads: int) -> np.ndarray:
        return 2.0 ** (-8 / heads * np.arange(1, heads + 1))  # (heads,)

    power = 2 ** (int(num_heads).bit_length() - 1)
    missing = slopes(2 * power)[::2][: num_heads - power]
    return np.concatenate([slopes(power), missing]).astype("float32")


def alibi_bias(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    """Return what is added to the scores: 0 for a token itself, and less the farther away a key is.

    bias[head, i, j] = - slope[head] · |offset + i - j|

    The bias forbids nothing. It is the mask that hides padding or the future.

    Args:
        num_heads: how many heads; `alibi_slopes` says how steep each is.
        query_length: how many queries. In a compiled model, the layer passes a tensor without axes for each length.
        key_length: how many keys; they stand at 0, 1, 2, ...
        offset: the position of the first query. It is not 0 if earlier tokens are only keys.

    Returns:
        (1, num_heads, query_length, key_length), float32.

    Raises:
        ValueError: a length or the offset is negative, or not a whole number.

    Example:
        Two heads, with the slopes 1/16 and 1/256, and a query at position 1.

        >>> alibi_bias(num_heads=2, query_length=1, key_length=3, offset=1)
        [[[[-0.0625, 0.0, -0.0625]], [[-0.0039, 0.0, -0.0039]]]]

    Reference: Press et al., 2021, section 3. The paper's model writes, and only looks back; with the distance to both
    sides, a model that reads can use the same bias.
    """
    for name, length in (("query_length", query_length), ("key_length", key_length), ("offset", offset)):
        require_length(length, name)
    queries, keys = ops.arange(query_length) + offset, ops.arange(key_length)
    distance = ops.cast(ops.abs(queries[:, None] - keys[None, :]), "float32")  # (query, key)
    slopes = ops.convert_to_tensor(alibi_slopes(num_heads))[:, None, None]  # (heads, 1, 1)
    return (-slopes * distance)[None]  # (1, heads, query, key)


def biased_attention(query: Any, key: Any, value: Any, bias: Any, mask: Any = None) -> tuple[Any, Any]:
    """Attention with a bias on its scores: softmax(Q Kᵀ / √d_k + bias) V.

    Args:
        query, key, value, mask: as `scaled_dot_product_attention` takes them.
        bias: of a shape that broadcasts to (..., query_length, key_length).

    Returns:
        output and weights, as `scaled_dot_product_attention` gives them.

    Raises:
        ValueError: shapes that do not fit each other, or a mask that is not boolean.
    """
    query, key, value = (ops.convert_to_tensor(tensor) for tensor in (query, key, value))
    require_attention_shapes(query, key, value)
    scores = ops.matmul(query / math.sqrt(query.shape[-1]), ops.swapaxes(key, -1, -2))  # (..., query, key)
    precise = keras.backend.result_type(scores.dtype, "float32")
    scores = ops.cast(scores, precise) + ops.cast(bias, precise)
    if mask is not None:
        mask = ops.convert_to_tensor(mask)
        require_mask(mask, scores.shape)
        scores = ops.where(mask, scores, -1e9)
    weights = ops.cast(ops.softmax(scores, axis=-1), keras.backend.result_type(value.dtype, float))
    return ops.matmul(weights, value), weights


@keras.saving.register_keras_serializable(package="course")
class PositionedAttention(course.attention.MultiHeadAttention):
    """Multi-head attention that knows how far apart tokens are. This needs no additional weights.

    It is chapter 3's layer, which passes its queries and keys, split into heads, to `_position`, and then calls
    `_attend`. These two methods are new.

    Args:
        hidden_dim, num_heads, dropout: as in `MultiHeadAttention`.
        positions: "rope", "alibi" or "none".
        scaling: what `scaled_frequencies` takes after `head_dim`, for "rope", such as
            {"method": "yarn", "factor": 4.0, "trained_length": 512}. None: as in training.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: `num_heads` does not divide `hidden_dim`, or positions of another kind.

    Example:
        >>> attention = PositionedAttention(hidden_dim=64, num_heads=4, positions="alibi")
        >>> attention(x, attention_mask=padding_mask(token_ids))

    Reference: Su et al., 2021, section 3; Press et al., 2021, section 3.
    """

    def __init__(
        self,
        hidden_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        *,
        positions: str = "rope",
        scaling: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(hidden_dim, num_heads, dropout, **kwargs)
        require_choice("positions", positions, ("rope", "alibi", "none"))
        self.positions = positions
        self.scaling = dict(scaling or {})

    def _position(self, query: Any, key: Any) -> tuple[Any, Any]:
        """With "rope", turns queries and keys, each at its own position, counted from 0.

        The frequencies are those of `scaled_frequencies`, with `self.scaling`, and both queries and keys are multiplied
        by its attention factor. With other positions, nothing changes.

        Args:
            query: (batch, num_heads, query_length, head_dim).
            key: (batch, num_heads, key_length, head_dim): of the same tokens, or of a context.

        Returns:
            query and key, in their shapes and dtypes.
        """
        if self.positions != "rope":
            return query, key
        frequencies, attention_factor = scaled_frequencies(self.hidden_dim // self.num_heads, **self.scaling)

        def turned(x: Any) -> Any:
            cos, sin = rotary_angles(ops.arange(ops.shape(x)[2]), frequencies)  # (length, head_dim / 2)
            return rotate(x, attention_factor * cos, attention_factor * sin)

        return turned(query), turned(key)

    def _attend(self, query: Any, key: Any, value: Any, mask: Any) -> tuple[Any, Any]:
        """With "alibi", calls `biased_attention` with the bias for these lengths; otherwise `super()._attend`.

        Args:
            query, key, value: (batch, num_heads, length, head_dim); keys may be more or fewer than queries.
            mask: boolean, of four axes, or None.

        Returns:
            (batch, num_heads, query_length, head_dim), and the weights, (batch, num_heads, query_length, key_length).
        """
        if self.positions != "alibi":
            return super()._attend(query, key, value, mask)
        bias = alibi_bias(self.num_heads, ops.shape(query)[2], ops.shape(key)[2])  # (1, heads, query, key)
        return biased_attention(query, key, value, bias, mask)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "positions": self.positions, "scaling": self.scaling}
