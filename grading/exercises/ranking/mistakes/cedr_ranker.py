"""What goes wrong in CedrRanker."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.ranking as right
from course.encoder import projection
from course.word_vectors import unit_vectors, words_of_pairs
from grading.exercises.ranking.checks import cedr

Inputs = dict[str, Any]


class Variant(right.CedrRanker):
    """The ranker in steps, one of which a mistake gets wrong."""

    def tokens(self, inputs: Inputs) -> Any:
        return self.encoder(inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"])["sequence_output"]

    def masks(self, inputs: Inputs) -> tuple[Any, Any]:
        return words_of_pairs(inputs["segment_ids"], inputs["padding_mask"])

    def similarity(self, tokens: Any) -> Any:
        words = unit_vectors(tokens)
        return ops.matmul(words, ops.transpose(words, (0, 2, 1)))

    def histograms(self, tokens: Any, is_query: Any, is_document: Any) -> Any:
        return ops.cast(right.matching_histogram(self.similarity(tokens), is_document, self.bins), tokens.dtype)

    def of_pair(self, inputs: Inputs, tokens: Any) -> Any:
        return ops.broadcast_to(tokens[:, :1], ops.shape(tokens))

    def features(self, histograms: Any, of_pair: Any) -> Any:
        return ops.concatenate([histograms, of_pair], axis=-1)

    def gated(self, inputs: Inputs, tokens: Any) -> Any:
        look_up = self.encoder.embedding.token_embedding
        return look_up(inputs["token_ids"])

    def weights_of(self, inputs: Inputs, tokens: Any, is_query: Any) -> Any:
        return self.gate(self.gated(inputs, tokens), is_query)

    def total(self, weights: Any, scores: Any) -> Any:
        return ops.sum(weights * ops.cast(scores, "float32"), axis=-1)

    def call(self, inputs: Inputs) -> Any:
        tokens = self.tokens(inputs)
        is_query, is_document = self.masks(inputs)
        features = self.features(self.histograms(tokens, is_query, is_document), self.of_pair(inputs, tokens))
        scores = ops.squeeze(self.score_dense(self.features_dense(features)), axis=-1)
        return self.total(self.weights_of(inputs, tokens, is_query), scores)


@cedr.whole_mistake(
    "No gradient goes through [CLS]: nothing teaches the blocks.",
    hint="A histogram has no gradient. Through what does the encoder learn, then?",
)
class ClsStopped(Variant):
    def of_pair(self, inputs: Inputs, tokens: Any) -> Any:
        return ops.stop_gradient(super().of_pair(inputs, tokens))


@cedr.whole_mistake(
    "Beside each histogram stands the word's own vector, not [CLS].",
    hint="Which token stands for the pair as a whole?",
)
class WordsOwnVector(Variant):
    def of_pair(self, inputs: Inputs, tokens: Any) -> Any:
        return tokens


@cedr.whole_mistake(
    "The pooled output stands beside the histogram, not what the last block says of [CLS].",
    hint="The pooler is one layer more. Which of the encoder's outputs has no pooler in it?",
)
class Pooled(Variant):
    def of_pair(self, inputs: Inputs, tokens: Any) -> Any:
        pooled = self.encoder(inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"])["pooled_output"]
        return ops.broadcast_to(pooled[:, None], ops.shape(tokens))


@cedr.whole_mistake(
    "The mean of all tokens stands beside the histogram, not [CLS].",
    hint="[CLS] has seen the pair through attention. Padding has a part in a plain mean, too.",
)
class MeanOfTokens(Variant):
    def of_pair(self, inputs: Inputs, tokens: Any) -> Any:
        return ops.broadcast_to(ops.mean(tokens, axis=1, keepdims=True), ops.shape(tokens))


@cedr.whole_mistake(
    "[CLS] has seen the query alone: it is taken from a pass in which the document is hidden.",
    hint="What would [CLS] say of two documents for the same query?",
)
class ClsOfQuery(Variant):
    def of_pair(self, inputs: Inputs, tokens: Any) -> Any:
        shown = ops.logical_and(inputs["padding_mask"], ops.equal(inputs["segment_ids"], 0))
        alone = self.encoder(inputs["token_ids"], inputs["segment_ids"], shown)["sequence_output"]
        return super().of_pair(inputs, alone)


@cedr.whole_mistake(
    "[CLS] is added to the features only once, after the sum over the query, not beside each word.",
    hint="With 10 bins and 768 features, how many go into the projection for each word?",
)
class ClsAfterwards(Variant):
    def features(self, histograms: Any, of_pair: Any) -> Any:
        return ops.concatenate([histograms, ops.zeros_like(of_pair)], axis=-1)

    def call(self, inputs: Inputs) -> Any:
        tokens = self.tokens(inputs)
        alone = ops.concatenate([ops.zeros_like(tokens[:, 0, : self.bins]), tokens[:, 0]], axis=-1)
        return super().call(inputs) + ops.cast(self.score_dense(self.features_dense(alone))[:, 0], "float32")


@cedr.whole_mistake(
    "[CLS] stands before the histogram, not behind it: published weights would meet other features.",
    hint="A layer that was trained on one order is wrong about the other. Which one do the docstrings give?",
)
class OtherOrder(Variant):
    def features(self, histograms: Any, of_pair: Any) -> Any:
        return ops.concatenate([of_pair, histograms], axis=-1)


@cedr.whole_mistake(
    "The similarities are among all tokens of the row: the query is found in itself.",
    hint="Every word of the query is an exact match of itself. Which words are to be counted?",
)
class AmongAll(Variant):
    def histograms(self, tokens: Any, is_query: Any, is_document: Any) -> Any:
        return super().histograms(tokens, is_query, ops.logical_or(is_query, is_document))


@cedr.whole_mistake(
    "The [SEP] of the document is counted as a word.",
    hint="`words_of_pairs` gives two masks. What do segments alone leave in?",
)
class SepCounts(Variant):
    def masks(self, inputs: Inputs) -> tuple[Any, Any]:
        is_document = ops.logical_and(inputs["padding_mask"], ops.equal(inputs["segment_ids"], 1))
        return super().masks(inputs)[0], is_document


@cedr.whole_mistake(
    "[CLS] and [SEP] are gated like words of the query.",
    hint="Which places of the row does the query have its words at?",
)
class ClsIsGated(Variant):
    def masks(self, inputs: Inputs) -> tuple[Any, Any]:
        is_query = ops.logical_and(inputs["padding_mask"], ops.equal(inputs["segment_ids"], 0))
        return is_query, super().masks(inputs)[1]


@cedr.whole_mistake(
    "Padding of the row counts as words of the query: its segment is 0.",
    hint="Segment 0 is that of the query and of padding. Which mask tells them apart?",
)
class PaddingIsQuery(Variant):
    def masks(self, inputs: Inputs) -> tuple[Any, Any]:
        is_query, is_document = super().masks(inputs)
        return ops.logical_or(is_query, ops.logical_not(inputs["padding_mask"])), is_document


@cedr.whole_mistake(
    "Query and document are swapped: each word of the document has a histogram over the query.",
    hint="The gate weighs words of the query. Whose histograms does it sum?",
)
class Swapped(Variant):
    def masks(self, inputs: Inputs) -> tuple[Any, Any]:
        return super().masks(inputs)[::-1]


@cedr.whole_mistake(
    "The similarities are products, not cosines: what goes beyond 1 counts as an exact match.",
    hint="Bins go from -1 to 1. How long are the vectors?",
)
class Products(Variant):
    def similarity(self, tokens: Any) -> Any:
        words = ops.cast(tokens, "float32")
        return ops.matmul(words, ops.transpose(words, (0, 2, 1)))


@cedr.whole_mistake(
    "The similarities are those of the token table, without context.",
    hint="The C in CEDR stands for contextualized. Which vectors know their context?",
)
class WithoutContext(Variant):
    def call(self, inputs: Inputs) -> Any:
        self.looked_up = unit_vectors(super().gated(inputs, None))
        return super().call(inputs)

    def similarity(self, tokens: Any) -> Any:
        return ops.matmul(self.looked_up, ops.transpose(self.looked_up, (0, 2, 1)))


@cedr.whole_mistake(
    "The gate reads what the last block says, not the token table: what a word weighs depends on the document.",
    hint="A gradient would reach the blocks through it, too. Where does a word stand without its context?",
)
class ContextualGate(Variant):
    def gated(self, inputs: Inputs, tokens: Any) -> Any:
        return tokens


@cedr.whole_mistake(
    "There is no gate: the scores of all words are averaged.",
    hint='A query "the best phone" has one word that counts. What are the weights for?',
)
class NoGate(Variant):
    def weights_of(self, inputs: Inputs, tokens: Any, is_query: Any) -> Any:
        words = ops.cast(is_query, "float32")
        gates = super().weights_of(inputs, tokens, is_query)
        return 0 * gates + words / ops.maximum(ops.sum(words, axis=-1, keepdims=True), 1.0)


@cedr.whole_mistake(
    "The weighted scores are averaged over the row: longer rows have lower scores.",
    hint="The weights sum to 1 already. By what is a mean divided?",
)
class MeanOverRow(Variant):
    def total(self, weights: Any, scores: Any) -> Any:
        return ops.mean(weights * ops.cast(scores, "float32"), axis=-1)


@cedr.whole_mistake(
    "A score for each word is returned, not one for the pair.",
    hint="What does the gate weigh the scores for?",
)
class NotSummed(Variant):
    def total(self, weights: Any, scores: Any) -> Any:
        return weights * ops.cast(scores, "float32")


@cedr.whole_mistake(
    "A sigmoid is applied: all good documents have nearly the same score.",
    hint="A ranking needs an order, and no probability. In float32, where does a sigmoid end?",
)
class Probability(Variant):
    def call(self, inputs: Inputs) -> Any:
        return ops.sigmoid(super().call(inputs))


@cedr.whole_mistake(
    "The first projection has no tanh: two projections in a row are one.",
    hint="What can two matrices do that one cannot?",
)
class Linear(Variant):
    def build(self, inputs_shape: Any) -> None:
        super().build(inputs_shape)
        self.features_dense = projection(self.units, "features", dtype=self.dtype_policy)
        self.features_dense.build((None, None, self.bins + self.encoder.hidden_dim))


@cedr.whole_mistake(
    "segment_ids do not reach the encoder.",
    hint="The inputs are three arrays, and the encoder takes all of them.",
)
class SegmentsForgotten(Variant):
    def tokens(self, inputs: Inputs) -> Any:
        return self.encoder(inputs["token_ids"], padding_mask=inputs["padding_mask"])["sequence_output"]


@cedr.whole_mistake(
    "padding_mask does not reach the encoder: words attend to padding.",
    hint="Here the ids at padding are those of words. Who tells the encoder?",
)
class MaskForgotten(Variant):
    def tokens(self, inputs: Inputs) -> Any:
        return self.encoder(inputs["token_ids"], inputs["segment_ids"])["sequence_output"]
