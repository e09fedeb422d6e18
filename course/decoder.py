"""Writing: a decoder puts one word after the other, and looks back at what it has read.

Additive attention, with which neural translation took off; the block of a Transformer's decoder; its training by
teacher forcing; the search for a sentence; and a cache, so that no word is computed twice.
"""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
from keras import ops

# Import the whole module, because a student's own class may name its projections differently.
import course.attention
from course.attention import MultiHeadAttention, causal_mask, merge_heads, scaled_dot_product_attention, split_heads
from course.encoder import FeedForward, LayerNorm, arguments
from course.positions import PositionedAttention
from course.validation.arrays import (
    require_additive_shapes,
    require_cache,
    require_divisible,
    require_integers,
    require_padded_on_the_right,
    require_rank,
)
from course.validation.steps import Step, log_probabilities
from course.validation.values import require_distinct_ids, require_numbers, require_shares, require_sizes


@keras.saving.register_keras_serializable(package="course")
class AdditiveAttention(keras.layers.Layer):
    """Attends to keys, with a small network that learns how well a query and a key fit.

    score = vᵀ tanh(W q + U k)

    The weights of a query are the softmax of its scores over the keys, and its output is the mean of the values with
    these weights.

    Args:
        units: width of W q and of U k, and so the number of entries of v.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: `units` is not a whole number of at least 1, or shapes do not fit each other.

    Example:
        >>> attention = AdditiveAttention(units=64)
        >>> context, weights = attention(states, sentence, key_mask=source_ids != 0)

    Reference: Bahdanau et al., "Neural Machine Translation by Jointly Learning to Align and Translate", 2015,
    https://arxiv.org/abs/1409.0473, section 3.1, equations 5 and 6, and appendix A.1.2.
    """

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_sizes(units=units)
        self.units = units

    def build(self, query_shape: tuple, keys_shape: tuple) -> None:
        """Makes W, U and v, so that they exist before the first call.

        `self.query_dense` (W), `key_dense` (U) and `score_dense` (v) are Dense layers without a bias, the first two
        `self.units` wide and the last 1 wide. They are named "query", "key" and "score", have this layer's dtype
        policy, and are built here.

        Args:
            query_shape: (batch, width) or (batch, query_length, width).
            keys_shape: (batch, key_length, key_width).
        """

        def projection(units: int, name: str) -> keras.layers.Dense:
            return keras.layers.Dense(units, use_bias=False, name=name, dtype=self.dtype_policy)

        self.query_dense = projection(self.units, "query")
        self.key_dense = projection(self.units, "key")
        self.score_dense = projection(1, "score")
        self.query_dense.build(query_shape)
        self.key_dense.build(keys_shape)
        self.score_dense.build((*keys_shape[:-1], self.units))

    def call(self, query: Any, keys: Any, values: Any = None, key_mask: Any = None) -> tuple[Any, Any]:
        """Scores every query with every key, and takes the mean of the values.

        What must hold:
            - Keys that the mask forbids get the weight 0. If all keys of a text are forbidden, its weights are finite.
            - The softmax is taken in float32, whatever the dtype is.

        Args:
            query: (batch, width), one for each text, or (batch, query_length, width).
            keys: (batch, key_length, key_width), one or more.
            values: (batch, key_length, value_width). None: the keys.
            key_mask: boolean, (batch, key_length), True where a key may be looked at. None allows all.

        Returns:
            context: (batch, value_width) or (batch, query_length, value_width), as the query is, and
            weights: (batch, key_length) or (batch, query_length, key_length); both in this layer's compute dtype.
        """
        values = keys if values is None else values
        require_additive_shapes(query, keys, values, key_mask)
        is_single = len(query.shape) == 2
        queries = query[:, None, :] if is_single else query  # (batch, query, width)

        projected = self.query_dense(queries)[:, :, None, :] + self.key_dense(keys)[:, None, :, :]
        scores = self.score_dense(ops.tanh(projected))[..., 0]  # (batch, query, key)
        scores = ops.cast(scores, keras.backend.result_type(scores.dtype, "float32"))
        if key_mask is not None:
            scores = ops.where(ops.expand_dims(key_mask, 1), scores, -1e9)
        weights = ops.cast(ops.softmax(scores, axis=-1), self.compute_dtype)
        context = ops.matmul(weights, ops.cast(values, self.compute_dtype))  # (batch, query, value_width)
        return (context[:, 0], weights[:, 0]) if is_single else (context, weights)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "units": self.units}


