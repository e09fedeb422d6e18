"""What goes wrong in BertEmbedding."""

from __future__ import annotations

import math
from typing import Any

import keras
from keras import ops

import course.embeddings as right
from grading.exercises.embeddings.checks import embedding


class Variant(right.BertEmbedding):
    """The layer in small steps, one of which a mistake gets wrong."""

    def rows(self) -> dict[str, int]:
        """How many rows each table has."""
        return {"token": self.vocabulary_size, "position": self.max_length, "segment": self.num_segments}

    def norm_options(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon}

    def build_norm(self, width: int) -> None:
        self.norm = keras.layers.LayerNormalization(name="norm", dtype=self.dtype_policy, **self.norm_options())
        self.norm.build((None, None, width))

    def build(self, token_ids_shape: tuple) -> None:
        for name, rows in self.rows().items():
            setattr(self, f"{name}_embedding", self._table(rows, f"{name}_embedding"))
        self.build_norm(self.hidden_dim)

    def position_ids(self, token_ids: Any) -> Any:
        return ops.arange(ops.shape(token_ids)[1])

    def look_up(self, token_ids: Any, segment_ids: Any) -> tuple[Any, Any, Any]:
        """The vectors of token, position and segment."""
        if segment_ids is None:
            segment_ids = ops.zeros_like(token_ids)
        position = self.position_embedding(self.position_ids(token_ids))
        return self.token_embedding(token_ids), position, self.segment_embedding(segment_ids)

    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return self.norm(token + position + segment)

    def drop(self, x: Any) -> Any:
        return self.dropout_layer(x)

    def call(self, token_ids: Any, segment_ids: Any = None) -> Any:
        return self.drop(self.combine(*self.look_up(token_ids, segment_ids)))


