"""What goes wrong in NextSentenceHead. Each is the right head with one part replaced."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.next_sentence as right
from course.encoder import projection
from grading.exercises.next_sentence.checks import head


@head.whole_mistake(
    "The layer has one output instead of two.",
    hint="W is (hidden_dim, 2): a score for each of the two labels.",
)
class OneOutput(right.NextSentenceHead):
    def build(self, pooled_output_shape: Any) -> None:
        self.dense = projection(1, "dense", dtype=self.dtype_policy)
        self.dense.build(pooled_output_shape)


@head.whole_mistake(
    "The layer has no bias.",
    hint="u = h W + b: where is b?",
)
class WithoutBias(right.NextSentenceHead):
    def build(self, pooled_output_shape: Any) -> None:
        self.dense = projection(2, "dense", use_bias=False, dtype=self.dtype_policy)
        self.dense.build(pooled_output_shape)


@head.whole_mistake(
    "The bias is made, but not added.",
    hint="u = h W + b: where is b in your `call`?",
)
class BiasNotAdded(right.NextSentenceHead):
    def call(self, pooled_output: Any) -> Any:
        return ops.matmul(pooled_output, self.dense.kernel)


@head.whole_mistake(
    "A second layer comes before the two scores; the pooler was that layer already.",
    hint="The head is one product and a bias. The tanh of the pooler comes from the encoder.",
)
class SecondPooler(right.NextSentenceHead):
    def build(self, pooled_output_shape: Any) -> None:
        super().build(pooled_output_shape)
        self.pooler = projection(pooled_output_shape[-1], "pooler", activation="tanh", dtype=self.dtype_policy)
        self.pooler.build(pooled_output_shape)

    def call(self, pooled_output: Any) -> Any:
        return self.dense(self.pooler(pooled_output))


@head.whole_mistake(
    "The dense layer is made anew in every call, so the head has no weights that could be trained.",
    hint="Layers are made once, in `build`. `call` only uses them.",
)
class DenseMadeInCall(right.NextSentenceHead):
    def build(self, pooled_output_shape: Any) -> None:
        pass

    def call(self, pooled_output: Any) -> Any:
        return keras.layers.Dense(2)(pooled_output)


class Changed(right.NextSentenceHead):
    """The right head, of which a mistake changes what goes in or what comes out."""

    def before(self, pooled_output: Any) -> Any:
        return pooled_output

    def after(self, logits: Any) -> Any:
        return logits

    def call(self, pooled_output: Any) -> Any:
        return self.after(self.dense(self.before(pooled_output)))


@head.whole_mistake(
    "A softmax is taken; the loss wants the scores before it.",
    hint="The docstring asks for logits: u, not y.",
)
class Softmax(Changed):
    def after(self, logits: Any) -> Any:
        return ops.softmax(logits)


@head.whole_mistake(
    "A log softmax is taken; the loss wants the scores before it.",
    hint="The docstring asks for logits: u, not log y.",
)
class LogSoftmax(Changed):
    def after(self, logits: Any) -> Any:
        return ops.log_softmax(logits)


@head.whole_mistake(
    "A sigmoid is taken of each score; the loss wants the scores before a softmax.",
    hint="The docstring asks for logits. No activation comes after h W + b.",
)
class Sigmoid(Changed):
    def after(self, logits: Any) -> Any:
        return ops.sigmoid(logits)


@head.whole_mistake(
    "A tanh is taken of the scores.",
    hint="The pooler has a tanh, and it is in the encoder. No activation comes after h W + b.",
)
class Tanh(Changed):
    def after(self, logits: Any) -> Any:
        return ops.tanh(logits)


@head.whole_mistake(
    "A ReLU is taken of the scores, so none can be negative.",
    hint="Logits may be any numbers. No activation comes after h W + b.",
)
class Relu(Changed):
    def after(self, logits: Any) -> Any:
        return ops.relu(logits)


@head.whole_mistake(
    "The label is returned; the scores of both labels are wanted.",
    hint="The loss needs both scores. What does the docstring say of the shape?",
)
class Label(Changed):
    def after(self, logits: Any) -> Any:
        return ops.argmax(logits, axis=-1)


@head.whole_mistake(
    "Only the difference of the two scores is returned.",
    hint="A softmax of two scores depends on their difference alone, but the loss takes two.",
)
class DifferenceOnly(Changed):
    def after(self, logits: Any) -> Any:
        return logits[:, 1] - logits[:, 0]


@head.whole_mistake(
    "The columns have changed places.",
    hint="Column 0 of W gives score 0. Nothing turns them round.",
)
class ColumnsSwapped(Changed):
    def after(self, logits: Any) -> Any:
        return ops.flip(logits, axis=-1)


@head.whole_mistake(
    "The scores are divided by √hidden_dim, as in attention.",
    hint="u = h W + b. Nothing is divided here.",
)
class Scaled(Changed):
    def before(self, pooled_output: Any) -> Any:
        return pooled_output / pooled_output.shape[-1] ** 0.5


@head.whole_mistake(
    "A tanh is taken of the pooled output, which has been through one already.",
    hint="The pooler of the encoder ends with a tanh. What comes here is ready to use.",
)
class TanhAgain(Changed):
    def before(self, pooled_output: Any) -> Any:
        return ops.tanh(pooled_output)


@head.whole_mistake(
    "Each pooled output is normalized first.",
    hint="u = h W + b, with h as it comes.",
)
class Normalized(Changed):
    def before(self, pooled_output: Any) -> Any:
        centered = pooled_output - ops.mean(pooled_output, axis=-1, keepdims=True)
        return centered / ops.std(centered, axis=-1, keepdims=True)


@head.whole_mistake(
    "The scores depend on the other pairs of the batch: the batch's mean is taken away.",
    hint="A pair must get the same scores in whatever company it comes.",
)
class CenteredOverBatch(Changed):
    def before(self, pooled_output: Any) -> Any:
        return pooled_output - ops.mean(pooled_output, axis=0, keepdims=True)


@head.whole_mistake(
    "Dropout is applied in training; this head has none.",
    hint="The docstring names one layer, `dense`. Dropout stands in the encoder.",
)
class Dropout(right.NextSentenceHead):
    def call(self, pooled_output: Any, training: bool | None = None) -> Any:
        if training:
            pooled_output = keras.random.dropout(pooled_output, 0.5, seed=1)
        return super().call(pooled_output)
