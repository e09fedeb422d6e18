"""What goes wrong in MaskedLMHead. Each is the right head with one part replaced."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.masked_lm as right
from course.encoder import LayerNorm, gelu, projection
from grading.exercises.masked_lm.checks import head


class Parts(right.MaskedLMHead):
    """The right head, taken apart into three steps that a mistake can get wrong."""

    def gather(self, sequence_output: Any, positions: Any) -> Any:
        return right.gather_masked(sequence_output, positions)

    def transform(self, x: Any) -> Any:
        return self.norm(gelu(self.dense(x)))

    def score(self, hidden: Any, embeddings: Any) -> Any:
        return ops.matmul(hidden, ops.transpose(embeddings)) + self.output_bias

    def call(self, sequence_output: Any, embeddings: Any, positions: Any = None) -> Any:
        if positions is not None:
            sequence_output = self.gather(sequence_output, positions)
        return self.score(self.transform(sequence_output), embeddings)


@head.whole_mistake(
    "The activation is left out of the transform.",
    hint="norm(gelu(dense(x))): which of the three is missing?",
)
class WithoutActivation(Parts):
    def transform(self, x: Any) -> Any:
        return self.norm(self.dense(x))


@head.whole_mistake(
    "The GELU is the approximation with tanh, where the exact one is asked for.",
    hint="They differ by less than 0.0005, but they differ. You wrote both in chapter 4.",
)
class ApproximateGelu(Parts):
    def transform(self, x: Any) -> Any:
        return self.norm(gelu(self.dense(x), approximate=True))


@head.whole_mistake(
    "The activation is ReLU instead of GELU.",
    hint="BERT uses the same activation here as in its feed-forward networks.",
)
class Relu(Parts):
    def transform(self, x: Any) -> Any:
        return self.norm(ops.relu(self.dense(x)))


@head.whole_mistake(
    "The activation is tanh, as in the pooler, instead of GELU.",
    hint="BERT uses the same activation here as in its feed-forward networks.",
)
class Tanh(Parts):
    def transform(self, x: Any) -> Any:
        return self.norm(ops.tanh(self.dense(x)))


@head.whole_mistake(
    "The normalization is made, but not used.",
    hint="norm(gelu(dense(x))): which of the three is missing?",
)
class WithoutNorm(Parts):
    def transform(self, x: Any) -> Any:
        return gelu(self.dense(x))


@head.whole_mistake(
    "The normalization comes before the activation, not after it.",
    hint="Read norm(gelu(dense(x))) from the inside out.",
)
class NormBeforeActivation(Parts):
    def transform(self, x: Any) -> Any:
        return gelu(self.norm(self.dense(x)))


@head.whole_mistake(
    "The normalization comes first, before the dense layer.",
    hint="Read norm(gelu(dense(x))) from the inside out.",
)
class NormFirst(Parts):
    def transform(self, x: Any) -> Any:
        return gelu(self.dense(self.norm(x)))


@head.whole_mistake(
    "A residual connection goes around the transform; there is none in this head.",
    hint="In a block, the input is added again. Here it is not.",
)
class Residual(Parts):
    def transform(self, x: Any) -> Any:
        return self.norm(x + gelu(self.dense(x)))


@head.whole_mistake(
    "The transform is left out: the encoder's output is compared with the embeddings as it is.",
    hint="What is compared with the embeddings is h = norm(gelu(dense(x))), not x.",
)
class WithoutTransform(Parts):
    def transform(self, x: Any) -> Any:
        return ops.cast(x, self.compute_dtype)


@head.whole_mistake(
    "The normalization has an epsilon of its own, not that of the head.",
    hint="keras.layers.LayerNormalization has 0.001 unless it is told otherwise. The head keeps self.epsilon.",
)
class OtherEpsilon(Parts):
    def build(self, sequence_output_shape: Any, embeddings_shape: Any, positions_shape: Any = None) -> None:
        super().build(sequence_output_shape, embeddings_shape, positions_shape)
        self.norm.epsilon = 1e-3


@head.whole_mistake(
    "The normalization always has the epsilon 1e-12, whatever the head was made with.",
    hint="Which attribute holds the epsilon that was asked for?",
)
class FixedEpsilon(Parts):
    def build(self, sequence_output_shape: Any, embeddings_shape: Any, positions_shape: Any = None) -> None:
        super().build(sequence_output_shape, embeddings_shape, positions_shape)
        self.norm.epsilon = 1e-12


@head.whole_mistake(
    "The bias of the words is made, but not added.",
    hint="u = h Eᵀ + b: where is b in your code?",
)
class BiasNotAdded(Parts):
    def score(self, hidden: Any, embeddings: Any) -> Any:
        return ops.matmul(hidden, ops.transpose(embeddings))


@head.whole_mistake(
    "The bias of the words is not 0 at first.",
    hint="Unless it is told an initializer, `add_weight` takes one of its own. What does the docstring of `build` say?",
)
class BiasByDefault(Parts):
    def build(self, sequence_output_shape: Any, embeddings_shape: Any, positions_shape: Any = None) -> None:
        self.dense = projection(self.hidden_dim, "dense", dtype=self.dtype_policy)
        self.norm = LayerNorm(self.epsilon, name="norm", dtype=self.dtype_policy)
        self.dense.build(sequence_output_shape)
        self.norm.build(sequence_output_shape)
        self.output_bias = self.add_weight((self.vocabulary_size,), name="bias")


@head.whole_mistake(
    "There is no bias for the words.",
    hint="u = h Eᵀ + b, and b is a weight of this head. `add_weight` makes one.",
)
class WithoutBias(Parts):
    def build(self, sequence_output_shape: Any, embeddings_shape: Any, positions_shape: Any = None) -> None:
        self.dense = projection(self.hidden_dim, "dense", dtype=self.dtype_policy)
        self.norm = LayerNorm(self.epsilon, name="norm", dtype=self.dtype_policy)
        self.dense.build(sequence_output_shape)
        self.norm.build(sequence_output_shape)
        self.output_bias = 0.0


@head.whole_mistake(
    "The head has a matrix of its own for the words, instead of the encoder's embeddings.",
    hint="Tied weights: the matrix is there already, as the argument `embeddings`.",
)
class Untied(Parts):
    def build(self, sequence_output_shape: Any, embeddings_shape: Any, positions_shape: Any = None) -> None:
        super().build(sequence_output_shape, embeddings_shape, positions_shape)
        self.output = projection(self.vocabulary_size, "output", dtype=self.dtype_policy)
        self.output.build(sequence_output_shape)

    def score(self, hidden: Any, embeddings: Any) -> Any:
        return self.output(hidden)


@head.whole_mistake(
    "The dense layer is made anew in every call, so the head has no weights for it that could be trained.",
    hint="Layers are made once, in `build`. `call` only uses them.",
)
class DenseMadeInCall(Parts):
    def build(self, sequence_output_shape: Any, embeddings_shape: Any, positions_shape: Any = None) -> None:
        self.norm = LayerNorm(self.epsilon, name="norm", dtype=self.dtype_policy)
        self.norm.build(sequence_output_shape)
        self.output_bias = self.add_weight((self.vocabulary_size,), "zeros", name="bias")

    def transform(self, x: Any) -> Any:
        return self.norm(gelu(keras.layers.Dense(self.hidden_dim)(x)))


@head.whole_mistake(
    "A softmax is taken; the loss wants the scores before it.",
    hint="The docstring asks for logits: u, not y.",
)
class Softmax(Parts):
    def score(self, hidden: Any, embeddings: Any) -> Any:
        return ops.softmax(super().score(hidden, embeddings))


@head.whole_mistake(
    "The scores are divided by √hidden_dim, as in attention.",
    hint="u = h Eᵀ + b. Nothing is divided here.",
)
class Scaled(Parts):
    def score(self, hidden: Any, embeddings: Any) -> Any:
        return ops.matmul(hidden, ops.transpose(embeddings)) / self.hidden_dim**0.5 + self.output_bias


@head.whole_mistake(
    "Positions are ignored: every token is scored.",
    hint="Where in your code do `positions` choose a token?",
)
class PositionsIgnored(Parts):
    def gather(self, sequence_output: Any, positions: Any) -> Any:
        return sequence_output


@head.whole_mistake(
    "Every row is asked for the positions of the first row.",
    hint="Each row has masked words of its own. Look at what `gather_masked` does.",
)
class PositionsOfFirstRow(Parts):
    def gather(self, sequence_output: Any, positions: Any) -> Any:
        return ops.take(sequence_output, positions[0], axis=1)


@head.whole_mistake(
    "Tokens are chosen in the order of the text, not in the order of the positions.",
    hint="Prediction i belongs to positions[i], in whatever order these come.",
)
class PositionsSorted(Parts):
    def gather(self, sequence_output: Any, positions: Any) -> Any:
        return right.gather_masked(sequence_output, ops.sort(positions, axis=-1))


@head.whole_mistake(
    "Positions are counted from 1.",
    hint="The first token, [CLS], stands at position 0.",
)
class PositionsFromOne(Parts):
    def gather(self, sequence_output: Any, positions: Any) -> Any:
        return right.gather_masked(sequence_output, ops.maximum(positions - 1, 0))


@head.whole_mistake(
    "Only the best word is returned; the scores of all words are wanted.",
    hint="The loss needs the score of every word. What does the docstring say of the shape?",
)
class BestWord(Parts):
    def score(self, hidden: Any, embeddings: Any) -> Any:
        return ops.argmax(super().score(hidden, embeddings), axis=-1)


@head.whole_mistake(
    "The parts are not where the docstring of `build` says, so later cells cannot put published weights there.",
    hint="Compare each name behind `self.` in `build` with the docstring, letter by letter. Does each part have its "
    "weights when `build` is done, before any call?",
)
class OtherNames(keras.layers.Layer):
    def __init__(self, *sizes: Any, **options: Any) -> None:
        super().__init__(name=options.pop("name", None), dtype=options.pop("dtype", None))
        self.sizes, self.options = sizes, options

    def build(self, sequence_output_shape: tuple, embeddings_shape: tuple, positions_shape: Any = None) -> None:
        self.inner = right.MaskedLMHead(*self.sizes, **self.options, name="inner", dtype=self.dtype_policy)
        self.inner.build(sequence_output_shape, embeddings_shape)

    def call(self, sequence_output: Any, embeddings: Any, positions: Any = None) -> Any:
        return self.inner(sequence_output, embeddings, positions)