def teacher_forcing(targets: Any, start_id: int, end_id: int, padding_id: int = 0) -> tuple[Any, Any, Any]:
    """Return the inputs of a model that learns to write, the labels that it should predict, and the labels' weights.

    At each place the model sees the right words so far, whatever it would have written itself, and predicts the next
    one. So it sees the start before the first word, and predicts the end after the last one. It also runs in a compiled
    data pipeline, where the targets are a tensor of unknown sizes.

    Args:
        targets: integers, (batch, length): texts without start and end, filled up with padding on the right.
        start_id: stands before the first word.
        end_id: stands after the last one.
        padding_id: fills up short texts.

    Returns:
        inputs: (batch, length + 1), the start and then the words,
        labels: (batch, length + 1), the words and then, right after the last one, the end; both with padding after
            that, and both of the dtype of `targets`, and
        weights: (batch, length + 1), float32, 1 where a word or the end is to be predicted, and 0 after that.

    Raises:
        ValueError: targets that are not integers, or of another shape, or with padding before a word; or two equal ids.

    Example:
        >>> inputs, labels, weights = teacher_forcing(np.array([[7, 8, 9], [7, 0, 0]]), start_id=1, end_id=2)
        >>> inputs   # [[1, 7, 8, 9], [1, 7, 0, 0]]
        >>> labels   # [[7, 8, 9, 2], [7, 2, 0, 0]]
        >>> weights  # [[1, 1, 1, 1], [1, 1, 0, 0]]

    Reference: Williams and Zipser, "A Learning Algorithm for Continually Running Fully Recurrent Neural Networks",
    1989.
    """
    require_rank(targets, "targets", ("batch", "length"))
    require_integers(targets, "targets")
    require_padded_on_the_right(targets, padding_id)
    require_distinct_ids(start_id=start_id, end_id=end_id, padding_id=padding_id)
    targets = ops.convert_to_tensor(targets)
    dtype = keras.backend.standardize_dtype(targets.dtype)
    batch, length = ops.shape(targets)
    lengths = ops.sum(ops.cast(ops.not_equal(targets, padding_id), "int32"), axis=1, keepdims=True)  # (batch, 1)
    places = ops.arange(length + 1)[None, :]  # (1, length + 1)

    inputs = ops.concatenate([ops.full((batch, 1), start_id, dtype=dtype), targets], axis=1)
    labels = ops.concatenate([targets, ops.full((batch, 1), padding_id, dtype=dtype)], axis=1)
    labels = ops.where(places == lengths, ops.cast(end_id, dtype), labels)
    return inputs, labels, ops.cast(places <= lengths, "float32")


