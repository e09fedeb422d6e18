"""What goes wrong in DeTextRanker."""

from __future__ import annotations

from typing import Any

import numpy as np
from keras import ops

import course.ranking as right
from course.word_vectors import unit_vectors
from grading.exercises.ranking.checks import detext


class Variant(right.DeTextRanker):
    """The features in steps, one of which a mistake gets wrong."""

    def whole(self, vectors: Any) -> Any:
        return ops.cast(vectors, "float32")

    def cosines(self, query: Any, fields: Any) -> Any:
        return ops.sum(unit_vectors(query)[:, None] * unit_vectors(fields), axis=-1)

    def products(self, query: Any, fields: Any) -> Any:
        return query[:, None] * fields

    def in_a_row(self, vectors: Any) -> Any:
        return ops.reshape(vectors, (-1, self.fields * self.width))

    def vectors(self, query: Any, fields: Any) -> list[Any]:
        return [query, self.in_a_row(fields)]

    def divided(self, centered: Any) -> Any:
        varied = self.deviations > 0
        return ops.where(varied, centered / np.where(varied, self.deviations, 1), 0.0)

    def standardized(self, numbers: Any) -> Any:
        return self.divided(numbers - self.means)

    def of_numbers(self, numbers: Any) -> Any:
        return self.rescale(self.standardized(numbers))

    def in_order(self, cosines: Any, products: Any, vectors: list[Any], numbers: Any) -> list[Any]:
        return [cosines, products, *vectors, numbers]

    def features(self, query: Any, fields: Any, numbers: Any) -> Any:
        query, fields = self.whole(query), self.whole(fields)
        products = self.in_a_row(self.products(query, fields))
        parts = self.cosines(query, fields), products, self.vectors(query, fields), self.of_numbers(numbers)
        return ops.cast(ops.concatenate(self.in_order(*parts), axis=-1), "float32")


@detext.whole_mistake(
    "The vectors stand before their products: trained weights would meet other features.",
    hint="A projection has a row for each feature, in one order. Which one does the docstring give?",
)
class VectorsFirst(Variant):
    def in_order(self, cosines: Any, products: Any, vectors: list[Any], numbers: Any) -> list[Any]:
        return [cosines, *vectors, products, numbers]


@detext.whole_mistake(
    "The numbers stand first, not last.",
    hint="A projection has a row for each feature, in one order. What does the docstring end with?",
)
class NumbersFirst(Variant):
    def in_order(self, cosines: Any, products: Any, vectors: list[Any], numbers: Any) -> list[Any]:
        return [numbers, cosines, products, *vectors]


@detext.whole_mistake(
    "The similarities are products of vectors of any length, not cosines.",
    hint="Make a vector twice as long. Does what it says become twice as similar?",
)
class NoCosines(Variant):
    def cosines(self, query: Any, fields: Any) -> Any:
        return ops.sum(self.products(query, fields), axis=-1)


@detext.whole_mistake(
    "An empty field has a vector of zeros, and its cosine is 0 / 0.",
    hint="How long is a vector of zeros, and what is divided by that?",
)
class ZeroByZero(Variant):
    def cosines(self, query: Any, fields: Any) -> Any:
        lengths = [ops.sqrt(ops.sum(ops.square(vectors), axis=-1)) for vectors in (query[:, None], fields)]
        return ops.sum(self.products(query, fields), axis=-1) / (lengths[0] * lengths[1])


@detext.whole_mistake(
    "The products are those of vectors of length 1. They should be of the vectors as they came.",
    hint="Which of the features forget how long a vector is, and which do not?",
)
class UnitProducts(Variant):
    def products(self, query: Any, fields: Any) -> Any:
        return super().products(unit_vectors(query), unit_vectors(fields))


@detext.whole_mistake(
    "The vectors were made as long as 1 before they are put beside the others.",
    hint="The cosines forget how long a vector is. Should the vectors themselves?",
)
class UnitVectors(Variant):
    def vectors(self, query: Any, fields: Any) -> list[Any]:
        return super().vectors(unit_vectors(query), unit_vectors(fields))


@detext.whole_mistake(
    "The vectors of the fields are mixed: first one feature of all fields, then the next one.",
    hint="Which axis of (batch, n, width) comes first in a row: that of the fields, or that of the features?",
)
class FeatureByFeature(Variant):
    def in_a_row(self, vectors: Any) -> Any:
        return super().in_a_row(ops.transpose(vectors, (0, 2, 1)))


@detext.whole_mistake(
    "The numbers are not standardized: whatever is counted in hundreds drowns the others.",
    hint="What does tanh make of 200?",
)
class AsTheyCame(Variant):
    def standardized(self, numbers: Any) -> Any:
        return numbers


@detext.whole_mistake(
    "The numbers are standardized by the batch, not by training: a document's score depends on its neighbours.",
    hint="What would become of a batch of one pair?",
)
class ByTheBatch(Variant):
    def standardized(self, numbers: Any) -> Any:
        mean, deviation = ops.mean(numbers, axis=0), ops.std(numbers, axis=0)
        return (numbers - mean) / ops.maximum(deviation, 1e-7)


@detext.whole_mistake(
    "The numbers are divided by their variance, not by their deviation.",
    hint="Of a number that deviates by 80, how much should be left of 80?",
)
class ByVariance(Variant):
    def divided(self, centered: Any) -> Any:
        return ops.where(self.deviations > 0, super().divided(super().divided(centered)), 0.0)


@detext.whole_mistake(
    "A number that was always the same in training is divided by 0, or by almost 0.",
    hint="Its deviation is 0. What becomes of it today, when it is a little different?",
)
class AlmostZero(Variant):
    def divided(self, centered: Any) -> Any:
        return centered / (self.deviations + 1e-7)


@detext.whole_mistake(
    "A number that was always the same in training is divided by 1, and not taken for 0.",
    hint="Nothing was learned from such a number. What may it say today?",
)
class ByOne(Variant):
    def divided(self, centered: Any) -> Any:
        return centered / np.where(self.deviations > 0, self.deviations, 1)


@detext.whole_mistake(
    "The standardized numbers do not go through `rescale`.",
    hint="One click in a thousand may say more than all the rest. Which layer learns how much a number says?",
)
class NotRescaled(Variant):
    def of_numbers(self, numbers: Any) -> Any:
        return self.standardized(numbers)


@detext.whole_mistake(
    "The vectors are multiplied in the precision that they came in.",
    hint="Three digits are left of a product in half precision. What should be computed in float32?",
)
class InHalves(Variant):
    def whole(self, vectors: Any) -> Any:
        return ops.convert_to_tensor(vectors)


@detext.whole_mistake(
    "No gradient reaches the vectors: an encoder below could not learn.",
    hint="What the network gets may be learned, too. What stops a gradient?",
)
class VectorsStopped(Variant):
    def whole(self, vectors: Any) -> Any:
        return ops.stop_gradient(super().whole(vectors))
