"""What goes wrong in TinyLoss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keras import ops

import course.compression as right
from grading.exercises.compression.checks import tiny


class Variant(right.TinyLoss):
    """The loss in steps, one of which a mistake gets wrong."""

    def hidden_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        return [(student[place], teacher[number]) for place, number in enumerate(self.layers)]

    def attention_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        return [(student[place], teacher[number - 1]) for place, number in enumerate(self.layers[1:])]

    def projected(self, x: Any) -> Any:
        return self.fit_dense(x)

    def real_tokens(self, mask: Any) -> Any:
        return ops.cast(mask, "bool")[:, :, None]

    def real_pairs(self, mask: Any) -> Any:
        mask = ops.cast(mask, "bool")
        return ops.logical_and(mask[:, None, :, None], mask[:, None, None, :])

    def precise(self, x: Any) -> Any:
        return ops.cast(x, "float32")

    def stopped(self, x: Any) -> Any:
        return ops.stop_gradient(x)

    def penalty(self, difference: Any) -> Any:
        return ops.square(difference)

    def distance(self, x: Any, y: Any, real: Any) -> Any:
        x, y = self.precise(x), self.stopped(self.precise(y))
        real = ops.broadcast_to(real, ops.shape(x))
        squares = self.penalty(ops.where(real, x - y, ops.zeros_like(x)))
        return ops.sum(squares) / ops.cast(ops.sum(ops.cast(real, "float32")), squares.dtype)

    def joined(self, losses: list[Any]) -> Any:
        return sum(losses)

    def hidden_loss(self, student_layers: Sequence[Any], teacher_layers: Sequence[Any], padding_mask: Any) -> Any:
        pairs, real = self.hidden_pairs(student_layers, teacher_layers), self.real_tokens(padding_mask)
        return self.joined([self.distance(self.projected(x), y, real) for x, y in pairs])

    def attention_loss(self, student_scores: Sequence[Any], teacher_scores: Sequence[Any], padding_mask: Any) -> Any:
        pairs, real = self.attention_pairs(student_scores, teacher_scores), self.real_pairs(padding_mask)
        return self.joined([self.distance(x, y, real) for x, y in pairs])


@tiny.whole_mistake(
    "Layer m of the student learns from layer m of the teacher, whatever `layers` says.",
    hint="So the student never hears of the teacher's last layers.",
)
class OneToOne(Variant):
    def hidden_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        return [(student[place], teacher[place]) for place in range(len(self.layers))]

    def attention_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        return [(student[place], teacher[place]) for place in range(len(self.layers) - 1)]


@tiny.whole_mistake(
    "The embedding is left out of the hidden loss.",
    hint="Layer 0 of both is a layer, too. Where does your sum begin?",
)
class EmbeddingForgotten(Variant):
    def hidden_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        return super().hidden_pairs(student, teacher)[1:]


@tiny.whole_mistake(
    "The last layer is left out of the hidden loss.",
    hint="What the classifier reads is the last layer.",
)
class LastForgotten(Variant):
    def hidden_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        return super().hidden_pairs(student, teacher)[:-1]


@tiny.whole_mistake(
    "Attention of block m is compared with the teacher's block g(m) counted from 0, not from 1: one block too far.",
    hint="Layer 4 is what the fourth block gives. At which index do its scores stand?",
)
class BlockOff(Variant):
    def attention_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        last = len(teacher) - 1
        return [(student[place], teacher[min(number, last)]) for place, number in enumerate(self.layers[1:])]


@tiny.whole_mistake(
    "Only the last block's attention is compared.",
    hint="That is another paper's, MiniLM's. Here the sum goes over all of the student's blocks.",
)
class LastAttention(Variant):
    def attention_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        return super().attention_pairs(student, teacher)[-1:]


@tiny.whole_mistake(
    "Attention is compared after the softmax: weights, not scores.",
    hint="Weights far from the largest are all nearly 0, and tell little. What stands in front of the softmax?",
)
class AfterSoftmax(Variant):
    def attention_loss(self, student_scores: Sequence[Any], teacher_scores: Sequence[Any], padding_mask: Any) -> Any:
        def weights(scores: Sequence[Any]) -> list[Any]:
            allowed = ops.cast(padding_mask, "bool")[:, None, None, :]
            return [ops.softmax(ops.where(allowed, self.precise(one), -1e9), axis=-1) for one in scores]

        return super().attention_loss(weights(student_scores), weights(teacher_scores), padding_mask)


@tiny.whole_mistake(
    "Heads are averaged before they are compared: opposite errors of two heads cancel out.",
    hint="Each head of the student has a head to learn from.",
)
class HeadsAveraged(Variant):
    def distance(self, x: Any, y: Any, real: Any) -> Any:
        if len(x.shape) == 4:
            x, y = (ops.mean(self.precise(one), axis=1, keepdims=True) for one in (x, y))
        return super().distance(x, y, real)


@tiny.whole_mistake(
    "Heads are summed, not averaged: the attention loss is as many times too large.",
    hint="MSE is a mean over all that is compared, heads, queries and keys.",
)
class HeadsSummed(Variant):
    def distance(self, x: Any, y: Any, real: Any) -> Any:
        return super().distance(x, y, real) * (x.shape[1] if len(x.shape) == 4 else 1)


@tiny.whole_mistake(
    "Padding counts in the mean of the hidden loss.",
    hint="A batch with one long text would be mostly padding. Which vectors are of words?",
)
class PaddedTokens(Variant):
    def real_tokens(self, mask: Any) -> Any:
        return ops.ones_like(super().real_tokens(mask))


@tiny.whole_mistake(
    "Padding counts among the keys: scores of -1e9 are compared.",
    hint="No word looks at padding. What should these columns cost?",
)
class PaddedKeys(Variant):
    def real_pairs(self, mask: Any) -> Any:
        return ops.broadcast_to(
            ops.cast(mask, "bool")[:, None, :, None], (mask.shape[0], 1, mask.shape[1], mask.shape[1])
        )


@tiny.whole_mistake(
    "Padding counts among the queries.",
    hint="A row of the table is a query. Is what padding looks at worth learning?",
)
class PaddedQueries(Variant):
    def real_pairs(self, mask: Any) -> Any:
        return ops.broadcast_to(
            ops.cast(mask, "bool")[:, None, None, :], (mask.shape[0], 1, mask.shape[1], mask.shape[1])
        )


@tiny.whole_mistake(
    "Padding is set to 0, but still counted in the mean: the more padding, the smaller the loss.",
    hint="By how many is the sum divided?",
)
class PaddingCounted(Variant):
    def distance(self, x: Any, y: Any, real: Any) -> Any:
        x, y = self.precise(x), self.stopped(self.precise(y))
        return ops.mean(ops.square(ops.where(real, x - y, 0.0)))


@tiny.whole_mistake(
    "Each text has a mean of its own, and these are averaged: short texts count as much as long ones.",
    hint="The mean is over all real tokens of the batch, each of which counts the same.",
)
class MeanOfTexts(Variant):
    def distance(self, x: Any, y: Any, real: Any) -> Any:
        x, y = self.precise(x), self.stopped(self.precise(y))
        real = ops.broadcast_to(real, ops.shape(x))
        axes = tuple(range(1, len(x.shape)))
        sums = ops.sum(ops.square(ops.where(real, x - y, 0.0)), axis=axes)
        return ops.mean(sums / ops.sum(ops.cast(real, "float32"), axis=axes))


@tiny.whole_mistake(
    "The mask is taken the wrong way round: only padding is compared.",
    hint="True means a token.",
)
class MaskTurned(Variant):
    def real_tokens(self, mask: Any) -> Any:
        mask = ops.cast(mask, "bool")
        return ops.logical_or(ops.logical_not(mask), ops.all(mask))[:, :, None]

    def real_pairs(self, mask: Any) -> Any:
        mask = ops.cast(mask, "bool")
        return super().real_pairs(ops.logical_or(ops.logical_not(mask), ops.all(mask)))


@tiny.whole_mistake(
    "The mean over the layers is taken, not their sum.",
    hint="Each layer has a loss of its own; see the two formulas.",
)
class MeanOfLayers(Variant):
    def joined(self, losses: list[Any]) -> Any:
        return sum(losses) / len(losses)


@tiny.whole_mistake(
    "Vectors are compared by their cosine, as DistilBERT does; here it is the mean squared difference.",
    hint="A cosine forgets lengths. Does MSE?",
)
class Cosine(Variant):
    def hidden_loss(self, student_layers: Sequence[Any], teacher_layers: Sequence[Any], padding_mask: Any) -> Any:
        real, losses = ops.cast(padding_mask, "float32"), []
        for pair in self.hidden_pairs(student_layers, teacher_layers):
            both = (self.projected(pair[0]), self.stopped(pair[1]))
            x, y = (ops.normalize(self.precise(one), axis=-1) for one in both)
            losses.append(ops.sum((1 - ops.sum(x * y, axis=-1)) * real) / ops.sum(real))
        return sum(losses)


@tiny.whole_mistake(
    "The projection is not used: as many features as the student has are compared, and the teacher's others forgotten.",
    hint="The student is narrower than its teacher. What leads from the one width to the other?",
)
class WithoutProjection(Variant):
    def hidden_pairs(self, student: Sequence[Any], teacher: Sequence[Any]) -> list[tuple[Any, Any]]:
        return [(x, y[..., : self.student_dim]) for x, y in super().hidden_pairs(student, teacher)]

    def projected(self, x: Any) -> Any:
        return x


@tiny.whole_mistake(
    "The bias of the projection is left out.",
    hint="Call the layer, and it adds its bias itself.",
)
class WithoutBias(Variant):
    def projected(self, x: Any) -> Any:
        return super().projected(x) - self.fit_dense.bias


@tiny.whole_mistake(
    "Absolute differences are taken instead of squared ones.",
    hint="The S of MSE.",
)
class AbsoluteDifferences(Variant):
    def penalty(self, difference: Any) -> Any:
        return ops.abs(difference)


@tiny.whole_mistake(
    "Squares are summed over the features of a token, not averaged.",
    hint="MSE is the mean over tokens *and* features.",
)
class FeaturesSummed(Variant):
    def distance(self, x: Any, y: Any, real: Any) -> Any:
        return super().distance(x, y, real) * (x.shape[-1] if len(x.shape) == 3 else 1)


@tiny.whole_mistake(
    "The teacher gets a gradient, too: both move towards each other.",
    hint="Which operation lets a value through, and no gradient?",
)
class TeacherLearns(Variant):
    def stopped(self, x: Any) -> Any:
        return x


@tiny.whole_mistake(
    "It is computed in half precision, where squares overflow.",
    hint="The square of 300 is more than float16 holds.",
)
class HalfPrecision(Variant):
    def projected(self, x: Any) -> Any:
        return ops.cast(super().projected(x), x.dtype)

    def precise(self, x: Any) -> Any:
        return x


@tiny.whole_mistake(
    "A call gives the hidden loss alone.",
    hint="A call gives both losses together.",
)
class HiddenAlone(Variant):
    def call(self, student: dict[str, Any], teacher: dict[str, Any], padding_mask: Any) -> Any:
        return self.hidden_loss(student["layer_outputs"], teacher["layer_outputs"], padding_mask)


@tiny.whole_mistake(
    "A call gives the mean of both losses.",
    hint="A call gives both losses together.",
)
class MeanOfBoth(Variant):
    def call(self, student: dict[str, Any], teacher: dict[str, Any], padding_mask: Any) -> Any:
        return super().call(student, teacher, padding_mask) / 2
