"""Ranking: ten years of search engines, between reading two texts separately and reading them together.

Kernels and histograms over the similarities of words; [CLS] beside them; a split encoder, so that documents are read
the night before; one maximum for each word of the query, and a search by these; and a comparison of every pair of the
last candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.encoder import BertEncoder, projection
from course.given.word_vectors import NearestVectors, stacked, unit_vectors, words_of_pairs
from course.validation.arrays import require_inputs
from course.validation.ranking import (
    require_answers,
    require_bins,
    require_candidates,
    require_index,
    require_kernels,
    require_masked,
    require_pairs,
    require_similarity,
    require_split,
    require_standardization,
    require_token_vectors,
)
from course.validation.values import require_instance, require_sizes

# What each kernel counts: one counts exact matches, and ten share the cosines from -1 to 1.
KERNEL_MEANS = (1.0, 0.9, 0.7, 0.5, 0.3, 0.1, -0.1, -0.3, -0.5, -0.7, -0.9)
# How far each of them reaches.
KERNEL_WIDTHS = (1e-3,) + (0.1,) * 10


def kernel_pooling(
    similarity: Any,
    query_mask: Any,
    document_mask: Any,
    means: Sequence[float] = KERNEL_MEANS,
    widths: Sequence[float] = KERNEL_WIDTHS,
) -> Any:
    """Return soft counts of the document's words by their similarity to the query's words: a number for each kernel.

        K_k(i) = Σ_j exp(-(M_ij - μ_k)² / (2 σ_k²)), over the words j of the document
        φ_k    = Σ_i log max(K_k(i), 1e-10),         over the words i of the query

    What must hold:
        - Padding of either text adds nothing.
        - The similarities may be in half precision. Everything is computed in float32.
        - A gradient reaches the similarities.

    Args:
        similarity: (batch, query_length, document_length), M: cosines of each word of the query and of the document.
        query_mask: boolean, (batch, query_length), True at words.
        document_mask: boolean, (batch, document_length), True at words.
        means: (kernels,), μ, the similarity that each kernel counts.
        widths: (kernels,), σ, how far it reaches, each above 0.

    Returns:
        float32, (batch, kernels).

    Raises:
        ValueError: shapes that do not fit each other, masks that are not boolean, or a width that is not above 0.

    Example:
        The query has one word. The document has it once, and two words that are half similar to it: log 1 and log 2.

        >>> similarity, words = np.array([[[1.0, 0.5, 0.5]]]), np.ones((1, 3), bool)
        >>> kernel_pooling(similarity, words[:, :1], words, means=(1.0, 0.5), widths=(0.1, 0.1))
        [[0.0, 0.6931]]

    Reference: Xiong et al., "End-to-End Neural Ad-hoc Ranking with Kernel Pooling" (K-NRM), 2017,
    https://arxiv.org/abs/1706.06613, section 3.
    """
    require_similarity(similarity, document_mask, query_mask)
    require_kernels(means, widths)
    mu, sigma = (ops.convert_to_tensor(np.asarray(numbers, "float32")) for numbers in (means, widths))
    distances = ops.cast(similarity, "float32")[..., None] - mu  # (batch, query, document, kernels)
    near = ops.exp(-distances * distances / (2 * sigma * sigma))
    near = ops.where(document_mask[:, None, :, None], near, 0.0)
    soft_counts = ops.sum(near, axis=2)  # (batch, query, kernels)
    logs = ops.log(ops.maximum(soft_counts, 1e-10))
    return ops.sum(ops.where(query_mask[..., None], logs, 0.0), axis=1)


def matching_histogram(similarity: Any, document_mask: Any, bins: int = 10) -> Any:
    """Return, for each word of the query, a histogram of its similarities to the words of the document.

    The last bin is for exact matches alone, and the others share the similarities from -1 to 1 equally.

    What must hold:
        - All bins but the last are equally wide, from -1 up to 1. Each includes its lower bound, but not its upper one.
        - A match is exact if its similarity is 1 up to rounding: at least 1 - 1e-5. A similarity that rounding puts
          below -1 is in the first bin.
        - The value of a bin is log(1 + n), where n words of the document fall into it. Padding falls into none.
        - The similarities may be in half precision. Everything is computed in float32.
        - No gradient reaches the similarities, because small changes of them do not change a count.
        - It can run inside a compiled training step.

    Args:
        similarity: (batch, query_length, document_length), cosines.
        document_mask: boolean, (batch, document_length), True at words.
        bins: how many there are, 2 or more.

    Returns:
        float32, (batch, query_length, bins).

    Raises:
        ValueError: shapes that do not fit each other, a mask that is not boolean, or fewer than 2 bins.

    Example:
        Three bins: from -1 up to 0, from 0 up to 1, and exact matches.

        >>> matching_histogram(np.array([[[1.0, 0.2, 0.3, -0.4]]]), np.ones((1, 4), bool), bins=3)
        [[[0.6931, 1.0986, 0.6931]]]

    Reference: Guo et al., "A Deep Relevance Matching Model for Ad-hoc Retrieval" (DRMM), 2016,
    https://arxiv.org/abs/1711.08611, section 3.1.
    """
    require_similarity(similarity, document_mask)
    require_bins(bins)
    similarity = ops.stop_gradient(ops.cast(similarity, "float32"))
    places = ops.clip(ops.floor((similarity + 1) / 2 * (bins - 1)), 0, bins - 2)
    places = ops.where(similarity >= 1 - 1e-5, bins - 1.0, places)  # (batch, query, document)
    is_in = ops.equal(places[..., None], ops.arange(bins, dtype="float32"))
    is_in = ops.logical_and(is_in, document_mask[:, None, :, None])
    return ops.log1p(ops.sum(ops.cast(is_in, "float32"), axis=2))


class TermGating(keras.layers.Layer):
    """Weights each word of a query: a softmax over its words.

        weight_i = softmax over i of (w · e_i)

    Args:
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Example:
        >>> gate = TermGating()
        >>> gate(word_vectors, query_mask)  # (batch, query_length), with the sum 1

    Reference: Guo et al., "A Deep Relevance Matching Model for Ad-hoc Retrieval" (DRMM), 2016,
    https://arxiv.org/abs/1711.08611, section 3.3.
    """

    def build(self, vectors_shape: tuple) -> None:
        """Makes the weight `kernel`, (width,), named "kernel", with a random initializer of Keras.

        Args:
            vectors_shape: (batch, query_length, width).
        """
        self.kernel = self.add_weight((vectors_shape[-1],), "random_normal", name="kernel")

    def call(self, vectors: Any, query_mask: Any) -> Any:
        """Weights the words.

        The softmax is computed in float32, and is finite for large logits, too. Padding gets 0; in a query without a
        word, all positions do.

        Args:
            vectors: (batch, query_length, width), e, of the words alone, without their context.
            query_mask: boolean, (batch, query_length), True at words.

        Returns:
            float32, (batch, query_length).

        Raises:
            ValueError: shapes that do not fit each other, or a mask that is not boolean.
        """
        require_masked(vectors, query_mask)
        logits = ops.cast(ops.sum(vectors * self.kernel, axis=-1), "float32")  # (batch, query_length)
        weights = ops.softmax(ops.where(query_mask, logits, -1e9), axis=-1)
        return ops.where(query_mask, weights, 0.0)


@keras.saving.register_keras_serializable(package="course")
class CedrRanker(keras.Model):
    """Scores documents by histograms of contextual similarities, together with BERT's output for the pair.

    Both texts are read together, in one row. For each word of the query, its histogram over the words of the document
    stands beside [CLS]: with 10 bins and BERT-base these are 10 + 768 = 778 features. Two projections turn these into
    one number for each word, and the score is the sum of the numbers, weighted by the gate.

    Args:
        encoder: pretrained, or not. Training changes its weights, too.
        bins: of the histogram.
        units: width between the two projections.
        **kwargs: what every Keras model takes, such as `name` and `dtype`.

    Raises:
        TypeError: the encoder is not a model.
        ValueError: fewer than 2 bins, or a size that is not a whole number of at least 1.

    Example:
        >>> ranker = CedrRanker(encoder)
        >>> scores = ranker(tokenizer(queries, documents))  # (batch,)

    Reference: MacAvaney et al., "CEDR: Contextualized Embeddings for Document Ranking", 2019,
    https://arxiv.org/abs/1904.07094, section 2; here with the last block alone, where the paper uses every layer, and
    with the gate of DRMM.
    """

    def __init__(self, encoder: BertEncoder, bins: int = 10, units: int = 16, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        require_bins(bins)
        require_sizes(units=units)
        self.encoder = encoder
        self.bins = bins
        self.units = units

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        """Makes three parts, with `dtype=self.dtype_policy`, and builds them.

        `gate` is a `TermGating`, named "gate", for vectors of `self.encoder.hidden_dim` features. `features_dense` is a
        `projection` from `bins + hidden_dim` to `units`, named "features", with the activation tanh; and `score_dense`
        is one from there to a single number, named "score". An encoder that is not built yet is built here, too:
        `encoder.build((None, None))`.

        Args:
            inputs_shape: the shape of each input; none of it matters here.
        """
        if not self.encoder.built:
            self.encoder.build((None, None))
        width = self.encoder.hidden_dim
        self.gate = TermGating(name="gate", dtype=self.dtype_policy)
        self.features_dense = projection(self.units, "features", activation="tanh", dtype=self.dtype_policy)
        self.score_dense = projection(1, "score", dtype=self.dtype_policy)
        self.gate.build((None, None, width))
        self.features_dense.build((None, None, self.bins + width))
        self.score_dense.build((None, None, self.units))

    def call(self, inputs: dict[str, Any]) -> Any:
        """Reads the rows, and scores each word of the query by its histogram and [CLS].

        `words_of_pairs(segment_ids, padding_mask)` returns two masks, of the words of the query and of those of the
        document. The similarities are cosines of the last block's outputs for them. [CLS] is its output for the first
        token, without the pooler. The gate reads the token table, `encoder.embedding.token_embedding`, because there a
        word's vector does not depend on the other words.

        What must hold:
            - A gradient reaches the encoder's blocks through [CLS], and through nothing else.

        Args:
            inputs: "token_ids", "segment_ids" and "padding_mask", each (batch, length), of packed pairs.

        Returns:
            Scores, float32, (batch,); the higher, the better.

        Raises:
            ValueError: inputs that lack one of these, or of other shapes.
        """
        require_inputs(inputs, ("token_ids", "segment_ids", "padding_mask"))
        token_ids, segment_ids = inputs["token_ids"], inputs["segment_ids"]
        is_query, is_document = words_of_pairs(segment_ids, inputs["padding_mask"])
        tokens = self.encoder(token_ids, segment_ids, inputs["padding_mask"])["sequence_output"]
        words = unit_vectors(tokens)
        similarity = ops.matmul(words, ops.transpose(words, (0, 2, 1)))  # (batch, length, length)
        histograms = ops.cast(matching_histogram(similarity, is_document, self.bins), tokens.dtype)
        of_pair = ops.broadcast_to(tokens[:, :1], ops.shape(tokens))  # [CLS], beside each word
        features = ops.concatenate([histograms, of_pair], axis=-1)  # (batch, length, bins + hidden_dim)
        scores = ops.squeeze(self.score_dense(self.features_dense(features)), axis=-1)  # (batch, length)
        weights = self.gate(self.encoder.embedding.token_embedding(token_ids), is_query)
        return ops.sum(weights * ops.cast(scores, "float32"), axis=-1)

    def get_config(self) -> dict[str, Any]:
        config = {"encoder": self.encoder.get_config(), "bins": self.bins, "units": self.units}
        return {**super().get_config(), **config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> keras.Model:
        return cls(**{**config, "encoder": BertEncoder.from_config(config["encoder"])})


@keras.saving.register_keras_serializable(package="course")
class SplitEncoder(keras.Model):
    """An encoder whose first blocks see one text alone, and whose last blocks see both.

    So the output of the first ones for a document does not depend on the query: it is computed once, and stored. A
    query is padded to `query_length` tokens, and the document stands after it, so its positions are the same for every
    query.

        [CLS] query [SEP] padding          segment 0, positions 0 to query_length - 1
        document [SEP] padding             segment 1, positions from query_length on

    Args:
        encoder: all of its blocks are used once.
        split: how many blocks see one text alone. With 0, all see both.
        query_length: how many tokens a query has, with its padding.
        **kwargs: what every Keras model takes, such as `name`.

    Raises:
        TypeError: the encoder is not a model.
        ValueError: a split that leaves no block for both texts, a `query_length` that leaves no room for documents, or
            an encoder without a second segment.

    Example:
        >>> reader = SplitEncoder(encoder, split=3, query_length=24)
        >>> documents = reader.encode_document(document_ids, document_ids != 0)  # the night before
        >>> query = reader.encode_query(query_ids, query_ids != 0)
        >>> reader.join(query, query_ids != 0, documents, document_ids != 0)["pooled_output"]

    Reference: MacAvaney et al., "Efficient Document Re-Ranking for Transformers by Precomputing Term Representations"
    (PreTTR), 2020, https://arxiv.org/abs/2004.14255, section 3. The search engine of Yandex does the same with 9 + 3
    blocks, in a model that it calls YATI.
    """

    def __init__(self, encoder: BertEncoder, split: int, query_length: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        require_split(encoder, split, query_length)
        self.encoder = encoder
        self.split = split
        self.query_length = query_length

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        """Builds the encoder if it is not built yet."""
        if not self.encoder.built:
            self.encoder.build((None, None))

    def embed(self, token_ids: Any, start: int, segment: int) -> Any:
        """Return the embedding of tokens that start at a position, in one segment: (batch, length, hidden_dim).

        Args:
            token_ids: integers, (batch, length).
            start: the position of the first one.
            segment: the segment of all of them.
        """
        # Each token is embedded by itself, so any tokens can be put before them, and cut off again.
        shifted = ops.pad(token_ids, ((0, 0), (start, 0)))
        return self.encoder.embedding(shifted, ops.full_like(shifted, segment))[:, start:]

    def encode_query(self, token_ids: Any, padding_mask: Any) -> Any:
        """Return the output of the first `split` blocks for queries.

        Args:
            token_ids: integers, (batch, query_length): [CLS] query [SEP] padding.
            padding_mask: boolean, (batch, query_length), True at tokens.

        Returns:
            (batch, query_length, hidden_dim).

        Raises:
            ValueError: other shapes or dtypes, or ids out of range.
        """
        require_masked(token_ids, padding_mask, length=self.query_length)
        return self._first_blocks(self.embed(token_ids, 0, 0), padding_mask)

    def encode_document(self, token_ids: Any, padding_mask: Any) -> Any:
        """Return the output of the first `split` blocks for documents, whatever the query will be.

        Args:
            token_ids: integers, (batch, document_length): document [SEP] padding.
            padding_mask: boolean, (batch, document_length), True at tokens.

        Returns:
            (batch, document_length, hidden_dim).

        Raises:
            ValueError: other shapes or dtypes, ids out of range, or more tokens than there are positions.
        """
        require_masked(token_ids, padding_mask)
        return self._first_blocks(self.embed(token_ids, self.query_length, 1), padding_mask)

    def _first_blocks(self, x: Any, padding_mask: Any) -> Any:
        for block in self.encoder.blocks[: self.split]:
            x = block(x, attention_mask=padding_mask[:, None, None, :])
        return x

    def join(self, query: Any, query_mask: Any, document: Any, document_mask: Any) -> dict[str, Any]:
        """Return the output of the remaining blocks for one row: the query, and the document after it.

        Args:
            query: (batch, query_length, hidden_dim), from `encode_query`.
            query_mask: boolean, (batch, query_length), True at tokens.
            document: (batch, document_length, hidden_dim), from `encode_document`.
            document_mask: boolean, (batch, document_length), True at tokens.

        Returns:
            "sequence_output" and "pooled_output", as `BertEncoder` gives them.

        Raises:
            ValueError: shapes that do not fit each other, or masks that are not boolean.
        """
        require_masked(query, query_mask)
        require_masked(document, document_mask)
        x = ops.concatenate([query, document], axis=1)
        padding_mask = ops.concatenate([query_mask, document_mask], axis=1)
        for block in self.encoder.blocks[self.split :]:
            x = block(x, attention_mask=padding_mask[:, None, None, :])
        return {"sequence_output": x, "pooled_output": self.encoder.pooler(x[:, 0])}

    def call(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """Encodes and joins queries and documents, as in training.

        Args:
            inputs: "query_ids" and "document_ids", each (batch, length).
        """
        require_inputs(inputs, ("query_ids", "document_ids"))
        query_ids, document_ids = inputs["query_ids"], inputs["document_ids"]
        query_mask, document_mask = (ops.not_equal(ids, self.encoder.padding_id) for ids in (query_ids, document_ids))
        query, document = self.encode_query(query_ids, query_mask), self.encode_document(document_ids, document_mask)
        return self.join(query, query_mask, document, document_mask)

    def get_config(self) -> dict[str, Any]:
        config = {"encoder": self.encoder.get_config(), "split": self.split, "query_length": self.query_length}
        return {**super().get_config(), **config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> keras.Model:
        return cls(**{**config, "encoder": BertEncoder.from_config(config["encoder"])})


def max_sim(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    """Scores each document for each query: for each word of the query, the most similar word of the document counts.

        score(q, d) = Σ over the words i of q: max over the words j of d: cosine(q_i, d_j)

    What must hold:
        - Padding of a document is never the most similar word, not even where all cosines are negative.
        - Padding of a query adds nothing. The score is a sum, not a mean.
        - A document without a word gets -1 for each word of the query, the lowest possible cosine.
        - Vectors may have any length, and may be in half precision. Everything is computed in float32. No output and no
          gradient becomes NaN.

    Args:
        query_vectors: (queries, query_length, width).
        document_vectors: (documents, document_length, width).
        query_mask: boolean, (queries, query_length), True at words.
        document_mask: boolean, (documents, document_length), True at words.

    Returns:
        float32, (queries, documents): every query with every document.

    Raises:
        ValueError: shapes that do not fit each other, or masks that are not boolean.

    Example:
        One query of two words. The document has one of them, and the opposite of the other.

        >>> query, document = np.array([[[1.0, 0.0], [0.0, 1.0]]]), np.array([[[3.0, 0.0], [0.0, -2.0]]])
        >>> max_sim(query, document, np.ones((1, 2), bool), np.ones((1, 2), bool))
        [[1.0]]

    Reference: Khattab and Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction
    over BERT", 2020, https://arxiv.org/abs/2004.12832, section 3.3, equation 3.
    """
    require_token_vectors(query_vectors, document_vectors, query_mask, document_mask)
    queries, documents = unit_vectors(query_vectors), unit_vectors(document_vectors)
    cosines = ops.einsum("qiw,djw->qdij", queries, documents)
    cosines = ops.where(document_mask[None, :, None, :], cosines, -1.0)  # no cosine is lower
    likest = ops.max(cosines, axis=-1)  # (queries, documents, query_length)
    return ops.sum(ops.where(query_mask[:, None, :], likest, 0.0), axis=-1)


def late_interaction_search(
    query_vectors: np.ndarray,
    index: NearestVectors,
    owners: np.ndarray,
    document_vectors: Sequence[np.ndarray],
    per_token: int,
    k: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best documents for a query by `max_sim`, without scoring all of them.

    Each word of the query asks the index for the vectors that are most similar to it. The documents that these belong
    to are the candidates, and only they are scored.

    What must hold:
        - Each candidate is scored once, by `max_sim`, with all words of the query and all of its own vectors.
        - There are at most k results: documents, each once, the best first; of equally good ones, the lower number
          first.
        - If each word asks for as many vectors as there are, the result is the same as from scoring all documents that
          have a word.

    Args:
        query_vectors: (words, width), of one query, without padding.
        index: of the vectors of all documents. `index.nearest(vectors, count)` returns the numbers of the `count`
            vectors of the index that are nearest to each of the given ones, (vectors, count), the nearest first. It
            has to hold at least `count`.
        owners: integers, (vectors,), the document that each vector of the index belongs to.
        document_vectors: for each document its vectors, (its words, width).
        per_token: how many vectors each word of the query asks for. If it exceeds the number of vectors, all are found.
        k: how many documents to return.

    Returns:
        The documents, integers, and their scores, float32: (results,) each.

    Raises:
        ValueError: a query without a word, an owner that is not a document, or a size that is not a whole number of at
            least 1.

    Example:
        >>> index = ExactVectors(np.concatenate(document_vectors))
        >>> owners = np.repeat(np.arange(len(document_vectors)), [len(vectors) for vectors in document_vectors])
        >>> documents, scores = late_interaction_search(query, index, owners, document_vectors, per_token=20, k=10)

    Reference: Khattab and Zaharia, "ColBERT", 2020, https://arxiv.org/abs/2004.12832, section 3.6.
    """
    require_sizes(per_token=per_token, k=k)
    require_index(query_vectors, owners, len(document_vectors))
    found = index.nearest(query_vectors, min(per_token, len(owners)))  # (words, per_token)
    candidates = np.unique(np.asarray(owners)[found])  # each once, in the order of their numbers
    vectors, mask = stacked([np.asarray(document_vectors[number]) for number in candidates])
    query_mask = np.ones((1, len(query_vectors)), bool)
    scores = ops.convert_to_numpy(max_sim(np.asarray(query_vectors)[None], vectors, query_mask, mask))[0]
    order = np.argsort(-scores, kind="stable")[:k]
    return candidates[order], scores[order]


