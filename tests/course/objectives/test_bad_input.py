"""Errors of the chapter on other objectives name what was given and what is expected."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from course import objectives
from course.encoder import BertEncoder
from course.given import electra_parts, encoding, generator, hiding, languages, packed, recorded_results
from tests.course.bad_input import Row, parameters, public_names

MODULES = (objectives, electra_parts, encoding, generator, hiding, languages, packed, recorded_results)
# They take no arguments that could be wrong.
WITHOUT = {"ReplacedTokenHead", "continues_word", "load_discriminator_history", "load_objective_runs"}
WITHOUT |= {"load_language_runs", "load_denoising_runs"}


def ids(*shape: int, of: int = 7) -> np.ndarray:
    return np.full(shape, of, "int32")


def floats(*shape: int) -> np.ndarray:
    return np.ones(shape, "float32")


def pack(documents: Any, length: Any = 8, cls_id: Any = 1) -> Any:
    return objectives.pack_documents(documents, length, cls_id, 2)


def spans(token_ids: Any = None, word_ids: Any = None, **options: Any) -> Any:
    return objectives.span_mask(
        ids(2, 9) if token_ids is None else token_ids, ids(2, 9) if word_ids is None else word_ids, [0], **options
    )


def noise(kind: str = "mask", text: Any = (5, 6), rate: Any = 0.5, probabilities: Any = None, mask_id: int = 3) -> Any:
    probabilities = np.full(9, 1 / 9) if probabilities is None else probabilities
    options = {"probabilities": probabilities, "mask_id": mask_id, "special_ids": [0, 3]}
    return objectives.corrupt(text, kind, rate, np.random.default_rng(0), **options)


@cache
def encoder() -> BertEncoder:
    encoder = BertEncoder(30, 1, 2, 8, 12, max_length=9)
    encoder.build((None, None))
    return encoder


def electra(**options: Any) -> Any:
    given = {
        "encoder": encoder(),
        "generator": generator.Generator(1, 1, 4, 6),
        "mask_id": 3,
        "special_ids": [0, 3],
        **options,
    }
    return objectives.Electra(**given)


BAD: list[Row] = [
    ("pack_documents", lambda: pack([[[5]]], length=2), "at least 3, for .CLS., a piece and .SEP.*length=2"),
    ("pack_documents", lambda: pack([[[5]]], length=0), "length=0"),
    ("pack_documents", lambda: pack([[[5]]], cls_id=-1), "cls_id must be an id.*cls_id=-1"),
    ("pack_documents", lambda: pack([[], [[]]]), "a piece to read. Received: none in all documents"),
    ("pack_documents", lambda: pack([]), "none in all documents"),
    ("pack_documents", lambda: pack("text"), "documents must be several documents. Received: str"),
    ("pack_documents", lambda: pack([7]), "each document must be several sentences. Received: int"),
    ("pack_documents", lambda: pack([[7]]), "each sentence must be the ids of a text. Received: int"),
    ("pack_documents", lambda: pack([["a text"]]), "the ids of a text. Received: str"),
    ("pack_documents", lambda: pack([[[5, -6]]]), "ids, 0 or more. Received: -6"),
    ("span_mask", lambda: spans(ids(9)), r"\(batch, length\).*\(9,\)"),
    ("span_mask", lambda: spans(word_ids=ids(2, 8)), r"same shape.*word_ids.shape=\(2, 8\)"),
    ("span_mask", lambda: spans(floats(2, 9)), "integers.*float32"),
    ("span_mask", lambda: spans(rate=0), "rate=0"),
    ("span_mask", lambda: spans(rate=1.5), "rate=1.5"),
    ("span_mask", lambda: spans(p=0.0), "p must be above 0.*p=0.0"),
    ("span_mask", lambda: spans(longest=0), "longest=0"),
    ("corrupt", lambda: noise("shuffle"), "kind must be one of mask, substitute, .*'shuffle'"),
    ("corrupt", lambda: noise(rate=-0.1), "rate must be from 0 to 1.*-0.1"),
    ("corrupt", lambda: noise(rate=15), "a share of the words.*rate=15"),
    ("corrupt", lambda: noise(text="a text"), "the ids of a text. Received: str"),
    ("corrupt", lambda: noise(text=[5, 9]), "from 0 to 8. Received: each id=9"),
    ("corrupt", lambda: noise(mask_id=12), "from 0 to 8.*12"),
    ("corrupt", lambda: noise(probabilities=np.eye(9)[4]), "those of two words above 0"),
    ("corrupt", lambda: noise(probabilities=floats(2, 9)), r"\(vocabulary_size\).*\(2, 9\)"),
    (
        "replaced_tokens",
        lambda: objectives.replaced_tokens(ids(2, 9), ids(2, 3), floats(2, 3), floats(2, 4, 30)),
        r"same shape.*logits.shape=\(2, 4\)",
    ),
    (
        "replaced_tokens",
        lambda: objectives.replaced_tokens(ids(2, 9), ids(3, 3), floats(3, 3), floats(3, 3, 30)),
        r"token_ids.shape=\(2,\), positions.shape=\(3,\)",
    ),
    (
        "replaced_tokens",
        lambda: objectives.replaced_tokens(ids(2, 9), ids(2, 3), floats(2, 3), floats(2, 3)),
        r"\(batch, predictions, vocabulary_size\)",
    ),
    ("Electra", lambda: electra(encoder="bert"), "encoder must be a Model. Received: str"),
    ("Electra", lambda: electra(generator=None), "generator must be a Layer. Received: NoneType"),
    ("Electra", lambda: electra(mask_id=30), "mask_id=30"),
    ("Electra", lambda: electra(special_ids=[0, 31]), "each of special_ids=31"),
    ("Electra", lambda: electra(rate=0.0), "rate=0.0"),
    ("Electra", lambda: electra(weight=-1.0), "weight=-1.0"),
    ("Electra", lambda: electra()({"segment_ids": ids(2, 4)}), "must have token_ids. Received: segment_ids"),
    ("language_probabilities", lambda: objectives.language_probabilities([3, 1], alpha=-0.3), "alpha=-0.3"),
    ("language_probabilities", lambda: objectives.language_probabilities([0, 0]), "a language with text.*0, 0"),
    ("language_probabilities", lambda: objectives.language_probabilities([]), "a language with text"),
    ("language_probabilities", lambda: objectives.language_probabilities([5, -1]), "the count of language 1.*-1"),
    ("language_probabilities", lambda: objectives.language_probabilities(7), "several languages. Received: int"),
    ("Generator", lambda: generator.Generator(0, 1, 4, 6), "num_layers=0"),
    ("Generator", lambda: generator.Generator(1, 3, 4, 6), "num_heads=3"),
    ("put_words", lambda: electra_parts.put_words(ids(2, 9), ids(2, 3), floats(2, 3), ids(2, 4)), r"\(2, 4\)"),
    ("hide_spans", lambda: hiding.hide_spans(ids(2, 9), ids(2, 8), floats(9) / 9, 3, None), r"spans.shape=\(2, 8\)"),
    ("hide_spans", lambda: hiding.hide_spans(ids(2, 9), ids(2, 9), floats(9) / 9, 9, None), "mask_id=9"),
    ("language_batches", lambda: languages.language_batches([ids(3, 2)], [0.5, 0.5], 4), "each of 1 languages"),
    ("word_numbers", lambda: hiding.word_numbers(ids(9), ids(9) > 8), r"\(batch, length\)"),
    ("document_mask", lambda: packed.document_mask(ids(9)), r"\(batch, length\)"),
    ("document_mask", lambda: packed.document_mask(floats(2, 9)), "integers.*float32"),
    ("encode", lambda: encoding.encode(encoder(), ids(2, 9), document_ids=ids(2, 8)), r"document_ids.shape=\(2, 8\)"),
    (
        "encode_embedded",
        lambda: encoding.encode_embedded(encoder(), floats(2, 9), None),
        r"\(batch, length, hidden_dim\)",
    ),
]


@pytest.mark.parametrize(("call", "message"), parameters(BAD))
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"(?s){message}"):
        call()


def test_every_public_name_has_a_row() -> None:
    assert public_names(MODULES) - WITHOUT == {name for name, *_ in BAD}
