"""Given bad input, every public function of the lessons says what it was given and what it expected."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest

from course import (
    attention,
    classification,
    embeddings,
    encoder,
    masked_lm,
    next_sentence,
    plots,
    positions,
    pretraining,
    tokenization,
)
from course.data.datasets import ag_news, cranfield, quora_pairs, sample, sst, wnut17
from course.data.text import vocabulary, wordpiece
from course.evaluation import attention_maps, bootstrap, measures
from course.given import positioned_encoder
from course.plots import charts
from course.training import mean_pooling
from course.weights import comparison, hugging_face, keras_hub
from tests.course.bad_input import Row, parameters, public_names

# The folder has a function of this name, too.
weights = import_module("course.weights.parameters")

MODULES = (
    ag_news,
    attention,
    attention_maps,
    mean_pooling,
    bootstrap,
    classification,
    comparison,
    cranfield,
    embeddings,
    encoder,
    hugging_face,
    keras_hub,
    masked_lm,
    measures,
    next_sentence,
    charts,
    positioned_encoder,
    positions,
    pretraining,
    quora_pairs,
    sample,
    sst,
    tokenization,
    vocabulary,
    weights,
    wnut17,
    wordpiece,
)
# These take no arguments, are only records, or pass all arguments on to functions that are tested here.
WITHOUT = {"load_sample", "Entity", "Picture", "Calibration", "Checkpoint", "Difference", "WeightsError", "arguments"}
WITHOUT |= {"Interval", "Cranfield"}

PIECES = 13
SPECIAL = [0, 1, 2, 3, 4]
PROBABILITIES = np.where(np.arange(PIECES) < 5, 0.0, 1 / 8)


def floats(*shape: int) -> np.ndarray:
    return np.ones(shape, "float32")


def ids(*shape: int, of: int = 7) -> np.ndarray:
    return np.full(shape, of, "int32")


def trues(*shape: int) -> np.ndarray:
    return np.ones(shape, bool)


def bert(**change: Any) -> encoder.BertEncoder:
    sizes = {"num_layers": 1, "num_heads": 2, "hidden_dim": 6, "intermediate_dim": 10, "max_length": 9}
    return encoder.BertEncoder(**{"vocabulary_size": PIECES, **sizes, **change})


@cache
def built() -> encoder.BertEncoder:
    return bert()


@cache
def pretrainer() -> pretraining.BertPretrainer:
    return pretraining.BertPretrainer(built(), PROBABILITIES, 4, SPECIAL)


@cache
def classifier() -> classification.TextClassifier:
    return classification.TextClassifier(built(), 3)


def averages(encoder: object) -> mean_pooling.AveragingClassifier:
    return mean_pooling.AveragingClassifier(encoder, 3)


@cache
def pieces() -> vocabulary.Vocabulary:
    return vocabulary.Vocabulary([*tokenization.SPECIAL_TOKENS, "a", "##b", "c"])


@cache
def head() -> masked_lm.MaskedLMHead:
    made = masked_lm.MaskedLMHead(PIECES, 6)
    made.build((None, None, 6), (PIECES, 6))
    return made


@cache
def pair_head() -> next_sentence.NextSentenceHead:
    made = next_sentence.NextSentenceHead()
    made.build((None, 6))
    return made


def mask(token_ids: Any = None, probabilities: Any = PROBABILITIES, mask_id: Any = 4, special: Any = SPECIAL) -> Any:
    return masked_lm.mask_tokens(ids(2, 8) if token_ids is None else token_ids, probabilities, mask_id, special)


def positioned(scaling: dict[str, Any]) -> Any:
    return positions.PositionedAttention(8, 2, scaling=scaling)(floats(1, 3, 8))


def encoded_with(kind: str, length: int) -> Any:
    return positioned_encoder.PositionedEncoder(9, 1, 2, 8, 10, max_length=6, positions=kind)(ids(1, length))


def texts(count: int = 4, of: int = 7) -> dict[str, np.ndarray]:
    return {"token_ids": ids(count, 8, of=of), "segment_ids": ids(count, 8, of=0), "padding_mask": trues(count, 8)}


def tuned(training: Any = None, held_out: Any = None, **options: Any) -> Any:
    good = (texts(), np.array([0, 1, 2, 0]))
    return classification.fine_tune(classifier(), training or good, held_out or good, **options)


def pack(first: Any, second: Any = None, max_length: Any = 8) -> Any:
    return tokenization.pack_pair(first, second, max_length, cls_id=2, sep_id=3)


def compared(reference_outputs: Any) -> Any:
    return comparison.first_difference(built(), {"token_ids": ids(2, 3)}, reference_outputs)


@cache
def few_ids() -> encoder.BertEncoder:
    made = bert(vocabulary_size=7)
    made.build((None, None))
    return made


LABELS = np.array([0, 1, 2, 0])

# The name of a function, a call of it with bad input, and a pattern that its error matches.
ROWS: list[Row] = [
    # course.attention
    ("scaled_dot_product_attention", lambda: attention.scaled_dot_product_attention(*[floats(3)] * 3), r"\(3,\)"),
    (
        "scaled_dot_product_attention",
        lambda: attention.scaled_dot_product_attention(floats(2, 5, 3), floats(4, 6, 3), floats(4, 6, 7)),
        r"same axes before the last two.*query.shape=\(2, 5, 3\)",
    ),
    ("padding_mask", lambda: attention.padding_mask(ids(3)), r"\(batch, length\).*\(3,\)"),
    ("causal_mask", lambda: attention.causal_mask(-1), "negative.*length=-1"),
    ("causal_mask", lambda: attention.causal_mask(2.5), "whole number.*length=2.5"),
    ("causal_mask", lambda: attention.causal_mask(ids(2, 3)), r"length.shape=\(2, 3\)"),
    ("split_heads", lambda: attention.split_heads(floats(2, 3, 5), 2), "hidden_dim=5, num_heads=2"),
    ("split_heads", lambda: attention.split_heads(floats(2, 3, 6), 2.0), "num_heads=2.0"),
    ("merge_heads", lambda: attention.merge_heads(floats(2, 3, 4)), r"num_heads, length, head_dim.*\(2, 3, 4\)"),
    ("MultiHeadAttention", lambda: attention.MultiHeadAttention(6, 4), "num_heads must divide.*num_heads=4"),
    ("MultiHeadAttention", lambda: attention.MultiHeadAttention("6", 2), "hidden_dim='6'"),
    (
        "MultiHeadAttention",
        lambda: attention.MultiHeadAttention(6, 2)(floats(2, 3, 6), attention_mask=[[True] * 3] * 3),
        r"attention_mask must be an array. Received: list",
    ),
    (
        "MultiHeadAttention",
        lambda: attention.MultiHeadAttention(6, 2)(floats(2, 3, 6), context=floats(5, 3, 6)),
        r"key.shape=\(5, 2, 3, 3\)",
    ),
    # course.embeddings
    ("sinusoidal_positions", lambda: embeddings.sinusoidal_positions("2", 4), "whole number.*length='2'"),
    ("sinusoidal_positions", lambda: embeddings.sinusoidal_positions(2, 5), "even.*hidden_dim=5"),
    ("BertEmbedding", lambda: embeddings.BertEmbedding(0, 6, 7), "vocabulary_size=0"),
    ("BertEmbedding", lambda: embeddings.BertEmbedding(5, 6, 7.5), "max_length=7.5"),
    ("BertEmbedding", lambda: embeddings.BertEmbedding(5, 6, 7)(ids(2, 3, of=5)), "from 0 to 4.*Received: 5 to 5"),
    ("BertEmbedding", lambda: embeddings.BertEmbedding(5, 6, 7)(ids(2, 8, of=1)), "at most 7 tokens.*Received: 8"),
    ("BertEmbedding", lambda: embeddings.BertEmbedding(5, 6, 7)(ids(2, 0)), r"at least one token.*\(2, 0\)"),
    ("BertEmbedding", lambda: embeddings.BertEmbedding(5, 6, 7)(floats(2, 3)), "integers.*float32"),
    # course.encoder
    ("gelu", lambda: encoder.gelu(ids(3)), "floats.*int32"),
    ("layer_normalization", lambda: encoder.layer_normalization(ids(2, 3), floats(3), floats(3)), "floats.*int32"),
    (
        "layer_normalization",
        lambda: encoder.layer_normalization(floats(2, 3), floats(4), floats(3)),
        r"gamma must have.*x.shape=\(2, 3\), gamma.shape=\(4,\)",
    ),
    ("LayerNorm", lambda: encoder.LayerNorm()(np.float32(3)), r"gamma must be \(hidden_dim\).*gamma.shape=\(\)"),
    ("projection", lambda: encoder.projection(0, "p"), "units=0"),
    ("FeedForward", lambda: encoder.FeedForward(6, -3), "intermediate_dim=-3"),
    ("FeedForward", lambda: encoder.FeedForward(6, 10)(floats(2, 3, 5)), r"value 6.*\(2, 3, 5\)"),
    ("EncoderBlock", lambda: encoder.EncoderBlock(6, 4, 10), "num_heads=4"),
    ("EncoderBlock", lambda: encoder.EncoderBlock(6, 2, 10, attention_dropout=1.5), "attention_dropout=1.5"),
    ("BertEncoder", lambda: bert(num_heads=4), "num_heads must divide hidden_dim.*num_heads=4"),
    ("BertEncoder", lambda: bert(num_layers=-1), "num_layers=-1"),
    ("BertEncoder", lambda: bert(dropout=1.5), "dropout=1.5"),
    ("BertEncoder", lambda: bert(padding_id=PIECES), "padding_id must be an id.*padding_id=13"),
    ("BertEncoder", lambda: built()(ids(2, 3, of=PIECES)), "from 0 to 12.*Received: 13 to 13"),
    ("BertEncoder", lambda: built()(ids(2, 10)), "at most 9 tokens.*Received: 10"),
    ("BertEncoder", lambda: built()(ids(2, 3), padding_mask=trues(2, 4)), r"\(2, 3\).*padding_mask.shape=\(2, 4\)"),
    ("BertEncoder", lambda: built()(ids(2, 3), padding_mask=[[1] * 3] * 2), "padding_mask must be an array"),
    # course.masked_lm
    ("unigram_probabilities", lambda: masked_lm.unigram_probabilities([[5]], PIECES, [0]), "array. Received: list"),
    ("unigram_probabilities", lambda: masked_lm.unigram_probabilities(ids(2), PIECES, [-1]), "special_ids.*=-1"),
    ("unigram_probabilities", lambda: masked_lm.unigram_probabilities(ids(2), 7, [0]), "0 to 6.*Received: 7 to 7"),
    ("mask_tokens", lambda: mask(floats(2, 8)), "integers.*float32"),
    ("mask_tokens", lambda: mask([[7, 8]]), "token_ids must be an array. Received: list"),
    ("mask_tokens", lambda: mask(ids(2, 8, of=50)), "from 0 to 12.*Received: 50 to 50"),
    ("mask_tokens", lambda: mask(mask_id=50), "mask_id=50"),
    ("mask_tokens", lambda: mask(special=0), r"several ids. Received: 0; pass \[0\]"),
    ("mask_tokens", lambda: mask(probabilities=PROBABILITIES * 0), "not all 0"),
    ("mask_tokens", lambda: mask(probabilities=PROBABILITIES * np.nan), "finite.*nan"),
    ("masked_positions", lambda: masked_lm.masked_positions(trues(6)), r"\(batch, length\).*\(6,\)"),
    ("masked_positions", lambda: masked_lm.masked_positions(ids(2, 6)), "boolean.*int32"),
    ("masked_positions", lambda: masked_lm.masked_positions(trues(2, 6), rate=3.0), "at most 1.*rate=3.0"),
    ("gather_masked", lambda: masked_lm.gather_masked(floats(2, 6, 3), floats(2, 4)), "integers.*float32"),
    ("gather_masked", lambda: masked_lm.gather_masked(floats(2, 6, 3), ids(2, 4, of=6)), "0 to 5.*Received: 6 to 6"),
    ("gather_masked", lambda: masked_lm.gather_masked(floats(2, 6, 3), ids(5, 4, of=1)), r"each text.*\(5, 4\)"),
    ("MaskedLMHead", lambda: masked_lm.MaskedLMHead(0, 6), "vocabulary_size=0"),
    ("MaskedLMHead", lambda: head()(floats(2, 6), floats(PIECES, 6)), r"\(batch, length, 6\).*\(2, 6\)"),
    ("MaskedLMHead", lambda: head()(floats(2, 3, 6), floats(6, PIECES)), r"must be \(13, 6\).*\(6, 13\)"),
    ("masked_lm_loss", lambda: masked_lm.masked_lm_loss(ids(2, 3), floats(2, 3, 5), floats(2, 3)), "0 to 4.*7 to 7"),
    ("masked_lm_loss", lambda: masked_lm.masked_lm_loss(floats(2, 3), floats(2, 3, 5), floats(2, 3)), "integers"),
    # course.next_sentence
    ("sentence_pairs", lambda: next_sentence.sentence_pairs(["ab", "cd"]), "document 0 must be several texts"),
    ("sentence_pairs", lambda: next_sentence.sentence_pairs([["a", "b"], [3]]), "document 1 .*int as text 0"),
    ("NextSentenceHead", lambda: pair_head()(floats(2, 3, 6)), r"one vector for each pair.*\(2, 3, 6\)"),
    ("next_sentence_loss", lambda: next_sentence.next_sentence_loss(ids(2, of=0), floats(2, 3)), r"\(batch, 2\).*3\)"),
    ("next_sentence_loss", lambda: next_sentence.next_sentence_loss(ids(2, of=2), floats(2, 2)), "0 to 1.*2 to 2"),
    ("next_sentence_loss", lambda: next_sentence.next_sentence_loss(ids(3, of=0), floats(2, 2)), "2 pairs and 3"),
    # course.positions, course.given.positioned_encoder
    ("rotary_frequencies", lambda: positions.rotary_frequencies(5), "head_dim must be even.*head_dim=5"),
    ("rotary_frequencies", lambda: positions.rotary_frequencies(8.0), "head_dim=8.0"),
    ("rotary_angles", lambda: positions.rotary_angles(3, floats(4)), r"positions.shape=\(\), frequencies.shape=\(4,\)"),
    ("rotary_angles", lambda: positions.rotary_angles(ids(3), floats(2, 4)), r"frequencies.shape=\(2, 4\)"),
    ("rotate", lambda: positions.rotate(floats(3, 7), floats(3, 3), floats(3, 3)), r"even head_dim.*\(3, 7\)"),
    ("rotate", lambda: positions.rotate(floats(3, 8), floats(3, 8), floats(3, 8)), r"\(3, 4\).*cos.shape=\(3, 8\)"),
    ("rotate", lambda: positions.rotate(floats(5, 8), floats(3, 4), floats(3, 4)), r"\(5, 4\).*cos.shape=\(3, 4\)"),
    ("rotate", lambda: positions.rotate(floats(3, 8), floats(3, 4), floats(2, 3, 4)), r"sin.shape=\(2, 3, 4\)"),
    ("scaled_frequencies", lambda: positions.scaled_frequencies(8, "NTK"), "none, linear, ntk, yarn. .*method='NTK'"),
    ("scaled_frequencies", lambda: positions.scaled_frequencies(8, "linear", 0.5), "at least 1.*factor=0.5"),
    ("scaled_frequencies", lambda: positions.scaled_frequencies(2, "ntk", 2.0), "at least 4.*head_dim=2"),
    ("scaled_frequencies", lambda: positions.scaled_frequencies(8, "yarn", 2.0, 0), "trained_length=0"),
    ("scaled_frequencies", lambda: positions.scaled_frequencies(8, beta_fast=1.0), "beta_fast=1.0, beta_slow=1.0"),
    ("alibi_slopes", lambda: positions.alibi_slopes(0), "num_heads=0"),
    ("alibi_bias", lambda: positions.alibi_bias(2, 3, 4.5), "key_length must be a whole number.*4.5"),
    ("alibi_bias", lambda: positions.alibi_bias(2, 3, 4, offset=-1), "offset must not be negative.*-1"),
    ("biased_attention", lambda: positions.biased_attention(*[floats(3)] * 3, bias=0.0), r"\(3,\)"),
    ("PositionedAttention", lambda: positions.PositionedAttention(12, 3, positions="sine"), "positions='sine'"),
    ("PositionedAttention", lambda: positions.PositionedAttention(12, 5), "num_heads=5"),
    ("PositionedAttention", lambda: positions.PositionedAttention(9, 3)(floats(1, 2, 9)), "even.*head_dim=3"),
    ("PositionedEmbedding", lambda: positioned_encoder.PositionedEmbedding(5, 6, 7, positions=""), "positions=''"),
    ("PositionedBlock", lambda: positioned_encoder.PositionedBlock(6, 4, 10), "num_heads=4"),
    ("PositionedAttention", lambda: positioned({"method": "ntk", "factor": 0.5}), "at least 1.*factor=0.5"),
    ("PositionedAttention", lambda: positioned({"method": "dynamic", "factor": 2.0}), "yarn. .*method='dynamic'"),
    ("PositionedEncoder", lambda: positioned_encoder.PositionedEncoder(9, 1, 2, 8, 10, positions=3), "positions=3"),
    ("PositionedEncoder", lambda: encoded_with("learned", 7), "at most 6.*Received: 7. Cut the texts"),
    ("PositionedEncoder", lambda: encoded_with("sinusoidal", 7), "at most 6.*Received: 7. Cut the texts"),
    # course.pretraining
    ("WarmupLinearDecay", lambda: pretraining.WarmupLinearDecay(float("nan"), 1, 5), "peak=nan"),
    ("WarmupLinearDecay", lambda: pretraining.WarmupLinearDecay(1.0, 5, 5), "warmup_steps=5, total_steps=5"),
    ("decays_weight", lambda: pretraining.decays_weight(3), "path must be a string.*int"),
    ("BertPretrainer", lambda: pretraining.BertPretrainer("e", PROBABILITIES, 4, SPECIAL), "encoder must be a Model"),
    ("BertPretrainer", lambda: pretraining.BertPretrainer(built(), PROBABILITIES[:9], 4, SPECIAL), "13. Received: 9"),
    ("BertPretrainer", lambda: pretraining.BertPretrainer(built(), PROBABILITIES, 4, SPECIAL, rate=15), "rate=15"),
    ("BertPretrainer", lambda: pretrainer()({"token_ids": ids(2, 8)}), "must have segment_ids. Received: token_ids"),
    ("BertPretrainer", lambda: pretrainer()({**texts(), "token_ids": floats(4, 8)}), "integers.*float32"),
    ("BertPretrainer", lambda: pretrainer().fit(texts(of=50), ids(4, of=1)), "token_ids must be from 0 to 12"),
    ("BertPretrainer", lambda: pretrainer().fit(texts(), ids(4, of=2)), "y must be from 0 to 1"),
    ("bert_optimizer", lambda: pretraining.bert_optimizer("model", 1e-3), "model must be a Model. Received: str"),
    ("bert_optimizer", lambda: pretraining.bert_optimizer(pretrainer(), 1e-3, clip_norm=-1.0), "clip_norm=-1.0"),
    ("bert_optimizer", lambda: pretraining.bert_optimizer(pretrainer(), 1e-3, accumulate=0), "accumulate=0"),
    # course.training.mean_pooling
    ("AveragingClassifier", lambda: averages(built())({"ids": ids(4, 8)}), "inputs must have token_ids. Received: ids"),
    ("AveragingClassifier", lambda: averages("encoder"), "encoder must be a Model. Received: str"),
    # course.classification
    ("TextClassifier", lambda: classification.TextClassifier("encoder", 3), "encoder must be a Model. Received: str"),
    ("TextClassifier", lambda: classification.TextClassifier(built(), 2.5), "num_classes=2.5"),
    ("TextClassifier", lambda: classifier()({"ids": ids(4, 8)}), "inputs must have token_ids. Received: ids"),
    ("batches", lambda: list(classification.batches(texts(), LABELS, 0)), "batch_size=0"),
    ("batches", lambda: list(classification.batches(texts(), LABELS[:3], 2)), "4 rows of token_ids and 3 labels"),
    ("batches", lambda: list(classification.batches({"token_ids": ids(4, 8)}, LABELS, 2)), "must have padding_mask"),
    ("mean_loss", lambda: classification.mean_loss(lambda inputs, labels: 1.0, []), "at least one batch"),
    ("fine_tune", lambda: tuned((texts(), LABELS + 1)), "labels must be 0 to 2.*Received: 1 to 3"),
    ("fine_tune", lambda: tuned(held_out=(texts(of=50), LABELS)), "token_ids must be from 0 to 12"),
    ("fine_tune", lambda: tuned(batch_size=0), "batch_size=0"),
    ("fine_tune", lambda: tuned((texts(), list(LABELS))), "labels must be an array. Received: list"),
    ("predict", lambda: classification.predict(classifier(), texts(0)), "at least one text"),
    ("predict", lambda: classification.predict(classifier(), texts(of=50)), "token_ids must be from 0 to 12"),
    ("accuracy", lambda: classification.accuracy([0], [[1.0, 2.0]]), "logits must be an array. Received: list"),
    ("accuracy", lambda: classification.accuracy(LABELS, floats(4, 3) * np.nan), "some that are NaN"),
    ("confusion_matrix", lambda: classification.confusion_matrix(LABELS, LABELS, 3.0), "num_classes=3.0"),
    ("confusion_matrix", lambda: classification.confusion_matrix(LABELS, floats(4, 3), 3), r"\(4, 3\)"),
    ("tfidf_baseline", lambda: classification.tfidf_baseline(["a day", "b"], [0], ["c"]), "2 training_texts, 1 train"),
    ("tfidf_baseline", lambda: classification.tfidf_baseline(["a", float("nan")], [0, 1], ["c"]), "float as text 1"),
    # course.tokenization
    ("basic_tokenize", lambda: tokenization.basic_tokenize(b"a"), "string.*bytes"),
    ("wordpiece_tokenize", lambda: tokenization.wordpiece_tokenize(3, {"a"}), "word must be a string.*int"),
    ("wordpiece_tokenize", lambda: tokenization.wordpiece_tokenize("at", "cat"), "set of pieces. Received: str"),
    ("learn_bpe", lambda: tokenization.learn_bpe(["a"], 1), "dictionary from words.*list"),
    ("learn_bpe", lambda: tokenization.learn_bpe({"ab": "1"}, 1), "to whole numbers"),
    ("learn_bpe", lambda: tokenization.learn_bpe({"ab": 1}, 1.5), "num_merges=1.5"),
    ("pack_pair", lambda: pack("ab"), "first must be the ids of a text. Received: str"),
    ("pack_pair", lambda: pack([1.5]), "whole numbers.*1.5"),
    ("pack_pair", lambda: pack([5], [-1]), "second must be ids, 0 or more. Received: -1"),
    ("pack_pair", lambda: pack([5], [6], 2), "at least 3.*max_length=2"),
    *(
        (name, lambda name=name, given=given: getattr(tokenization, name)(given), "character")
        for name in ("is_space", "is_control", "is_punctuation", "is_cjk", "is_accent")
        for given in ("", "ab")
    ),
    # course.data.text.vocabulary, course.data.text.wordpiece
    ("Vocabulary", lambda: vocabulary.Vocabulary([]), r"special tokens.*0 pieces without \[PAD\]"),
    ("Vocabulary", lambda: vocabulary.Vocabulary([3]), "pieces must be strings. Received: int as text 0"),
    ("Vocabulary", lambda: pieces().ids_of("ac"), "pieces must be several texts"),
    ("Vocabulary", lambda: pieces().pieces_of([50]), "between 0 and 7.*Received: 50"),
    ("Vocabulary", lambda: pieces().pieces_of(ids(2, 3)), r"one text.*\(2, 3\)"),
    ("train_vocabulary", lambda: vocabulary.train_vocabulary("hello", 300), "several texts. Received: one string"),
    ("train_vocabulary", lambda: vocabulary.train_vocabulary(["a"], 10), "at least 109.*size=10"),
    ("WordPieceTokenizer", lambda: wordpiece.WordPieceTokenizer(["a"]), "Vocabulary. Received: list"),
    ("WordPieceTokenizer", lambda: wordpiece.WordPieceTokenizer(pieces())(["a"], max_length=8.0), "max_length=8.0"),
    ("WordPieceTokenizer", lambda: wordpiece.WordPieceTokenizer(pieces())([None]), "NoneType as text 0"),
    ("WordPieceTokenizer", lambda: wordpiece.WordPieceTokenizer(pieces()).encode_with_offsets("a"), r"pass \[text\]"),
    # course.plots
    ("plot_attention", lambda: plots.plot_attention(floats(3, 4), ["a"]), r"weights.shape=\(3, 4\)"),
    ("plot_attention", lambda: plots.plot_attention(floats(1, 1) * np.nan, ["a"]), "NaN"),
    ("plot_mask", lambda: plots.plot_mask(floats(2, 2), ["a", "b"]), "boolean.*float32"),
    ("plot_curves", lambda: plots.plot_curves([1, 2]), r"dictionary.*\[1, 2\]"),
    ("plot_curves", lambda: plots.plot_curves({"loss": ["x"]}), r"list of numbers. Received: loss: \['x'\]"),
    ("plot_confusion", lambda: plots.plot_confusion(floats(2, 3), ["a", "b"]), r"matrix.shape=\(2, 3\)"),
    ("plot_confusion", lambda: plots.plot_confusion(-floats(2, 2), ["a", "b"]), "counts"),
    ("plot_reliability", lambda: plots.plot_reliability([0.5], [0.5, 1.0], [1]), r"\(1,\), \(2,\), \(1,\)"),
    ("plot_guesses", lambda: plots.plot_guesses({}), "guesses of somebody"),
    ("plot_guesses", lambda: plots.plot_guesses({"mine": [("word", 1.5)]}), r"from 0 to 1. Received: mine"),
    # course.weights
    ("first_difference", lambda: comparison.first_difference(built(), ids(2, 3), []), "token_ids, at least"),
    ("first_difference", lambda: compared([floats(2, 3, 6)]), "Given: 1. Wanted: 2"),
    ("first_difference", lambda: compared([floats(2, 3, 5)] * 2), r"embedding.*\(2, 3, 6\). Wanted: \(2, 3, 5\)"),
    ("load_hugging_face", lambda: hugging_face.load_hugging_face("/no/such/folder"), "config.json"),
    ("make_encoder", lambda: hugging_face.make_encoder("/a/folder", "/a/folder"), "Checkpoint. Received: str"),
    ("read_hugging_face", lambda: hugging_face.read_hugging_face("/no/such/folder"), "config.json"),
    (
        "save_hugging_face",
        lambda: hugging_face.save_hugging_face(few_ids(), "folder", pieces()),
        "more pieces.*Given: 8. Wanted: at most 7",
    ),
    (
        "save_hugging_face_classifier",
        lambda: hugging_face.save_hugging_face_classifier(classifier(), "folder", pieces(), ["a", "b"]),
        "each of the 3 classes. Received: 2",
    ),
    ("load_keras_hub", lambda: keras_hub.load_keras_hub(built()), "Given: BertEncoder. Wanted: BertBackbone"),
    ("load_masked_lm", lambda: hugging_face.load_masked_lm("nowhere"), "nowhere"),
    ("values_at", lambda: weights.values_at(head(), ["dense.size"]), "has no dense.size"),
    ("parameter_paths", lambda: weights.parameter_paths(2.5), "num_layers=2.5"),
    ("parameters", lambda: weights.parameters(head()), "Given: MaskedLMHead. Wanted: BertEncoder"),
    ("assign", lambda: weights.assign(built(), {"pooler.size": floats(6)}), "pooler.size"),
    ("assign", lambda: weights.assign(built(), {"pooler.bias": floats(5)}), r"\(5,\). Wanted: \(6,\)"),
    ("assign", lambda: weights.assign(built(), {"pooler.bias": floats(6) * np.nan}), "pooler.bias"),
    # course.evaluation
    (
        "attention_weights",
        lambda: attention_maps.attention_weights(built(), {"token_ids": ids(2, 3)}),
        "must have padding_mask, segment_ids",
    ),
    (
        "cls_attention",
        lambda: attention_maps.cls_attention(built(), {"token_ids": ids(2, 3)}),
        "must have padding_mask, segment_ids",
    ),
    ("wilson_interval", lambda: measures.wilson_interval(1.5, 8), "share=1.5, count=8"),
    ("paired_difference", lambda: measures.paired_difference(trues(3), trues(2)), "bool for 2 texts, and right for 3"),
    ("paired_difference", lambda: measures.paired_difference(ids(3), trues(3)), "right must be boolean.*int32"),
    ("deviation", lambda: measures.deviation([]), "one or more. Received: none"),
    ("f1_scores", lambda: measures.f1_scores(floats(2, 3)), r"matrix.shape=\(2, 3\)"),
    ("macro_f1", lambda: measures.macro_f1(floats(2, 3)), r"matrix.shape=\(2, 3\)"),
    ("probabilities", lambda: measures.probabilities(floats(3)), r"\(texts, num_classes\).*\(3,\)"),
    ("probabilities", lambda: measures.probabilities(ids(2, 3)), "floats.*int32"),
    ("calibration", lambda: measures.calibration(LABELS, floats(4, 3)), "4 texts, 4 labels, and sums like 3"),
    ("calibration", lambda: measures.calibration(LABELS, floats(4, 2) / 2), "labels must be 0 to 1"),
    ("bootstrap_interval", lambda: bootstrap.bootstrap_interval(np.mean, floats(0)), "one or more. Received: none"),
    ("bootstrap_interval", lambda: bootstrap.bootstrap_interval(np.mean, floats(3), level=95), "level=95"),
    ("bootstrap_interval", lambda: bootstrap.bootstrap_interval(np.mean, floats(3), samples=0), "samples=0"),
    ("bootstrap_interval", lambda: bootstrap.bootstrap_interval(np.mean, floats(3), seed=-1), "seed.*-1"),
    ("bootstrap_interval", lambda: bootstrap.bootstrap_interval(np.mean, floats(3) * np.nan), "nan on 1000 of 1000"),
    (
        "bootstrap_difference",
        lambda: bootstrap.bootstrap_difference(np.mean, floats(3), floats(2)),
        r"second.shape=\(2,",
    ),
    # course.data.datasets
    ("load_ag_news", lambda: ag_news.load_ag_news("/no/such/folder"), "train.csv and test.csv. Not found"),
    ("load_cranfield", lambda: cranfield.load_cranfield("/no/such/folder"), "with cran.tar.gz. Not found: /no/such"),
    ("own_papers", lambda: cranfield.own_papers(pd.DataFrame({"query": [1]})), "must have document, gain. Received"),
    ("load_quora_pairs", lambda: quora_pairs.load_quora_pairs("/no/such/folder"), "questions.tsv. Not found: /no/such"),
    ("load_sst", lambda: sst.load_sst("/no/such/folder"), "sst-dev.txt and sst-test.txt. Not found: /no/such"),
    ("load_wnut17", lambda: wnut17.load_wnut17("/no/such/folder"), "dev.conll and emerging.test.annotated. Not found"),
]


@pytest.mark.parametrize(("call", "words"), parameters(ROWS))
def test_errors_name_what_was_given_and_what_was_wanted(call: Callable[[], Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=f"(?s){words}"):
        call()


def test_every_public_function_has_a_row() -> None:
    assert public_names(MODULES) - WITHOUT == {name for name, *_ in ROWS}
