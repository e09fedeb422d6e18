"""The encoder: attention and a feed-forward network make a block, and block upon block makes BERT.

Reference: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
2018, https://arxiv.org/abs/1810.04805.
"""

from __future__ import annotations

import inspect
import math
from typing import Any

import keras
from keras import ops

from course.attention import MultiHeadAttention
from course.embeddings import BertEmbedding, require_same_shape
from course.validation.arrays import require_divisible, require_features, require_floats
from course.validation.values import require_id, require_shares, require_sizes


def gelu(x: Any, approximate: bool = False) -> Any:
    """The Gaussian error linear unit: each number times the share of a normal distribution that is below it.

    gelu(x) = x Φ(x) = x · ½ (1 + erf(x / √2))

    Some published weights were trained with an approximation, which differs by up to 4.7e-4:

    gelu(x) ≈ ½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))

    Args:
        x: floats of any shape.
        approximate: whether to use the approximation.

    Returns:
        The shape and dtype of `x`.

    Raises:
        ValueError: whole numbers.

    Example:
        >>> gelu(np.array([-1.0, 0.0, 1.0]))
        [-0.1587, 0.0, 0.8413]

    Reference: Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016, https://arxiv.org/abs/1606.08415,
    section 2.
    """
    x = ops.convert_to_tensor(x)
    require_floats(x, "x")
    if approximate:
        return 0.5 * x * (1.0 + ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1.0 + ops.erf(x / math.sqrt(2.0)))


def layer_normalization(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    """Normalizes each token's features to the mean 0 and the variance 1, then applies a learned scale and shift.

    y = γ (x - μ) / √(σ² + ε) + β

    What must hold:
        - μ and σ² are those of one token's features, the last axis. No other token affects them.
        - σ² is the mean of the squared differences from μ: their sum divided by hidden_dim, not by hidden_dim - 1.
        - In float16, 1e-12 is 0, and squares overflow. Compute in float32, and return the dtype of `x`.

    Args:
        x: floats, (..., hidden_dim).
        gamma: (hidden_dim,), the scale γ.
        beta: (hidden_dim,), the shift β.
        epsilon: ε, which prevents a division by zero where a token has no variance.

    Returns:
        The shape and dtype of `x`.

    Raises:
        ValueError: whole numbers, or γ or β of another width than `x`.

    Example:
        >>> layer_normalization(np.array([[1.0, 3.0, 5.0]]), gamma=np.ones(3), beta=np.zeros(3))
        [[-1.2247, 0.0, 1.2247]]

    Reference: Ba et al., "Layer Normalization", 2016, https://arxiv.org/abs/1607.06450, section 3.
    """
    x, gamma, beta = (ops.convert_to_tensor(tensor) for tensor in (x, gamma, beta))
    require_features(x, gamma, beta)
    precise = keras.backend.result_type(x.dtype, "float32")
    features, gamma, beta = (ops.cast(tensor, precise) for tensor in (x, gamma, beta))
    mean = ops.mean(features, axis=-1, keepdims=True)  # (..., 1)
    variance = ops.mean(ops.square(features - mean), axis=-1, keepdims=True)  # (..., 1)
    normalized = (features - mean) * ops.rsqrt(variance + epsilon)  # (..., hidden_dim)
    return ops.cast(gamma * normalized + beta, x.dtype)


class LayerNorm(keras.layers.Layer):
    """Layer normalization with its weights: `gamma`, 1 at first, and `beta`, 0 at first."""

    def __init__(self, epsilon: float = 1e-12, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, x_shape: tuple) -> None:
        # Without autocast, mixed precision uses the weights as they are stored, in float32.
        self.gamma = self.add_weight(x_shape[-1:], "ones", name="gamma", autocast=False)
        self.beta = self.add_weight(x_shape[-1:], "zeros", name="beta", autocast=False)

    def call(self, x: Any) -> Any:
        return layer_normalization(x, self.gamma, self.beta, self.epsilon)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "epsilon": self.epsilon}