@keras.saving.register_keras_serializable(package="course")
class DecoderBlock(keras.layers.Layer):
    """Attention to what has been written, attention to what was read, and the feed-forward network.

    Each has a path around it and a normalization, in the order of chapter 4's block:

        x = norm(x + dropout(part(x)))        post-LN
        x = x + dropout(part(norm(x)))        pre-LN, with `norm_first`

    No word may see a later one. Without a context, the second part is left out, and the block is one of GPT.

    Args:
        hidden_dim: width of the tokens.
        num_heads: how many heads of attention; it must divide `hidden_dim`.
        intermediate_dim: width inside the feed-forward network.
        dropout: share of each part's output, and of the attention weights, that is dropped in training.
        norm_first: whether it is a pre-LN block.
        positions: "rope", "alibi" or "none", in both attentions, which each count queries and keys from 0.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: sizes that do not fit each other, a dropout that is not a share, or positions of another kind.

    Example:
        >>> block = DecoderBlock(hidden_dim=64, num_heads=4, intermediate_dim=128)
        >>> block(x, sentence, context_mask=padding_mask(source_ids))  # (batch, length, 64)
        >>> block(x)                                                   # a block of GPT

    Reference: Vaswani et al., "Attention Is All You Need", 2017, https://arxiv.org/abs/1706.03762, section 3.1, and
    3.2.3 for what attends to what.
    """

    def __init__(
        self,
        hidden_dim: int,
        num_heads: int,
        intermediate_dim: int,
        dropout: float = 0.1,
        norm_first: bool = False,
        *,
        positions: str = "none",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_divisible(hidden_dim, num_heads)
        require_sizes(intermediate_dim=intermediate_dim)
        require_shares(dropout=dropout)
        self.hidden_dim = hidden_dim
        self.num_heads = num_heads
        self.intermediate_dim = intermediate_dim
        self.dropout = dropout
        self.norm_first = norm_first
        self.positions = positions
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)
        self.input_spec = keras.layers.InputSpec(ndim=3, axes={-1: hidden_dim})

    def build(self, x_shape: tuple, context_shape: tuple | None = None) -> None:
        """Makes the parts and their weights, so that they exist before the first call.

        `self_attention` and `cross_attention`, a `PositionedAttention` each, with `positions=self.positions`, which for
        "none" is chapter 3's layer; `feed_forward`, a `FeedForward`; and before or after each a `LayerNorm`:
        `self_attention_norm`, `cross_attention_norm` and `feed_forward_norm`. All have the names given here, get
        `dtype=self.dtype_policy`, and are built here. Without a context, `cross_attention` and its norm are not made.

        Args:
            x_shape: (batch, length, hidden_dim).
            context_shape: (batch, context_length, context_width), or None.
        """
        dtype = self.dtype_policy

        def attention(name: str) -> PositionedAttention:
            sizes = (self.hidden_dim, self.num_heads, self.dropout)
            return PositionedAttention(*sizes, positions=self.positions, name=name, dtype=dtype)

        self.self_attention = attention("self_attention")
        self.feed_forward = FeedForward(self.hidden_dim, self.intermediate_dim, name="feed_forward", dtype=dtype)
        self.self_attention_norm = LayerNorm(name="self_attention_norm", dtype=dtype)
        self.feed_forward_norm = LayerNorm(name="feed_forward_norm", dtype=dtype)
        for part in (self.self_attention, self.feed_forward, self.self_attention_norm, self.feed_forward_norm):
            part.build(x_shape)
        if context_shape is not None:
            self.cross_attention = attention("cross_attention")
            self.cross_attention_norm = LayerNorm(name="cross_attention_norm", dtype=dtype)
            self.cross_attention.build(x_shape, context_shape)
            self.cross_attention_norm.build(x_shape)

    def call(self, x: Any, context: Any = None, attention_mask: Any = None, context_mask: Any = None) -> Any:
        """Applies the parts, one after the other: what was written, what was read, feed-forward.

        `self.dropout_layer` serves all parts, and knows by itself whether it is in training.

        Args:
            x: (batch, length, hidden_dim), the words so far.
            context: (batch, context_length, context_width), what was read, which gives the keys and values; or None.
            attention_mask: boolean, True where x may attend to x, in addition to the rule that no word sees a later
                one: (query, key), (batch, query, key), or what broadcasts to (batch, num_heads, query, key); or None.
                `MultiHeadAttention.with_four_axes` turns each of these into the last, as in chapter 3.
            context_mask: boolean, True where x may attend to the context; or None.

        Returns:
            (batch, length, hidden_dim).
        """
        seen = causal_mask(ops.shape(x)[1])[None, None]  # (1, 1, query, key)
        if attention_mask is not None:
            seen = ops.logical_and(seen, MultiHeadAttention.with_four_axes(attention_mask))

        def written(x: Any) -> Any:
            return self.self_attention(x, attention_mask=seen)

        def read(x: Any) -> Any:
            return self.cross_attention(x, context=context, attention_mask=context_mask)

        parts = [(written, self.self_attention_norm)]
        if context is not None:
            parts.append((read, self.cross_attention_norm))
        parts.append((self.feed_forward, self.feed_forward_norm))
        drop = self.dropout_layer
        for part, norm in parts:
            x = x + drop(part(norm(x))) if self.norm_first else norm(x + drop(part(x)))  # (batch, length, hidden_dim)
        return x

    def compute_output_shape(self, x_shape: tuple, context_shape: tuple | None = None) -> tuple:
        return x_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}


