"""What goes wrong in FeedForward."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.encoder as right
from grading.exercises.encoder.checks import feed_forward


class Variant(right.FeedForward):
    """The network in steps, one of which a mistake gets wrong."""

    def activate(self, x: Any) -> Any:
        return right.gelu(x, approximate=self.approximate_gelu)

    def finish(self, x: Any) -> Any:
        return self.output_dense(x)

    def call(self, x: Any) -> Any:
        return self.finish(self.activate(self.intermediate_dense(x)))


@feed_forward.whole_mistake(
    "There is no activation: two projections without one are a single linear map.",
    hint="What stands between the two products in the equation?",
)
class NoActivation(Variant):
    def activate(self, x: Any) -> Any:
        return x


@feed_forward.whole_mistake(
    "The activation is ReLU instead of GELU.",
    hint="You wrote the activation that BERT has, a few cells above.",
)
class Relu(Variant):
    def activate(self, x: Any) -> Any:
        return ops.relu(x)


@feed_forward.whole_mistake(
    "The activation is SiLU (swish) instead of GELU.",
    hint="You wrote the activation that BERT has, a few cells above.",
)
class Silu(Variant):
    def activate(self, x: Any) -> Any:
        return ops.silu(x)


@feed_forward.whole_mistake(
    "The activation is tanh instead of GELU.",
    hint="tanh belongs to the pooler. You wrote the activation that is wanted here, a few cells above.",
)
class Tanh(Variant):
    def activate(self, x: Any) -> Any:
        return ops.tanh(x)


@feed_forward.whole_mistake(
    "GELU is approximated where the exact one is asked for.",
    hint="The layer knows which of the two is wanted. Some libraries approximate unless they are told.",
)
class AlwaysApproximate(Variant):
    def activate(self, x: Any) -> Any:
        return right.gelu(x, approximate=True)


@feed_forward.whole_mistake(
    "approximate_gelu is ignored: GELU is always exact.",
    hint="gelu has a second argument.",
)
class NeverApproximate(Variant):
    def activate(self, x: Any) -> Any:
        return right.gelu(x)


@feed_forward.whole_mistake(
    "GELU is applied after the second projection, too.",
    hint="A network that ends in GELU gives nearly no negative numbers. What does the equation end with?",
)
class ActivatedTwice(Variant):
    def finish(self, x: Any) -> Any:
        return self.activate(self.output_dense(x))


@feed_forward.whole_mistake(
    "GELU comes after both projections instead of between them.",
    hint="Where is the bracket of gelu(...) closed in the equation?",
)
class ActivatedLast(Variant):
    def call(self, x: Any) -> Any:
        return self.activate(self.output_dense(self.intermediate_dense(x)))


@feed_forward.whole_mistake(
    "GELU comes before the first projection.",
    hint="What goes into gelu in the equation, x or x W_1 + b_1?",
)
class ActivatedFirst(Variant):
    def call(self, x: Any) -> Any:
        return self.output_dense(self.intermediate_dense(self.activate(x)))


@feed_forward.whole_mistake(
    "What came in is added to what goes out. The path around belongs to the block.",
    hint="This layer returns what its two projections give, and nothing else.",
)
class ResidualAdded(Variant):
    def call(self, x: Any) -> Any:
        return super().call(x) + x


@feed_forward.whole_mistake(
    "The projections have no bias.",
    hint="b_1 and b_2 are in the equation. Which argument of Dense takes them away?",
)
class NoBias(Variant):
    def build(self, x_shape: tuple) -> None:
        options = {"use_bias": False, "dtype": self.dtype_policy}
        self.intermediate_dense = keras.layers.Dense(self.intermediate_dim, name="intermediate", **options)
        self.output_dense = keras.layers.Dense(self.hidden_dim, name="output", **options)
        self.intermediate_dense.build(x_shape)
        self.output_dense.build((*x_shape[:-1], self.intermediate_dim))


@feed_forward.whole_mistake(
    "The second projection is missing: what comes out is intermediate_dim wide.",
    hint="The block adds what comes out to what went in. How wide must it be?",
)
class OneProjection(Variant):
    def build(self, x_shape: tuple) -> None:
        self.intermediate_dense = right.projection(self.intermediate_dim, "intermediate", dtype=self.dtype_policy)
        self.intermediate_dense.build(x_shape)

    def finish(self, x: Any) -> Any:
        return x


@feed_forward.whole_mistake(
    "intermediate_dim is ignored: the width in between is always four times hidden_dim.",
    hint="Four times is a habit of BERT's, and not a law. The layer was told a width.",
)
class AlwaysFourTimes(Variant):
    def build(self, x_shape: tuple) -> None:
        self.intermediate_dense = right.projection(4 * self.hidden_dim, "intermediate", dtype=self.dtype_policy)
        self.output_dense = right.projection(self.hidden_dim, "output", dtype=self.dtype_policy)
        self.intermediate_dense.build(x_shape)
        self.output_dense.build((*x_shape[:-1], 4 * self.hidden_dim))


@feed_forward.whole_mistake(
    "The mean of all tokens is added to each: a token depends on its neighbours.",
    hint="Tokens meet in attention. Here each is alone.",
)
class TokensMixed(Variant):
    def activate(self, x: Any) -> Any:
        return super().activate(x + ops.mean(x, axis=-2, keepdims=True))


@feed_forward.whole_mistake(
    "What comes out is normalized. The normalization belongs to the block.",
    hint="This layer returns what its two projections give, and nothing else.",
)
class Normalized(Variant):
    def finish(self, x: Any) -> Any:
        return right.layer_normalization(super().finish(x), ops.ones(self.hidden_dim), ops.zeros(self.hidden_dim))


@feed_forward.whole_mistake(
    "The parts are not where the docstring of `build` says, so later cells cannot put published weights there.",
    hint="Compare each name behind `self.` in `build` with the docstring, letter by letter. Does each part have its "
    "weights when `build` is done, before any call?",
)
class OtherNames(keras.layers.Layer):
    def __init__(self, *sizes: Any, **options: Any) -> None:
        super().__init__(name=options.pop("name", None), dtype=options.pop("dtype", None))
        self.sizes, self.options = sizes, options

    def build(self, x_shape: tuple) -> None:
        self.inner = right.FeedForward(*self.sizes, **self.options, name="inner", dtype=self.dtype_policy)
        self.inner.build(x_shape)

    def call(self, x: Any) -> Any:
        return self.inner(x)

    def get_config(self) -> dict[str, Any]:
        return self.inner.get_config()