def projection(units: int, name: str, **kwargs: Any) -> keras.layers.Dense:
    """Return a Dense layer that starts as BERT's do: from a truncated normal distribution of deviation 0.02."""
    small = keras.initializers.TruncatedNormal(stddev=0.02)
    return keras.layers.Dense(units, kernel_initializer=small, name=name, **kwargs)


def arguments(layer: keras.layers.Layer) -> dict[str, Any]:
    """Return what a layer was made with: for each argument of its `__init__`, the attribute of the same name."""
    names = inspect.signature(type(layer).__init__).parameters
    return {name: getattr(layer, name) for name in names if name not in ("self", "kwargs")}


class FeedForward(keras.layers.Layer):
    """Two projections with a GELU between them, for each token by itself.

    FFN(x) = gelu(x W_1 + b_1) W_2 + b_2

    Args:
        hidden_dim: width of the input and of the output.
        intermediate_dim: width in between, in BERT four times `hidden_dim`.
        approximate_gelu: whether GELU is approximated, for weights that were trained with the approximation.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: a size that is not a whole number of at least 1.

    Example:
        >>> feed_forward = FeedForward(hidden_dim=256, intermediate_dim=1024)
        >>> feed_forward(x)  # (batch, length, 256)

    Reference: Vaswani et al., 2017, section 3.3, equation 2, and Devlin et al., 2018, for the GELU.
    """

    def __init__(self, hidden_dim: int, intermediate_dim: int, approximate_gelu: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_sizes(hidden_dim=hidden_dim, intermediate_dim=intermediate_dim)
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.approximate_gelu = approximate_gelu
        self.input_spec = keras.layers.InputSpec(min_ndim=2, axes={-1: hidden_dim})

    def build(self, x_shape: tuple) -> None:
        """Makes the two projections and their weights, so that they exist before the first call.

        `intermediate_dense`, named "intermediate", projects to `intermediate_dim`, and `output_dense`, named "output",
        back to `hidden_dim`. `projection(units, name, dtype=self.dtype_policy)` makes such a layer; each is built here
        for the width of its input. `x_shape` is (batch, length, hidden_dim).
        """
        self.intermediate_dense = projection(self.intermediate_dim, "intermediate", dtype=self.dtype_policy)
        self.output_dense = projection(self.hidden_dim, "output", dtype=self.dtype_policy)
        self.intermediate_dense.build(x_shape)
        self.output_dense.build((*x_shape[:-1], self.intermediate_dim))

    def call(self, x: Any) -> Any:
        """Projects, applies `gelu`, with `self.approximate_gelu`, and projects back.

        Args:
            x: (batch, length, hidden_dim).

        Returns:
            (batch, length, hidden_dim).
        """
        x = self.intermediate_dense(x)  # (batch, length, intermediate_dim)
        x = gelu(x, approximate=self.approximate_gelu)
        return self.output_dense(x)  # (batch, length, hidden_dim)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}


class EncoderBlock(keras.layers.Layer):
    """Attention, then the feed-forward network, each with a path around it and a normalization.

    In the original Transformer and in BERT the sum is normalized (post-LN):

        x = norm_1(x + dropout(attention(x)))
        x = norm_2(x + dropout(feed_forward(x)))

    With `norm_first`, the input of each part is normalized (pre-LN), and the path around it is not:

        x = x + dropout(attention(norm_1(x)))
        x = x + dropout(feed_forward(norm_2(x)))

    Args:
        hidden_dim: width of the tokens.
        num_heads: how many heads of attention; it must divide `hidden_dim`.
        intermediate_dim: width inside the feed-forward network.
        dropout: share of each part's output that is dropped in training.
        norm_first: whether it is a pre-LN block.
        attention_dropout: share of the attention weights that is dropped in training. None: the same as `dropout`.
        approximate_gelu: whether GELU is approximated.
        epsilon: added to the variance in the normalization.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: sizes that do not fit each other, or a dropout that is not a share.

    Example:
        >>> block = EncoderBlock(hidden_dim=256, num_heads=4, intermediate_dim=1024)
        >>> block(x, attention_mask=padding_mask(token_ids))  # (batch, length, 256)

    Reference: Vaswani et al., 2017, section 3.1; Xiong et al., "On Layer Normalization in the Transformer
    Architecture", 2020, https://arxiv.org/abs/2002.04745, table 1, for both orders.
    """

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
        """Makes the four parts and their weights, so that they exist before the first call.

        `attention`, a `MultiHeadAttention` with `attention_dropout`; `feed_forward`, a `FeedForward`; and
        `attention_norm` and `feed_forward_norm`, one `LayerNorm(self.epsilon)` each. All have the names given here, get
        `dtype=self.dtype_policy`, and are built here. `x_shape` is (batch, length, hidden_dim).
        """
        dtype = self.dtype_policy
        self.attention = self._make_attention()
        self.feed_forward = FeedForward(
            self.hidden_dim, self.intermediate_dim, self.approximate_gelu, name="feed_forward", dtype=dtype
        )
        self.attention_norm = LayerNorm(self.epsilon, name="attention_norm", dtype=dtype)
        self.feed_forward_norm = LayerNorm(self.epsilon, name="feed_forward_norm", dtype=dtype)
        for part in (self.attention, self.feed_forward, self.attention_norm, self.feed_forward_norm):
            part.build(x_shape)

    def _make_attention(self) -> keras.layers.Layer:
        return MultiHeadAttention(
            self.hidden_dim, self.num_heads, self.attention_dropout, name="attention", dtype=self.dtype_policy
        )

    def call(self, x: Any, attention_mask: Any = None) -> Any:
        """Applies the two equations of the chosen order.

        `self.dropout_layer` serves both parts, and knows by itself whether it is in training.

        Args:
            x: (batch, length, hidden_dim).
            attention_mask: boolean, True where attention is allowed, as `MultiHeadAttention` takes it; or None.

        Returns:
            (batch, length, hidden_dim).
        """
        if self.norm_first:
            attended = self.attention(self.attention_norm(x), attention_mask=attention_mask)
            x = x + self.dropout_layer(attended)  # (batch, length, hidden_dim), as all that follows
            return x + self.dropout_layer(self.feed_forward(self.feed_forward_norm(x)))
        attended = self.attention(x, attention_mask=attention_mask)
        x = self.attention_norm(x + self.dropout_layer(attended))
        return self.feed_forward_norm(x + self.dropout_layer(self.feed_forward(x)))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}


