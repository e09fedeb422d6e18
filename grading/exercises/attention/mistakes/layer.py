"""What goes wrong in MultiHeadAttention."""

from __future__ import annotations

import math
from typing import Any

import keras
from keras import ops

import course.attention as right
from grading.exercises.attention.checks import layer
from grading.exercises.attention.mistakes.dot_product import causal_left_in, in_float32, unscaled
from grading.exercises.attention.mistakes.heads import (
    merge_by_reshape,
    split_by_reshape,
    split_without_transpose,
)


class Variant(right.MultiHeadAttention):
    """The layer in four steps, one of which a mistake gets wrong."""

    def project(self, inputs: Any, context: Any) -> tuple[Any, Any, Any]:
        return self.query_dense(inputs), self.key_dense(context), self.value_dense(context)

    def split(self, x: Any) -> Any:
        return right.split_heads(x, self.num_heads)

    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> tuple[Any, Any]:
        return right.scaled_dot_product_attention(query, key, value, mask)

    def drop(self, weights: Any, training: Any) -> Any:
        return self.dropout_layer(weights, training=training)

    def merge(self, x: Any) -> Any:
        return right.merge_heads(x)

    def finish(self, output: Any, inputs: Any) -> Any:
        return self.output_dense(output)

    def call(
        self,
        inputs: Any,
        context: Any = None,
        attention_mask: Any = None,
        training: Any = None,
        return_weights: bool = False,
    ) -> Any:
        context = inputs if context is None else context
        mask = self.with_four_axes(attention_mask)
        query, key, value = (self.split(x) for x in self.project(inputs, context))
        _, weights = self.attend(query, key, value, mask)
        output = ops.matmul(self.drop(weights, training), value)
        output = self.finish(self.merge(output), inputs)
        return (output, weights) if return_weights else output


@layer.mistake(
    "The scores are not divided by √d_k.",
    hint="Inside a layer, too, q · k must be divided by the square root of the head's width.",
)
class Unscaled(Variant):
    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return unscaled(query, key, value, mask)


@layer.mistake(
    "The scores are divided by √hidden_dim instead of √head_dim.",
    hint="Each head works alone. How wide are its queries and keys?",
)
class ScaledByModelWidth(Variant):
    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        divisor = math.sqrt(self.hidden_dim)
        return in_float32(query, key, value, mask, divisor=lambda query, key: divisor)


@layer.mistake(
    "The heads are split by reshape alone: positions and heads are mixed up.",
    hint="Reshape never moves numbers. Where must a transpose come?",
)
class SplitByReshape(Variant):
    def split(self, x: Any) -> Any:
        return split_by_reshape(x, self.num_heads)


@layer.mistake(
    "The heads are merged by reshape without transposing back: tokens are mixed up.",
    hint="A token's heads must be neighbours before they are joined.",
)
class MergedByReshape(Variant):
    def merge(self, x: Any) -> Any:
        return merge_by_reshape(x)


@layer.mistake(
    "The heads are split and merged by reshape alone: positions and heads are mixed up.",
    hint="Reshape never moves numbers. Both ways need a transpose.",
)
class SplitAndMergedByReshape(SplitByReshape):
    def merge(self, x: Any) -> Any:
        return merge_by_reshape(x)


@layer.mistake(
    "The heads are not split: all features attend as one head.",
    hint="With one head there is one view of the text. Where is num_heads used?",
)
class OneHead(Variant):
    def split(self, x: Any) -> Any:
        return right.split_heads(x, 1)


@layer.mistake(
    "The tokens of a head attend to the other heads instead of to the other tokens.",
    hint="The axis before the last must be the length when the scores are computed.",
)
class HeadsAttendToHeads(Variant):
    def split(self, x: Any) -> Any:
        return split_without_transpose(x, self.num_heads)

    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return right.scaled_dot_product_attention(query, key, value)

    def merge(self, x: Any) -> Any:
        batch, length, num_heads, head_dim = ops.shape(x)
        return ops.reshape(x, (batch, length, num_heads * head_dim))


@layer.mistake(
    "The output projection is missing: there are weights for query, key and value only.",
    hint="What the heads found stands side by side. Which projection mixes it?",
)
class NoOutputProjection(Variant):
    def build(self, inputs_shape: Any, context_shape: Any = None) -> None:
        for name, shape in (("query", inputs_shape), ("key", context_shape), ("value", context_shape)):
            dense = keras.layers.Dense(self.hidden_dim, name=name, dtype=self.dtype_policy)
            dense.build(shape or inputs_shape)
            setattr(self, f"{name}_dense", dense)

    def finish(self, output: Any, inputs: Any) -> Any:
        return output


@layer.mistake(
    "The output projection is made but never used.",
    hint="What the heads found stands side by side. Which projection mixes it?",
)
class OutputProjectionUnused(Variant):
    def finish(self, output: Any, inputs: Any) -> Any:
        return output


@layer.mistake(
    "The projections have no bias.",
    hint="BERT's projections have one. Which argument of Dense takes it away?",
)
class NoBias(Variant):
    def build(self, inputs_shape: Any, context_shape: Any = None) -> None:
        merged_shape = (*inputs_shape[:-1], self.hidden_dim)
        for name, shape in (
            ("query", inputs_shape),
            ("key", context_shape),
            ("value", context_shape),
            ("output", merged_shape),
        ):
            dense = keras.layers.Dense(self.hidden_dim, use_bias=False, name=name, dtype=self.dtype_policy)
            dense.build(shape or inputs_shape)
            setattr(self, f"{name}_dense", dense)