@embedding.whole_mistake(
    "The segments are left out: nothing says which text a token belongs to.",
    hint="Three vectors are added. Which of the three tables do you never use?",
)
class NoSegments(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return super().combine(token, position, 0.0)


@embedding.whole_mistake(
    "The positions are left out: the order of the tokens is lost.",
    hint="Three vectors are added. Which of the three tables do you never use?",
)
class NoPositions(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return super().combine(token, 0.0, segment)


@embedding.whole_mistake(
    "Without segment_ids, no segment is added; every token must be in segment 0.",
    hint="Segment 0 has a vector, too, and it is not zero.",
)
class NothingWithoutSegments(Variant):
    def call(self, token_ids: Any, segment_ids: Any = None) -> Any:
        token, position, segment = self.look_up(token_ids, segment_ids)
        return self.drop(self.combine(token, position, 0.0 if segment_ids is None else segment))


@embedding.whole_mistake(
    "Without segment_ids, every token is in segment 1 instead of segment 0.",
    hint="BERT counts its segments from 0. Look at what you make where segment_ids is None.",
)
class SegmentOneByDefault(Variant):
    def look_up(self, token_ids: Any, segment_ids: Any) -> tuple[Any, Any, Any]:
        return super().look_up(token_ids, ops.ones_like(token_ids) if segment_ids is None else segment_ids)


@embedding.whole_mistake(
    "There are always two segments: num_segments is ignored.",
    hint="A search engine may want three: query, title and body. How many rows does the table need?",
)
class AlwaysTwoSegments(Variant):
    def rows(self) -> dict[str, int]:
        return {**super().rows(), "segment": 2}


@embedding.whole_mistake(
    "Positions are counted from 1.",
    hint="Which row of the position table is the first? And what happens to a text of max_length tokens?",
)
class PositionsFromOne(Variant):
    def position_ids(self, token_ids: Any) -> Any:
        return super().position_ids(token_ids) + 1


@embedding.whole_mistake(
    "The whole position table is added, and not its first rows: a text must be as long as max_length.",
    hint="A text of 5 tokens needs 5 positions. How do you find out how long the texts are?",
)
class WholePositionTable(Variant):
    def position_ids(self, token_ids: Any) -> Any:
        return ops.arange(self.max_length)


@embedding.whole_mistake(
    "All tokens are at position 0.",
    hint="Each place in the text needs a number of its own: 0, 1, 2, ...",
)
class AllAtPositionZero(Variant):
    def position_ids(self, token_ids: Any) -> Any:
        return ops.zeros_like(super().position_ids(token_ids))


@embedding.whole_mistake(
    "The positions run backwards: the last token is at position 0.",
    hint="The first token, [CLS], stands at position 0.",
)
class PositionsBackwards(Variant):
    def position_ids(self, token_ids: Any) -> Any:
        return ops.flip(super().position_ids(token_ids))


@embedding.whole_mistake(
    "A table of sine waves stands in for the positions; BERT's are learned.",
    hint="How many tables with weights of their own does the docstring name?",
)
class SinePositions(Variant):
    def rows(self) -> dict[str, int]:
        return {"token": self.vocabulary_size, "segment": self.num_segments}

    def look_up(self, token_ids: Any, segment_ids: Any) -> tuple[Any, Any, Any]:
        segment_ids = ops.zeros_like(token_ids) if segment_ids is None else segment_ids
        waves = right.sinusoidal_positions(token_ids.shape[1], self.hidden_dim)
        return self.token_embedding(token_ids), waves, self.segment_embedding(segment_ids)


@embedding.whole_mistake(
    "The sum is not normalized, although the normalization is there.",
    hint="What do gamma and beta of self.norm do in your call?",
)
class NormUnused(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return token + position + segment


@embedding.whole_mistake(
    "The normalization is missing, or its scale and shift are.",
    hint="After the sum, each token's features get the mean 0 and the variance 1, then a scale and a shift.",
)
class NoNorm(Variant):
    def build_norm(self, width: int) -> None:
        pass

    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return token + position + segment


@embedding.whole_mistake(
    "Only the token's vector is normalized; position and segment are added after it.",
    hint="In x = norm(...), what stands inside the brackets?",
)
class NormOfTokenOnly(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return self.norm(token) + position + segment


@embedding.whole_mistake(
    "Each of the three vectors is normalized by itself, before they are added.",
    hint="In x = norm(...), what stands inside the brackets? It is normalized once.",
)
class NormOfEach(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return self.norm(token) + self.norm(position) + self.norm(segment)


@embedding.whole_mistake(
    "The normalization is missing, or its scale and shift are.",
    hint="BERT learns gamma and beta. Which arguments take them away?",
)
class NormWithoutWeights(Variant):
    def norm_options(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon, "center": False, "scale": False}


@embedding.whole_mistake(
    "The normalization runs over the tokens of a text instead of the features of a token.",
    hint="A token must not depend on its neighbours here. Which axis are the features?",
)
class NormOverTokens(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        x = token + position + segment
        mean, variance = ops.mean(x, axis=1, keepdims=True), ops.var(x, axis=1, keepdims=True)
        return (x - mean) / ops.sqrt(variance + self.epsilon) * self.norm.gamma + self.norm.beta


@embedding.whole_mistake(
    "Epsilon is Keras's default, 1e-3.",
    hint="Beside the small numbers of a fresh table, 1e-3 is not small. Which epsilon was the layer given?",
)
class EpsilonOfKeras(Variant):
    def norm_options(self) -> dict[str, Any]:
        return {"epsilon": 1e-3}


@embedding.whole_mistake(
    "Epsilon is 1e-5, whatever the layer was given.",
    hint="1e-5 is what other libraries take. Published BERT weights were trained with another one.",
)
class EpsilonOfOthers(Variant):
    def norm_options(self) -> dict[str, Any]:
        return {"epsilon": 1e-5}


@embedding.whole_mistake(
    "Epsilon is always 1e-12: the argument is ignored.",
    hint="The layer keeps what it was given in an attribute.",
)
class EpsilonFixed(Variant):
    def norm_options(self) -> dict[str, Any]:
        return {"epsilon": 1e-12}


@embedding.whole_mistake(
    "The tokens' vectors are multiplied by √hidden_dim, as in the first Transformer; BERT's are not.",
    hint="In BERT's sum, the three vectors count alike.",
)
class ScaledTokens(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return super().combine(math.sqrt(self.hidden_dim) * token, position, segment)


@embedding.whole_mistake(
    "The mean of the three vectors is taken instead of their sum.",
    hint="Where the variance is small, a third of the vector is not the same beside epsilon.",
)
class Averaged(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return self.norm((token + position + segment) / 3)


@embedding.whole_mistake(
    "The vectors are put side by side instead of added.",
    hint="The output is as wide as each of the three: hidden_dim.",
)
class SideBySide(Variant):
    def build_norm(self, width: int) -> None:
        super().build_norm(3 * width)

    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        position = ops.broadcast_to(position, ops.shape(token))
        return self.norm(ops.concatenate([token, position, segment], axis=-1))


@embedding.whole_mistake(
    "Dropout comes before the normalization instead of after it.",
    hint="In the equation, which of dropout and norm is outside?",
)
class DroppedBeforeNorm(Variant):
    def combine(self, token: Any, position: Any, segment: Any) -> Any:
        return self.norm(self.dropout_layer(token + position + segment))

    def drop(self, x: Any) -> Any:
        return x


@embedding.whole_mistake(
    "Dropout is always on.",
    hint="self.dropout_layer knows by itself whether it is in training. Nobody need tell it.",
)
class AlwaysDropping(Variant):
    def drop(self, x: Any) -> Any:
        return self.dropout_layer(x, training=True)


@embedding.whole_mistake(
    "Dropout is never applied.",
    hint="What becomes of self.dropout_layer in your call?",
)
class NeverDropping(Variant):
    def drop(self, x: Any) -> Any:
        return x


@embedding.whole_mistake(
    "The share that is kept is dropped, and the other way round.",
    hint="Keras's Dropout takes the share to drop. The layer has one that is ready.",
)
class DropsWhatIsKept(Variant):
    def build(self, token_ids_shape: tuple) -> None:
        super().build(token_ids_shape)
        self.dropout_layer = keras.layers.Dropout(1 - self.dropout if self.dropout else 0.0, dtype=self.dtype_policy)