def duo_rank(
    candidates: np.ndarray, compare: Callable[[np.ndarray, np.ndarray], Any], batch_size: int = 32
) -> tuple[np.ndarray, np.ndarray]:
    """Orders a few candidates by comparing each of them with each other one.

        s_i = Σ over j ≠ i: P(candidate i is better than candidate j)

    What must hold:
        - Every ordered pair is compared once, and no candidate with itself: 10 candidates are 90 pairs, and 20 are 380.
          `compare` may give another answer when a pair is reversed.
        - Of candidates with equal scores, the one that was ahead stays ahead.

    Args:
        candidates: (candidates,), ids, in the order of the earlier stage, the best first.
        compare: takes the ids of the first and of the second candidates of some pairs, (pairs,) each, and returns how
            likely it is that the first is the better one: (pairs,), from 0 to 1.
        batch_size: how many pairs `compare` gets at a time, at most.

    Returns:
        All candidates, the best first, and the score of each: (candidates,) each.

    Raises:
        ValueError: a candidate that occurs twice, a `batch_size` below 1, or not exactly one answer for each pair.

    Example:
        >>> duo_rank(np.array([7, 5, 9]), lambda first, second: first > second)
        (array([9, 7, 5]), array([2., 1., 0.]))

    Reference: Nogueira et al., "Multi-Stage Document Ranking with BERT", 2019, https://arxiv.org/abs/1910.14424,
    section 3.3, with the sum of the probabilities.
    """
    require_sizes(batch_size=batch_size)
    candidates = require_candidates(candidates)
    first, second = np.nonzero(~np.eye(len(candidates), dtype=bool))
    better = np.zeros((len(candidates), len(candidates)))
    for begin in range(0, len(first), batch_size):
        ahead, behind = first[begin : begin + batch_size], second[begin : begin + batch_size]
        better[ahead, behind] = require_answers(compare(candidates[ahead], candidates[behind]), len(ahead))
    scores = better.sum(axis=1)
    order = np.argsort(-scores, kind="stable")
    return candidates[order], scores[order]


