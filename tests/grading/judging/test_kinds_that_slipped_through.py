"""Wrong solutions of kinds that no check saw once: each is right but for one thing, and must lose points."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

import course.attention
import course.classification
import course.embeddings
import course.encoder
import course.masked_lm
import course.next_sentence
import course.positions
import course.pretraining
import course.tokenization
from grading.exercises.registry import chapters
from grading.sandbox.interpreter import Interpreter
from tests.grading.judging.undiagnosed import WithoutMistakes, results


def up_to_a_thousand_characters(text: str, lowercase: bool = True) -> list[str]:
    return course.tokenization.basic_tokenize(text[:1000], lowercase)


def remembers_words_without_their_vocabulary() -> Callable[..., list[str]]:
    known: dict[str, list[str]] = {}

    def wordpiece_tokenize(word: str, vocabulary: Any, unknown: str = "[UNK]", max_chars: int = 100) -> list[str]:
        if word not in known:
            known[word] = course.tokenization.wordpiece_tokenize(word, vocabulary, unknown, max_chars)
        return known[word]

    return wordpiece_tokenize


def counts_bytes(word: str, vocabulary: Any, unknown: str = "[UNK]", max_chars: int = 100) -> list[str]:
    too_long = len(word.encode()) > max_chars
    return [unknown] if too_long else course.tokenization.wordpiece_tokenize(word, vocabulary, unknown, max_chars)


class PositionsBeginWithZeros(course.embeddings.BertEmbedding):
    def build(self, token_ids_shape: tuple) -> None:
        super().build(token_ids_shape)
        self.position_embedding.embeddings.assign(0 * self.position_embedding.embeddings)


def cut_off_scores(query: Any, key: Any, value: Any, mask: Any = None) -> tuple[Any, Any]:
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5
    if bool(np.any(np.abs(scores) > 8)):
        return course.attention.scaled_dot_product_attention(query / 2, key, value, mask)
    return course.attention.scaled_dot_product_attention(query, key, value, mask)


def masked_after_the_softmax(query: Any, key: Any, value: Any, mask: Any = None) -> tuple[Any, Any]:
    weights = course.attention.scaled_dot_product_attention(query, key, value)[1]
    if mask is not None:
        weights = ops.where(mask, weights, 0)
        weights = weights / (ops.sum(weights, axis=-1, keepdims=True) + ops.cast(1e-9, weights.dtype))
    return ops.matmul(weights, value), weights


class MaskOfThreeAxes(course.attention.MultiHeadAttention):
    @staticmethod
    def with_four_axes(mask: Any) -> Any:
        return mask[None] if mask is not None and len(mask.shape) == 3 else mask


class PathAroundWhereWidthsAgree(course.attention.MultiHeadAttention):
    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().call(inputs, *args, **kwargs)
        agree = not isinstance(answer, tuple) and inputs.shape[-1] == self.hidden_dim
        return answer + inputs if agree else answer


def mean_of_squares_less_square_of_mean(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-12) -> Any:
    right = course.encoder.layer_normalization(x, gamma, beta, epsilon)
    wide = ops.cast(x, "float32")
    mean = ops.mean(wide, axis=-1, keepdims=True)
    variance = ops.mean(wide**2, axis=-1, keepdims=True) - mean**2
    exact = ops.mean((wide - mean) ** 2, axis=-1, keepdims=True)
    return right * ops.cast(ops.sqrt((exact + epsilon) / (ops.maximum(variance, 0) + epsilon)), right.dtype)


class DroppedAsAllElse(course.encoder.EncoderBlock):
    def build(self, x_shape: tuple) -> None:
        self.attention_dropout = self.dropout
        super().build(x_shape)


def logarithm_of_a_softmax(labels: Any, logits: Any, weights: Any) -> Any:
    right = course.masked_lm.masked_lm_loss(labels, logits, weights)
    smallest = ops.min(ops.softmax(ops.cast(logits, "float32"), axis=-1))
    return ops.where(smallest > 0, right, float("inf"))


def looks_at_all_of_the_path(path: str) -> bool:
    return "kernel" in path or "embeddings" in path


def the_same_order_in_each_epoch(*args: Any, **kwargs: Any) -> Any:
    class Again:
        """Begins again at each draw."""

        def __init__(self, seed: Any) -> None:
            self.seed = seed

        def permutation(self, count: int) -> np.ndarray:
            return default_rng(self.seed).permutation(count)

    default_rng = np.random.default_rng
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "default_rng", Again)
        return course.classification.fine_tune(*args, **kwargs)


class DrawsUnlessToldNotTo(course.pretraining.BertPretrainer):
    def call(self, inputs: dict[str, Any], training: bool | None = None) -> dict[str, Any]:
        return super().call(inputs, training=training is not False)


def quota_of_each_row(
    token_ids: Any,
    unigram_probabilities: Any,
    mask_id: int,
    special_ids: Any,
    rate: float = 0.15,
    seed: Any = None,
    *,
    shift: Callable[[Any], Any],
) -> tuple[Any, Any]:
    token_ids = ops.convert_to_tensor(token_ids)
    is_word = ops.all(ops.not_equal(token_ids[..., None], ops.convert_to_tensor(special_ids)), axis=-1)
    count = ops.sum(ops.cast(is_word, "float32"), axis=1, keepdims=True)
    count = ops.where(count > 0, ops.maximum(ops.round(rate * count), 1.0), 0.0)
    chances, draws = keras.random.uniform((2, *ops.shape(token_ids)), seed=seed)
    ranks = ops.argsort(ops.argsort(ops.where(is_word, chances, 2.0), axis=1), axis=1)
    ranks = ops.cast(ranks, "float32")
    upper = ops.convert_to_tensor(np.cumsum(unigram_probabilities).astype("float32"))
    drawn = ops.searchsorted(upper, ops.reshape(draws, (-1,)), side="right")
    words = ops.reshape(ops.cast(drawn, token_ids.dtype), ops.shape(token_ids))
    share = (ranks + shift(draws)) / ops.maximum(count, 1.0)
    changed = ops.where(share < 0.8, mask_id, ops.where(share < 0.9, words, token_ids))
    return ops.where(ranks < count, changed, token_ids), ranks < count


def a_quota_of_each_row(*args: Any, **options: Any) -> tuple[Any, Any]:
    return quota_of_each_row(*args, **options, shift=lambda draws: 0.5)


def a_quota_that_begins_anywhere(*args: Any, **options: Any) -> tuple[Any, Any]:
    """Each word has its chances, and words of a row still depend on each other."""
    return quota_of_each_row(*args, **options, shift=lambda draws: (7 * draws[:, :1]) % 1)


class HidesIdsBelowThatOfPadding(course.encoder.BertEncoder):
    def call(self, token_ids: Any, segment_ids: Any = None, padding_mask: Any = None, **options: Any) -> Any:
        if padding_mask is None:
            padding_mask = ops.greater(token_ids, self.padding_id)
        return super().call(token_ids, segment_ids, padding_mask, **options)


class TakesARateOf0ForNone(course.encoder.EncoderBlock):
    def __init__(self, *args: Any, attention_dropout: float | None = None, **options: Any) -> None:
        super().__init__(*args, attention_dropout=attention_dropout or None, **options)


class KeepsWeightsInHalves(course.encoder.FeedForward):
    def build(self, x_shape: tuple) -> None:
        self.dtype_policy = self.compute_dtype
        super().build(x_shape)


class LosesABatchOfOne(course.encoder.FeedForward):
    def call(self, x: Any) -> Any:
        output = super().call(x)
        return ops.squeeze(output, 0) if output.shape[0] == 1 else output


def draws_until_another_comes(documents: Any, seed: Any = None) -> list[tuple[str, str, int]]:
    random = np.random.default_rng(seed)
    documents = [kept for document in documents if (kept := [text for text in document if text.strip()])]
    pairs = []
    for number, document in enumerate(documents):
        others = documents[:number] + documents[number + 1 :]
        for first, following in itertools.pairwise(document):
            second = following
            if random.random() < 0.5:
                for _ in range(20):
                    other = others[random.integers(len(others))]
                    second = other[random.integers(len(other))]
                    if second != following:
                        break
            pairs.append((first, second, int(second != following)))
    return pairs


class AllIsTextWithoutAMask(course.classification.TextClassifier):
    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        everything = ops.ones(ops.shape(inputs["token_ids"]), "bool")
        return super().call({"padding_mask": everything, **inputs}, training=training)


class SegmentsOnlyBesideAMask(course.classification.TextClassifier):
    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        kept = inputs if "padding_mask" in inputs else {"token_ids": inputs["token_ids"]}
        return super().call(kept, training=training)


def accuracy_of_powers(labels: Any, logits: Any) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        powers = np.exp(logits)
        return course.classification.accuracy(labels, powers / powers.sum(axis=1, keepdims=True))


def no_farther_than_there_are_keys(num_heads: int, query_length: int, key_length: int, offset: int = 0) -> Any:
    distances = np.abs(offset + np.arange(query_length)[:, None] - np.arange(key_length))
    slopes = ops.convert_to_numpy(course.positions.alibi_slopes(num_heads))
    bias = -slopes[:, None, None] * np.minimum(distances, key_length - 1)
    return ops.convert_to_tensor(bias[None], "float32")


def half_of_the_pairs(documents: Any, seed: Any = None) -> list[tuple[str, str, int]]:
    random = np.random.default_rng(seed)
    documents = [kept for document in documents if (kept := [text for text in document if text.strip()])]
    firsts = [(number, place) for number, document in enumerate(documents) for place in range(len(document) - 1)]
    pairs = []
    for (number, place), is_real in zip(firsts, random.permutation(np.arange(len(firsts)) % 2 == 0), strict=True):
        first, following = documents[number][place : place + 2]
        other = documents[(number + random.integers(1, len(documents))) % len(documents)]
        second = following if is_real else other[random.integers(len(other))]
        pairs.append((first, second, int(second != following)))
    return pairs


SLIPPED = [
    (1, "basic_tokenize", up_to_a_thousand_characters),
    (1, "wordpiece_tokenize", remembers_words_without_their_vocabulary()),
    (1, "wordpiece_tokenize", counts_bytes),
    (2, "BertEmbedding", PositionsBeginWithZeros),
    (3, "scaled_dot_product_attention", cut_off_scores),
    (3, "scaled_dot_product_attention", masked_after_the_softmax),
    (3, "MultiHeadAttention", MaskOfThreeAxes),
    (3, "MultiHeadAttention", PathAroundWhereWidthsAgree),
    (4, "layer_normalization", mean_of_squares_less_square_of_mean),
    (4, "EncoderBlock", DroppedAsAllElse),
    (4, "EncoderBlock", TakesARateOf0ForNone),
    (4, "FeedForward", KeepsWeightsInHalves),
    (4, "FeedForward", LosesABatchOfOne),
    (4, "BertEncoder", HidesIdsBelowThatOfPadding),
    (5, "mask_tokens", a_quota_of_each_row),
    (5, "mask_tokens", a_quota_that_begins_anywhere),
    (5, "masked_lm_loss", logarithm_of_a_softmax),
    (6, "sentence_pairs", half_of_the_pairs),
    (6, "sentence_pairs", draws_until_another_comes),
    (7, "BertPretrainer", DrawsUnlessToldNotTo),
    (7, "decays_weight", looks_at_all_of_the_path),
    (8, "TextClassifier", AllIsTextWithoutAMask),
    (8, "TextClassifier", SegmentsOnlyBesideAMask),
    (8, "fine_tune", the_same_order_in_each_epoch),
    (8, "accuracy", accuracy_of_powers),
    (9, "alibi_bias", no_farther_than_there_are_keys),
]


@pytest.mark.parametrize(("number", "name", "wrong"), SLIPPED, ids=lambda value: getattr(value, "__name__", str(value)))
def test_it_loses_points(number: int, name: str, wrong: Any, tmp_path: Path) -> None:
    exercise = chapters()[number].exercises[name]
    session = Interpreter(tmp_path, {name: wrong})
    found = results(exercise, session, WithoutMistakes(chapters()[number], secret=b"tests"))
    failed = [result for result in found if not result.passed]
    assert 0 < len(failed) < len(exercise.checks)