@keras.saving.register_keras_serializable(package="course")
class BertEncoder(keras.Model):
    """BERT without its heads: embeddings, blocks, and a pooler.

    Args:
        vocabulary_size: how many tokens there are.
        num_layers: how many blocks. num_heads, hidden_dim, intermediate_dim, dropout, attention_dropout,
            approximate_gelu, epsilon: as in `EncoderBlock`; the embedding uses `dropout` and `epsilon`, too.
        max_length: the longest text, in tokens.
        num_segments: how many segments there are.
        padding_id: the id that fills up short texts.
        **kwargs: what every Keras model takes, such as `name` and `dtype`.

    Raises:
        ValueError: sizes that do not fit each other, or a dropout that is not a share.

    Example:
        >>> encoder = BertEncoder(vocabulary_size=8000, max_length=128, **PRESETS["mini"])
        >>> outputs = encoder(token_ids, segment_ids)
        >>> outputs["sequence_output"]  # (batch, length, 256)
        >>> outputs["pooled_output"]    # (batch, 256)
        >>> encoder.save("encoder.keras")

    Reference: Devlin et al., 2018, section 3.
    """

    def __init__(
        self,
        vocabulary_size: int,
        num_layers: int,
        num_heads: int,
        hidden_dim: int,
        intermediate_dim: int,
        *,
        max_length: int = 512,
        num_segments: int = 2,
        dropout: float = 0.1,
        attention_dropout: float | None = None,
        approximate_gelu: bool = False,
        epsilon: float = 1e-12,
        padding_id: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_divisible(hidden_dim, num_heads)
        require_sizes(vocabulary_size=vocabulary_size, num_layers=num_layers, intermediate_dim=intermediate_dim)
        require_sizes(max_length=max_length, num_segments=num_segments)
        require_id("padding_id", padding_id, vocabulary_size)
        self.vocabulary_size = vocabulary_size
        self.num_layers = num_layers
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.max_length = max_length
        self.num_segments = num_segments
        self.dropout = dropout
        self.attention_dropout = dropout if attention_dropout is None else attention_dropout
        require_shares(dropout=self.dropout, attention_dropout=self.attention_dropout)
        self.approximate_gelu = approximate_gelu
        self.epsilon = epsilon
        self.padding_id = padding_id

    def build(self, token_ids_shape: tuple) -> None:
        """Makes the parts and their weights: `build((None, None))` is enough to load weights.

        `embedding` is a `BertEmbedding`; `blocks` is a list of `num_layers` post-LN `EncoderBlock`s, named
        "block_0", "block_1", ...; `pooler` is a projection to `hidden_dim` with the activation tanh. All get
        `dtype=self.dtype_policy` and are built here.

        Args:
            token_ids_shape: (batch, length).
        """
        self.embedding = self._make_embedding()
        self.blocks = [self._make_block(index) for index in range(self.num_layers)]
        self.pooler = self._make_pooler()

        batch, length = token_ids_shape
        self.embedding.build((batch, length))
        for block in self.blocks:
            block.build((batch, length, self.hidden_dim))
        self.pooler.build((batch, self.hidden_dim))

    def _make_embedding(self) -> keras.layers.Layer:
        tables = (self.vocabulary_size, self.hidden_dim, self.max_length, self.num_segments, self.dropout)
        return BertEmbedding(*tables, epsilon=self.epsilon, name="embedding", dtype=self.dtype_policy)

    def _make_block(self, index: int) -> keras.layers.Layer:
        return EncoderBlock(
            self.hidden_dim,
            self.num_heads,
            self.intermediate_dim,
            self.dropout,
            attention_dropout=self.attention_dropout,
            approximate_gelu=self.approximate_gelu,
            epsilon=self.epsilon,
            name=f"block_{index}",
            dtype=self.dtype_policy,
        )

    def _make_pooler(self) -> keras.layers.Layer:
        return projection(self.hidden_dim, "pooler", activation="tanh", dtype=self.dtype_policy)

    def call(
        self, token_ids: Any, segment_ids: Any = None, padding_mask: Any = None, return_layers: bool = False
    ) -> dict[str, Any]:
        """Embeds the tokens, sends them through all blocks, and pools the first token, [CLS].

        No token attends to padding. The blocks need a mask that broadcasts to (batch, heads, query, key).

        Args:
            token_ids: integers, (batch, length).
            segment_ids: integers, (batch, length). None: all in segment 0.
            padding_mask: boolean or 0 and 1, (batch, length), true at tokens. None: wherever the id is not
                `padding_id`.
            return_layers: whether to also return every layer's output.

        Returns:
            A dictionary of

            - "sequence_output": (batch, length, hidden_dim), of the last block;
            - "pooled_output": (batch, hidden_dim), tanh of a projection of the first token's;
            - "layer_outputs", with `return_layers`: a list of num_layers + 1, the embedding's and each
              block's, each (batch, length, hidden_dim).

        Raises:
            ValueError: other shapes or dtypes, ids out of range, or more than `max_length` tokens.
        """
        x = self.embedding(token_ids, segment_ids)  # (batch, length, hidden_dim)
        if padding_mask is None:
            padding_mask = ops.not_equal(token_ids, self.padding_id)  # (batch, length)
        require_same_shape(padding_mask, "padding_mask", token_ids)
        attention_mask = ops.cast(padding_mask, "bool")[:, None, None, :]  # (batch, 1, 1, key)

        layer_outputs = [x]
        for block in self.blocks:
            x = block(x, attention_mask=attention_mask)  # (batch, length, hidden_dim)
            layer_outputs.append(x)
        outputs = {"sequence_output": x, "pooled_output": self.pooler(x[:, 0])}
        return {**outputs, "layer_outputs": layer_outputs} if return_layers else outputs

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}
