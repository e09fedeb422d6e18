"""Matching: do two texts belong together? Pairs are read and scored, and the scores are measured.

How good a ranking is; a loss for two texts that are read separately; a row of several texts, and a model that reads it;
the best threshold on scores; and the calibration of scores into probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.encoder import BertEncoder, projection
from course.validation.arrays import require_inputs
from course.validation.matching import (
    require_both_labels,
    require_probabilities,
    require_rankings,
    require_same_pairs,
    require_vectors,
)
from course.validation.values import require_id_lists, require_instance, require_numbers, require_sizes


def ranking_scores(
    ranked_gains: Sequence[Sequence[float]], all_gains: Sequence[Sequence[float]], k: int = 10
) -> dict[str, float]:
    """Return how good the rankings of several queries are: the means of nDCG, reciprocal rank and average precision.

    The gain of a document is its value to the user who asks: 0 for none, the higher the better.

        DCG = Σ gain / log2(rank + 1) over the first k ranks, which count from 1
        nDCG = DCG / DCG of the best order of all documents that were judged
        reciprocal rank = 1 / rank of the first relevant document, if that is within k; else 0
        average precision = Σ precision at the rank of each relevant document / number of all relevant documents

    What must hold:
        - A document is relevant if its gain is above 0.
        - The best order and the number of relevant documents include all that were judged, found or not.
        - nDCG and reciprocal rank look at the first k ranks, and average precision at all.
        - A query without relevant documents says nothing about the ranking, and is left out. A query that has relevant
          documents, but no results, counts 0.

    Args:
        ranked_gains: for each query the gains of its results, the best result first; 0 for documents that were not
            judged.
        all_gains: for each query the gains of all documents that were judged, in any order.
        k: how many ranks count.

    Returns:
        "ndcg", "mrr" and "map", each from 0 to 1.

    Raises:
        ValueError: unequal numbers of queries; gains that are negative or not numbers; a result with a gain above 0
            that was not judged, or was ranked twice; or no query with a relevant document.

    Example:
        >>> ranking_scores([[0, 3, 1]], [[3, 1, 1]])
        {'ndcg': 0.5792, 'mrr': 0.5, 'map': 0.3889}

    Reference: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, with the discount that
    trec_eval and most others use today.
    """
    require_sizes(k=k)
    of_queries = []
    for ranked, judged in require_rankings(ranked_gains, all_gains):
        relevant = np.flatnonzero(ranked) + 1  # the ranks of the relevant documents
        best = np.sort(judged)[::-1]
        gain, most = (np.sum(gains[:k] / np.log2(np.arange(len(gains[:k])) + 2)) for gains in (ranked, best))
        first = 1 / relevant[0] if len(relevant) and relevant[0] <= k else 0.0
        precisions = np.arange(1, len(relevant) + 1) / relevant
        of_queries.append((gain / most, first, precisions.sum() / np.count_nonzero(judged)))
    return {name: float(mean) for name, mean in zip(("ndcg", "mrr", "map"), np.mean(of_queries, axis=0), strict=True)}


def in_batch_loss(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    """Return the loss of picking, for each query, its own document among all documents of the batch.

        s_ij = scale · cosine(query i, document j)
        loss = mean over i of -log softmax(s_i)_i

    What must hold:
        - The softmax goes over the documents.
        - Where `same` is True, document j is right for query i as well, so it is left out of the softmax. The query's
          own document stays in it in any case.
        - Vectors may be in half precision. The loss is computed in float32 all the same.
        - A vector of zeros has a cosine of 0 with everything. Neither the loss nor a gradient becomes NaN.
        - It can run inside a compiled training step, and both sides get a gradient.

    Args:
        query_vectors: (batch, width), one for each query.
        document_vectors: (batch, width), the document of each query.
        scale: the factor of the cosines. They lie between -1 and 1, which a softmax alone would hardly distinguish.
        same: boolean, (batch, batch), or None.

    Returns:
        A float32 scalar.

    Raises:
        ValueError: shapes that do not fit each other, vectors that are not floats, or a `same` that is not boolean.

    Example:
        Two queries whose documents are all alike: log 2.

        >>> in_batch_loss(np.ones((2, 3)), np.ones((2, 3)))
        # 0.6931

    Reference: Henderson et al., "Efficient Natural Language Response Suggestion for Smart Reply", 2017,
    https://arxiv.org/abs/1705.00652, section 4.4; with cosines as in Sentence-BERT's `MultipleNegativesRankingLoss`.
    """
    require_vectors(query_vectors, document_vectors, same)
    require_numbers(scale=scale)
    sides = (ops.cast(vectors, "float32") for vectors in (query_vectors, document_vectors))
    # Not ops.normalize, whose gradient is NaN for a vector of zeros, on PyTorch and JAX.
    queries, documents = (x * ops.rsqrt(ops.maximum(ops.sum(x * x, axis=-1, keepdims=True), 1e-12)) for x in sides)
    scores = scale * ops.matmul(queries, ops.transpose(documents))  # (query, document)
    number = ops.arange(ops.shape(scores)[0])
    if same is not None:
        is_own = ops.equal(number[:, None], number[None, :])
        scores = ops.where(ops.logical_and(same, ops.logical_not(is_own)), -1e9, scores)
    return ops.mean(ops.sparse_categorical_crossentropy(number, scores, from_logits=True))


def pack_texts(
    texts: Sequence[Sequence[int]], max_length: int, *, cls_id: int, sep_id: int, padding_id: int = 0
) -> dict[str, np.ndarray]:
    """Packs several texts into a row, such as query, title and body: [CLS] query [SEP] title [SEP] body [SEP] padding.

    What must hold:
        - Texts that are too long together lose ids from their ends: first the last text, all of its ids if need be,
          then the one before it, and so on. [CLS] and each [SEP] stay.
        - The segment is 0 up to and including the first [SEP], then 1 up to and including the second, and so on; it is
          0 at padding.
        - A text that is empty, or loses all of its ids, is still a text: its [SEP] and its segment are there.

    Args:
        texts: the ids of one text or more, the most important one first.
        max_length: length of the row.
        cls_id: the id of [CLS].
        sep_id: the id of [SEP].
        padding_id: the id that fills up a short row.

    Returns:
        A dictionary of three arrays, each (max_length,):
        token_ids: int32.
        segment_ids: int32.
        padding_mask: boolean, True at tokens, False at padding.

    Raises:
        TypeError: texts that are not lists of ids.
        ValueError: no texts, `max_length` leaves no room for [CLS] and each [SEP], or a negative id.

    Example:
        >>> pack_texts([[7, 8], [5], [9, 9, 6]], max_length=9, cls_id=2, sep_id=3)
        {'token_ids':    [2, 7, 8, 3, 5, 3, 9, 9, 3],
         'segment_ids':  [0, 0, 0, 0, 1, 1, 2, 2, 2],
         'padding_mask': [True, True, True, True, True, True, True, True, True]}

    Reference: Devlin et al., "BERT", 2018, section 3, with a segment for each of more than two texts, as in Nogueira et
    al., "Multi-Stage Document Ranking with BERT", 2019, https://arxiv.org/abs/1910.14424, section 3.3.
    """
    require_id_lists(**{f"text {number}": ids for number, ids in enumerate(texts)})
    room = max_length - 1 - len(texts)
    if not len(texts) or room < 0:
        raise ValueError(
            "there must be one text or more, and room for [CLS] and a [SEP] after each text. "
            f"Received: {len(texts)} texts, max_length={max_length}"
        )
    token_ids, segment_ids = [cls_id], [0]
    for segment, ids in enumerate(texts):
        kept = list(ids)[:room]
        room -= len(kept)
        token_ids += [*kept, sep_id]
        segment_ids += [segment] * (len(kept) + 1)
    padding = max_length - len(token_ids)
    return {
        "token_ids": np.array(token_ids + [padding_id] * padding, "int32"),
        "segment_ids": np.array(segment_ids + [0] * padding, "int32"),
        "padding_mask": np.arange(max_length) < len(token_ids),
    }


@keras.saving.register_keras_serializable(package="course")
class PairClassifier(keras.Model):
    """Scores how well the texts of one row fit together: an encoder, and a projection to one number.

        logit = dropout(pooled_output) · w + b    and then, in the loss, P(they match) = σ(logit)

    Args:
        encoder: pretrained, or not. Training changes its weights, too. It has as many segments as a row has texts.
        dropout: share of the pooled output that is dropped in training.
        **kwargs: what every Keras model takes, such as `name` and `dtype`.

    Raises:
        TypeError: the encoder is not a model.
        ValueError: a dropout that is not a share.

    Example:
        >>> matcher = PairClassifier(encoder)
        >>> logits = matcher(tokenizer(questions, other_questions))  # (batch,)

    Reference: Nogueira and Cho, "Passage Re-ranking with BERT", 2019, https://arxiv.org/abs/1901.04085, section 2.
    """

    def __init__(self, encoder: BertEncoder, dropout: float = 0.1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        self.encoder = encoder
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        """Makes `logit_dense`, a `projection` to one number that is named "logit", and builds it.

        Its inputs have `self.encoder.hidden_dim` features, and it gets `dtype=self.dtype_policy`. If the encoder is not
        built yet, it is built here, too: `encoder.build((None, None))`.

        Args:
            inputs_shape: the shape of each input; none of it matters here.
        """
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.logit_dense = projection(1, "logit", dtype=self.dtype_policy)
        self.logit_dense.build((None, self.encoder.hidden_dim))

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        """Encodes the rows, takes the pooled output, drops some of it, and projects it to one number.

        Keras passes `training` on to the encoder and to `self.dropout_layer` by itself.

        Args:
            inputs: "token_ids" and, where present, "segment_ids" and "padding_mask", each (batch, length). The encoder
                takes them one by one: `encoder(token_ids, segment_ids, padding_mask)`.
            training: whether to apply dropout.

        Returns:
            Logits, (batch,), before the sigmoid, in the model's compute dtype.

        Raises:
            ValueError: inputs without "token_ids", or with values that are not ids.
        """
        require_inputs(inputs, ("token_ids",))
        outputs = self.encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"))
        pooled = self.dropout_layer(outputs["pooled_output"])  # (batch, hidden_dim)
        return ops.squeeze(self.logit_dense(pooled), axis=-1)  # (batch,)

    def get_config(self) -> dict[str, Any]:
        config = {"encoder": self.encoder.get_config(), "dropout": self.dropout}
        return {**super().get_config(), **config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> keras.Model:
        return cls(**{**config, "encoder": BertEncoder.from_config(config["encoder"])})


def best_threshold(scores: Any, labels: Any, beta: float = 1.0) -> tuple[float, float]:
    """Return the score from which on pairs are said to match, so that F is as high as possible.

        F = (1 + β²) · precision · recall / (β² · precision + recall)

    Recall matters β times as much as precision.

    What must hold:
        - A pair is said to match if score >= threshold. So pairs with equal scores are all said to match, or none.
        - The threshold lies in the middle between the lowest score of a pair that is said to match and the next lower
          score. Where all pairs are said to match, it is the lowest score.
        - Where several thresholds are equally good, the highest one is returned, unless rounding tells them apart.

    Trying each score against all pairs is right, but slow. Sort once, and update the counts from each pair to the next.

    Args:
        scores: floats, also in half precision, (pairs,), the higher the likelier; logits, cosines or probabilities.
        labels: (pairs,), 1 or True where a pair matches, else 0 or False.
        beta: above 0; 1 for F1.

    Returns:
        The threshold, and F at it: two Python floats.

    Raises:
        ValueError: shapes that do not fit each other, labels other than 0 and 1, no pair that matches, scores that are
            NaN or infinite, or a beta that is not above 0.

    Example:
        >>> best_threshold(np.array([0.9, 0.2, 0.6, 0.4]), np.array([1, 0, 0, 1]))
        (0.3, 0.8)

    Reference: van Rijsbergen, "Information Retrieval", 1979, chapter 7.
    """
    scores, labels = require_same_pairs(scores, labels, "scores")
    require_numbers(beta=beta)
    if not labels.any() or beta == 0:
        raise ValueError(
            "at least one pair must match, or F is never above 0, and beta must be above 0. "
            f"Received: {int(labels.sum())} of {len(labels)} pairs, beta={beta}"
        )
    order = np.argsort(-scores)
    ranked, hits = scores[order], np.cumsum(labels[order])
    said = np.arange(1, len(scores) + 1)  # how many are said to match, if all down to this one are
    f = (1 + beta**2) * hits / (beta**2 * labels.sum() + said)
    f[:-1][ranked[:-1] == ranked[1:]] = -1.0  # between equal scores there is no threshold
    best = int(np.argmax(f))  # the first of the highest
    lower = ranked[min(best + 1, len(ranked) - 1)]
    middle = (ranked[best] + lower) / 2
    # Between two neighbouring floats there is no middle.
    threshold = ranked[best] if middle == lower else middle
    return float(threshold), float(f[best])


def fit_platt(logits: Any, labels: Any) -> tuple[float, float]:
    """Fits Platt's calibration: the a and b for which σ(a · logit + b) is as good a probability as possible.

        loss = -Σ t log p + (1 - t) log(1 - p),    p = σ(a · logit + b)

    What must hold:
        - The target t is (n₁ + 1) / (n₁ + 2) for each of the n₁ pairs that match, and 1 / (n₀ + 2) for each of the n₀
          others, not 1 and 0. So a and b are finite, even where a threshold separates all pairs correctly.
        - The result is the minimum. The loss is convex, and Newton's method finds it in a few steps; its steps must be
          kept from going too far, so that this works for logits of any size, such as some thousands.

    Args:
        logits: floats, also in half precision, (pairs,), of pairs on which the model was *not* trained.
        labels: (pairs,), 1 or True where a pair matches, else 0 or False.

    Returns:
        a and b: two Python floats. a is above 0 where higher logits match more often, so that the order stays.

    Raises:
        ValueError: shapes that do not fit each other, labels other than 0 and 1 or all the same, logits that are NaN,
            infinite or all equal.

    Example:
        >>> fit_platt(np.array([2.0, -1.0, 4.0, 1.0]), np.array([1, 0, 1, 0]))
        (0.5228, -0.7842)

    Reference: Platt, "Probabilistic Outputs for Support Vector Machines", 1999, section 2.2; Lin, Lin and Weng, "A Note
    on Platt's Probabilistic Outputs for Support Vector Machines", 2007, for steps that do not go too far.
    """
    logits, labels = require_same_pairs(logits, labels, "logits")
    require_both_labels(logits, labels)
    positive = int(labels.sum())
    targets = np.where(labels, (positive + 1) / (positive + 2), 1 / (len(labels) - positive + 2))
    center, width = logits.mean(), logits.std()
    rows = np.stack([(logits - center) / width, np.ones_like(logits)], axis=1)  # (pairs, 2)

    def loss(weights: np.ndarray) -> float:
        return float(np.sum(np.logaddexp(0, rows @ weights) - targets * (rows @ weights)))

    weights = np.zeros(2)
    for _ in range(100):
        p = np.exp(-np.logaddexp(0, -(rows @ weights)))
        gradient = rows.T @ (p - targets)
        hessian = (rows.T * (p * (1 - p))) @ rows
        # The added term keeps the matrix from being singular where all p but a few round to 0 or 1.
        step = np.linalg.solve(hessian + 1e-12 * np.eye(2), gradient)
        while loss(weights - step) > loss(weights):  # until it is so short that it changes nothing
            step = step / 2
        weights = weights - step
        if np.abs(step).max() < 1e-10:
            break
    a, b = weights[0] / width, weights[1] - weights[0] * center / width
    return float(a), float(b)


def calibration_error(probabilities: Any, labels: Any, bins: int = 10) -> float:
    """Return by how much the model's probabilities are wrong, on average: the expected calibration error, ECE.

    Pairs are sorted into bins of equal width by their probability. In each bin the mean probability is compared with
    the share of pairs that do match.

        ECE = Σ over bins: (pairs in it / all pairs) · |mean probability - share that match|

    What must hold:
        - Bin i has the probabilities from i / bins up to, but not including, (i + 1) / bins; the last bin has 1 as
          well. Compare with these bounds: rounding makes 0.29 · 100 less than 29, but 0.29 is in bin 29 of 100.
        - A bin without pairs adds nothing.

    Args:
        probabilities: floats, (pairs,), of a match, from 0 to 1.
        labels: (pairs,), 1 or True where a pair matches, else 0 or False.
        bins: how many there are.

    Returns:
        A Python float: 0 where the probabilities are right, at most 1.

    Raises:
        ValueError: shapes that do not fit each other, labels other than 0 and 1, or values that are not probabilities.

    Example:
        Of two pairs at 0.75 one matches, and the one at 0.25 does not.

        >>> calibration_error(np.array([0.75, 0.75, 0.25]), np.array([1, 0, 0]))
        0.25

    Reference: Naeini, Cooper and Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian Binning", 2015.
    """
    probabilities, labels = require_probabilities(probabilities, labels)
    require_sizes(bins=bins)
    bounds = np.arange(1, bins) / bins  # the lower bounds of all bins but the first, so 1 is in the last one
    places = np.searchsorted(bounds, probabilities, side="right")  # (pairs,)
    # A bin's mean and share are divided by its number of pairs, and its weight multiplies by it: both cancel.
    gaps = np.bincount(places, probabilities - labels, minlength=bins)
    return float(np.abs(gaps).sum() / len(labels))