def greedy(step: Step, start_ids: Any, end_id: int, max_length: int, padding_id: int = 0) -> np.ndarray:
    """Writes several texts at once, with the likeliest word at each place.

    What must hold:
        - Rows do not depend on each other. After its end, a row gets padding.
        - Each call of `step` gets all rows, those that have ended, too: row r always belongs to text r.
        - Writing stops when all rows have ended, or after `max_length` words.
        - A start is never an end, even where it has the id of the end, as in GPT-2.

    Args:
        step: a function from the words written so far, with the start, integers, (rows, length), to log P of each word
            that could follow, (rows, vocabulary); all are NumPy arrays.
        start_ids: integers, (rows,), the word that each text begins with.
        end_id: the word that ends a text.
        max_length: how many words are written at most, the end included.
        padding_id: fills up a row after its end.

    Returns:
        int32, (rows, length of the longest), without the start.

    Raises:
        ValueError: no row, a maximum below 1, a step that gives another shape, or an id outside of its vocabulary.

    Example:
        >>> greedy(translator.step(source_ids), start_ids=np.array([1, 1]), end_id=2, max_length=20)
        [[17, 5, 30, 2], [9, 2, 0, 0]]
    """
    starts = np.asarray(ops.convert_to_numpy(start_ids))
    require_rank(starts, "start_ids", ("rows",))
    require_sizes(rows=len(starts), max_length=max_length)
    require_integers(starts, "start_ids")
    written = starts[:, None].astype("int32")  # (rows, 1)
    has_ended = np.zeros(len(starts), bool)
    while written.shape[1] <= max_length and not has_ended.all():
        known = {"end_id": end_id, "the least of start_ids": starts.min(), "the greatest of start_ids": starts.max()}
        likeliest = log_probabilities(step, written, **known).argmax(axis=1)
        words = np.where(has_ended, padding_id, likeliest).astype("int32")
        written = np.concatenate([written, words[:, None]], axis=1)
        has_ended |= words == end_id
    return written[:, 1:]


def beam_search(
    step: Step, start_id: int, end_id: int, beams: int, max_length: int, length_penalty: float = 0.0
) -> tuple[list[int], float]:
    """Searches for the likeliest text among those that begin well: at each place, only the best few go on.

    At each place, every hypothesis is extended by every word. Extensions are ranked by the sum of log P of their words.

        - Of the `beams` best extensions, those that end with `end_id` are finished: they are kept, and not extended.
        - Of all extensions that do not end with it, the `beams` best go on.

    At the end, finished hypotheses and those that are left after `max_length` words compete. The best is the one with
    the highest sum / n^length_penalty, where n is its number of words, the end included.

    Args:
        step: as in `greedy`, but its rows are hypotheses of one text. Row r of its output says what follows row r of
            its input.
        start_id: the word that the text begins with.
        end_id: the word that ends it.
        beams: how many hypotheses go on.
        max_length: how many words are written at most, the end included.
        length_penalty: 0 or more. At 0, short texts have an advantage, because each word lowers the sum.

    Returns:
        The ids of the best text, without the start, and with the end if it was reached; and its score.

    Raises:
        ValueError: a number of beams or a maximum below 1, a negative penalty, a step that gives another shape, or an
            id outside of its vocabulary.

    Example:
        >>> beam_search(translator.step(source_ids), start_id=1, end_id=2, beams=4, max_length=20)
        ([17, 5, 30, 2], -0.31)

    Reference: Sutskever et al., 2014, https://arxiv.org/abs/1409.3215, section 3.2. The penalty is that of many
    libraries; Wu et al., 2016, https://arxiv.org/abs/1609.08144, equation 14, divide by ((5 + n) / 6)^penalty.
    """
    require_sizes(beams=beams, max_length=max_length)
    require_numbers(length_penalty=length_penalty)
    live, sums = np.array([[start_id]], "int32"), np.zeros(1)  # (hypotheses, words), (hypotheses,)
    candidates: list[tuple[list[int], float]] = []
    while len(live) and live.shape[1] <= max_length:
        scores = sums[:, None] + log_probabilities(step, live, start_id=start_id, end_id=end_id)
        rows, words = np.unravel_index(np.argsort(-scores, axis=None, kind="stable"), scores.shape)  # the best first
        for row, word in zip(rows[:beams], words[:beams], strict=True):
            if word == end_id:
                candidates.append(([*live[row, 1:].tolist(), end_id], scores[row, word]))
        rows, words = (each[words != end_id][:beams] for each in (rows, words))
        sums = scores[rows, words]
        live = np.concatenate([live[rows], words[:, None].astype("int32")], axis=1)
    candidates += zip(live[:, 1:].tolist(), sums, strict=True)
    ids, total = max(candidates, key=lambda found: found[1] / len(found[0]) ** length_penalty)
    return ids, float(total / len(ids) ** length_penalty)