@layer.mistake(
    "The projections have an activation; they are linear.",
    hint="An activation such as relu takes all negative numbers from queries, keys and values.",
)
class Activated(Variant):
    def project(self, inputs: Any, context: Any) -> Any:
        return tuple(ops.relu(x) for x in super().project(inputs, context))


@layer.mistake(
    "Queries and keys share one projection.",
    hint="What a token looks for and what it offers are two things.",
)
class SharedQueryAndKey(Variant):
    def project(self, inputs: Any, context: Any) -> Any:
        if inputs.shape[-1] != context.shape[-1]:
            return super().project(inputs, context)
        return self.query_dense(inputs), self.query_dense(context), self.value_dense(context)


@layer.mistake(
    "The values are the keys: the value projection is never used.",
    hint="By the keys a token is found. What is taken from it has a projection of its own.",
)
class KeysAsValues(Variant):
    def project(self, inputs: Any, context: Any) -> Any:
        query, key, _ = super().project(inputs, context)
        return query, key, key


@layer.mistake(
    "The roles are exchanged: the context asks, and the inputs are attended to.",
    hint="The tokens of `inputs` ask, so there is one output for each of them. Which projection is theirs?",
)
class RolesExchanged(Variant):
    def build(self, inputs_shape: Any, context_shape: Any = None) -> None:
        super().build(context_shape or inputs_shape, inputs_shape)

    def project(self, inputs: Any, context: Any) -> Any:
        return super().project(context, inputs)

    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        exchanged = query.shape[-2] != key.shape[-2]
        return super().attend(query, key, value, None if exchanged else mask)


@layer.mistake(
    "The mask is ignored.",
    hint="Does `mask` reach scaled_dot_product_attention?",
)
class MaskIgnored(Variant):
    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return super().attend(query, key, value, None)


@layer.mistake(
    "The mask is upside down: what is allowed is forbidden, and the other way round.",
    hint="True means that attention is allowed.",
)
class MaskInverted(Variant):
    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return super().attend(query, key, value, None if mask is None else ops.logical_not(mask))


@layer.mistake(
    "The mask is transposed: it forbids queries instead of keys, and padding is still attended.",
    hint="A padding mask is (batch, 1, 1, key). The last axis of the scores are the keys.",
)
class MaskTransposed(Variant):
    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        if mask is not None and query.shape[-2] == key.shape[-2]:
            mask = ops.swapaxes(mask, -1, -2)
        return super().attend(query, key, value, mask)


@layer.mistake(
    "A causal mask is left in: the future never reaches earlier outputs.",
    hint="BERT looks both ways. Only the mask that is passed in forbids anything.",
)
class CausalLeftIn(Variant):
    def attend(self, query: Any, key: Any, value: Any, mask: Any) -> Any:
        return causal_left_in(query, key, value, mask)


@layer.mistake(
    "The context is ignored: the inputs always attend to themselves.",
    hint="Keys and values come from the context where there is one.",
)
class ContextIgnored(Variant):
    def call(
        self,
        inputs: Any,
        context: Any = None,
        attention_mask: Any = None,
        training: Any = None,
        return_weights: bool = False,
    ) -> Any:
        same_length = context is None or inputs.shape[1] == context.shape[1]
        return super().call(inputs, None, attention_mask if same_length else None, training, return_weights)

    def build(self, inputs_shape: Any, context_shape: Any = None) -> None:
        super().build(inputs_shape)


@layer.mistake(
    "The inputs are added to the output. The residual belongs to the block of the next chapter.",
    hint="This layer returns what attention gives, and nothing else.",
)
class ResidualAdded(Variant):
    def finish(self, output: Any, inputs: Any) -> Any:
        output = super().finish(output, inputs)
        return output + inputs if inputs.shape[-1] == self.hidden_dim else output + ops.sum(inputs, -1, keepdims=True)


@layer.mistake(
    "Dropout is always on: `training` is ignored.",
    hint="Two calls outside training must agree. Pass `training` on.",
)
class AlwaysDropping(Variant):
    def drop(self, weights: Any, training: Any) -> Any:
        return self.dropout_layer(weights, training=True)


@layer.mistake(
    "Dropout is never applied.",
    hint="self.dropout_layer takes the weights and `training`, before the values are summed.",
)
class NeverDropping(Variant):
    def drop(self, weights: Any, training: Any) -> Any:
        return weights


@layer.mistake(
    "return_weights is ignored: the weights are never returned.",
    hint="Where return_weights is True, return a tuple of the output and the weights.",
)
class WeightsNeverReturned(Variant):
    def call(
        self,
        inputs: Any,
        context: Any = None,
        attention_mask: Any = None,
        training: Any = None,
        return_weights: bool = False,
    ) -> Any:
        return super().call(inputs, context, attention_mask, training)


@layer.mistake(
    "The weights are averaged over the heads.",
    hint="Each head has weights of its own: (batch, num_heads, query, key).",
)
class WeightsAveraged(Variant):
    def call(
        self,
        inputs: Any,
        context: Any = None,
        attention_mask: Any = None,
        training: Any = None,
        return_weights: bool = False,
    ) -> Any:
        output, weights = super().call(inputs, context, attention_mask, training, return_weights=True)
        return (output, ops.mean(weights, axis=1)) if return_weights else output