@keras.saving.register_keras_serializable(package="course")
class DeTextRanker(keras.Model):
    """Scores documents by vectors of texts, their similarities, and numbers from outside the texts, in one network.

    A document has fields, such as a title and a body. The query and each field are one vector each, from an encoder
    that has read them separately; a gradient reaches these vectors, so the encoder can learn with the ranker.
    `features` puts all that is known about a pair side by side. The score is wide and deep: one projection of these
    features together with the output of another projection of them, with the activation tanh.

    Args:
        width: of the vectors.
        fields: how many a document has.
        means: (numbers,), the mean of each number in the training data.
        deviations: (numbers,), the standard deviation of each number in the training data; 0, up to rounding, for one
            that is always the same.
        units: width between the two projections.
        **kwargs: what every Keras model takes, such as `name` and `dtype`.

    Raises:
        ValueError: no numbers, not a finite mean and a deviation of at least 0 for each, or a size that is not a
            whole number of at least 1.

    Example:
        >>> ranker = DeTextRanker(128, fields=2, means=[3.0, 80.0], deviations=[1.5, 20.0])
        >>> scores = ranker({"query": query_vectors, "fields": field_vectors, "numbers": numbers})  # (batch,)

    Reference: Guo et al., "DeText: A Deep Text Ranking Framework with BERT", 2020, https://arxiv.org/abs/2008.02460.
    Numbers are rescaled as in its published code.
    """

    def __init__(
        self,
        width: int,
        fields: int,
        means: Sequence[float],
        deviations: Sequence[float],
        units: int = 16,
        **kwargs: Any,
    ) -> None:
        # In mixed precision Keras would cast all inputs to float16, where numbers above 65,504 are infinite.
        super().__init__(autocast=False, **kwargs)
        require_sizes(width=width, fields=fields, units=units)
        require_standardization(means, deviations)
        self.width, self.fields, self.units = width, fields, units
        self.means, self.deviations = (np.asarray(given, "float32") for given in (means, deviations))
        # The mean of equal numbers is rounded, so they may deviate from it by the rounding.
        self.deviations = np.where(self.deviations > 1e-6 * np.abs(self.means), self.deviations, np.float32(0))

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        """Makes `rescale`, tanh(w x + b) for each number x, and the two projections `deep_dense` and `score_dense`."""
        numbers = len(self.means)
        features = self.fields + (2 * self.fields + 1) * self.width + numbers
        self.rescale = keras.layers.EinsumDense(
            "bn,n->bn", numbers, "tanh", "n", kernel_initializer="ones", name="rescale", dtype="float32"
        )
        self.deep_dense = projection(self.units, "deep", activation="tanh", dtype=self.dtype_policy)
        self.score_dense = projection(1, "score", dtype=self.dtype_policy)
        self.rescale.build((None, numbers))
        self.deep_dense.build((None, features))
        self.score_dense.build((None, features + self.units))

    def features(self, query: Any, fields: Any, numbers: Any) -> Any:
        """Puts all that is known about a query and a document side by side.

        From the query's vector q, the vectors d_1, ..., d_n of a document's fields, and its numbers x, in this order:

            cos(q, d_1), ..., cos(q, d_n)    n features
            q ∘ d_1, ..., q ∘ d_n            n · width: the product of both vectors, feature by feature
            q, d_1, ..., d_n                 (1 + n) · width: the vectors as given
            rescale((x - mean) / deviation)  one for each number

        `self.means` and `self.deviations` are float32 arrays of NumPy, (numbers,). `self.rescale` is a layer that takes
        all standardized numbers at once, (batch, numbers), and learns how much each of them says.

        What must hold:
            - A vector of zeros, that of an empty field, has a cosine of 0 with any other. No output and no gradient
              becomes NaN.
            - A number whose deviation is 0 was always the same in training, so nothing was learned from it.
              `self.rescale` gets 0 for it, whatever its value is now.
            - The vectors may be in half precision. Everything is computed in float32.
            - The size of a batch may be unknown, as in a compiled model. All other sizes are known.

        Args:
            query: (batch, width).
            fields: (batch, n, width).
            numbers: float32, (batch, numbers).

        Returns:
            float32, (batch, n + n · width + (1 + n) · width + numbers).
        """
        query, fields = ops.cast(query, "float32"), ops.cast(fields, "float32")
        cosines = ops.sum(unit_vectors(query)[:, None] * unit_vectors(fields), axis=-1)  # (batch, n)
        products = ops.reshape(query[:, None] * fields, (-1, self.fields * self.width))
        in_a_row = ops.reshape(fields, (-1, self.fields * self.width))
        varied = self.deviations > 0
        standardized = ops.where(varied, (numbers - self.means) / np.where(varied, self.deviations, 1), 0.0)
        return ops.concatenate([cosines, products, query, in_a_row, self.rescale(standardized)], axis=-1)

    def call(self, inputs: dict[str, Any]) -> Any:
        """Scores pairs of a query and a document.

        Args:
            inputs: "query", (batch, width); "fields", (batch, fields, width); and "numbers", (batch, numbers).

        Returns:
            Scores, float32, (batch,); the higher, the better.

        Raises:
            ValueError: inputs that lack one of these, of other shapes, or that are not floats.
        """
        require_pairs(inputs, query=(self.width,), fields=(self.fields, self.width), numbers=self.means.shape)
        fields = ops.reshape(inputs["fields"], (-1, self.fields, self.width))  # known in a compiled model, too
        wide = self.features(inputs["query"], fields, ops.cast(inputs["numbers"], "float32"))
        deep = ops.cast(self.deep_dense(wide), "float32")
        return ops.cast(self.score_dense(ops.concatenate([wide, deep], axis=-1))[:, 0], "float32")

    def get_config(self) -> dict[str, Any]:
        sizes = {"width": self.width, "fields": self.fields, "units": self.units}
        numbers = {"means": self.means.tolist(), "deviations": self.deviations.tolist()}
        return {**super().get_config(), **sizes, **numbers}