@keras.saving.register_keras_serializable(package="course")
class CachedAttention(course.attention.MultiHeadAttention):
    """Attention to all words written so far, which computes the key and value of no word twice.

    It has the weights of `MultiHeadAttention`, and gives the same outputs as that layer with a causal mask, a few words
    at a time.

    Args:
        hidden_dim, num_heads, dropout, **kwargs: as in `MultiHeadAttention`; nothing is dropped here.

    Example:
        >>> cache = attention.empty_cache(batch=2, max_length=100)
        >>> output, cache = attention(x[:, :7], cache, position=0)   # the first seven words at once
        >>> output, cache = attention(x[:, 7:8], cache, position=7)  # then one

    Reference: Shazeer, "Fast Transformer Decoding", 2019, https://arxiv.org/abs/1911.02150, section 2.4.
    """

    def build(self, inputs_shape: tuple) -> None:
        super().build(inputs_shape)

    def empty_cache(self, batch: int, max_length: int) -> Any:
        """Return zeros for the keys and values of `max_length` words: (batch, 2, num_heads, max_length, head_dim)."""
        require_sizes(batch=batch, max_length=max_length)
        shape = (batch, 2, self.num_heads, max_length, self.hidden_dim // self.num_heads)
        return ops.zeros(shape, dtype=self.compute_dtype)

    def call(self, inputs: Any, cache: Any, position: Any) -> tuple[Any, Any]:
        """Writes the new words' keys and values into the cache, and attends to what it holds so far.

        A new word sees itself, the new ones before it, and all words of earlier calls. Later entries of the cache have
        no influence. The layers are `self.query_dense`, `key_dense`, `value_dense` and `output_dense`.

        Args:
            inputs: (batch, new, width), the new words, which stand at position, position + 1, ...
            cache: (batch, 2, num_heads, max_length, head_dim), keys at 0 of the second axis, and values at 1.
            position: a whole number, or a tensor without axes: how many words were written before.

        Returns:
            (batch, new, hidden_dim), and the cache with the new words in it. The given cache is not changed.

        Raises:
            ValueError: a cache of another shape, or one that has no room for the new words.
        """
        require_cache(cache, inputs, position, self.num_heads, self.hidden_dim)
        layers = (self.query_dense, self.key_dense, self.value_dense)
        query, key, value = (split_heads(layer(inputs), self.num_heads) for layer in layers)

        new = ops.cast(ops.stack([key, value], axis=1), cache.dtype)  # (batch, 2, heads, new, head_dim)
        cache = ops.slice_update(cache, (0, 0, 0, position, 0), new)
        places = ops.arange(ops.shape(cache)[3])
        seen = places[None, :] <= position + ops.arange(ops.shape(inputs)[1])[:, None]  # (new, max_length)
        output, _ = scaled_dot_product_attention(query, cache[:, 0], cache[:, 1], seen[None, None])
        return self.output_dense(merge_heads(output)), cache  # (batch, new, hidden_dim)
