"""Errors of taggers and their texts name what was given and what is expected."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from course.applications.tagging import counts, lookup, showing, tagger, texts, training
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.entities import TokenClassifier
from tests.course.bad_input import Row, parameters, public_names

MODULES = (counts, lookup, showing, tagger, texts, training)
# Records, and functions that take only their values.
WITHOUT = {"TaggedText", "Rows", "sample_texts", "word_offsets", "tag_names", "parts_of", "in_terminal", "as_page"}
WITHOUT |= {"as_conll", "Shown"}
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"]
ONE_WORD = np.array([[0, 1]])


@cache
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(Vocabulary(PIECES))


@cache
def model() -> TokenClassifier:
    made = TokenClassifier(BertEncoder(6, 1, 2, 8, 12, max_length=4), 3)
    made.build({"token_ids": (None, None)})
    return made


def read(given: Any = ("a",), offsets: Any = (ONE_WORD,), by: Any = None, length: int = 4) -> Any:
    return texts.read_rows(given, offsets, tokenizer() if by is None else by, length)


def train(labels: Any = ((-100, 1, -100),), ids: Any = ((2, 5, 3),), **options: Any) -> Any:
    token_ids = np.array(ids, "int32").reshape(-1, 3)
    given = {"token_ids": token_ids, "padding_mask": np.ones_like(token_ids, bool)}
    return training.train_tagger(model(), given, np.array(labels), **options)


def predicted(ids: Any) -> Any:
    token_ids = np.array(ids, "int32").reshape(-1, 1)
    return training.predict_tags(model(), {"token_ids": token_ids, "padding_mask": np.ones_like(token_ids, bool)})


BAD: list[Row] = [
    ("name_counts", lambda: counts.name_counts([], []), "0 true ones"),
    ("name_counts", lambda: counts.name_counts([["PER"]], [["O"]]), "'PER'"),
    ("f1_of_counts", lambda: counts.f1_of_counts(np.ones((2, 2))), r"\(2, 2\)"),
    ("Lookup", lambda: lookup.Lookup([texts.text_of_words(["a"], ["O"])]), "at least one name"),
    ("kinds_of", lambda: showing.kinds_of(["PER"]), "'PER'"),
    ("text_of_words", lambda: texts.text_of_words(["a"], []), "1 words, 0 tags"),
    ("text_of_words", lambda: texts.text_of_words([""], ["O"]), "a character"),
    ("read_rows", lambda: read((), ()), "at least one text, and offsets"),
    ("read_rows", lambda: read(("a", "a")), "2 texts and 1 offsets"),
    ("read_rows", lambda: read(length=2), "at least 3"),
    ("read_rows", lambda: read(length=0), "max_length=0"),
    ("read_rows", lambda: read("a"), "several texts.*one string"),
    ("read_rows", lambda: read(by="words"), "must be a WordPieceTokenizer"),
    ("train_tagger", lambda: train(((1, 1),)), r"\(1, 2\) labels for \(1, 3\)"),
    ("train_tagger", lambda: train(((3, 1, 1),)), "1 to 3"),
    ("train_tagger", lambda: train(((-1, 1, 1),)), "-1 to 1"),
    ("train_tagger", lambda: train(((-100, -100, -100),)), "none but -100"),
    ("train_tagger", lambda: train(ids=((2, 6, 3),)), "token_ids must be from 0 to 5"),
    ("train_tagger", lambda: train(ids=()), "at least one text"),
    ("train_tagger", lambda: train(epochs=0), "epochs=0"),
    ("train_tagger", lambda: train(batch_size=0), "batch_size=0"),
    ("train_tagger", lambda: train(learning_rate=-1.0), "learning_rate=-1.0"),
    ("train_tagger", lambda: train(seed=-1), "seed=-1"),
    ("train_tagger", lambda: training.train_tagger("bert", {}, ONE_WORD), "must be a Model"),
    ("predict_tags", lambda: predicted(()), "at least one text"),
    ("predict_tags", lambda: predicted((7,)), "token_ids must be from 0 to 5"),
    ("Tagger", lambda: tagger.Tagger(model(), Vocabulary(PIECES), ["O", "B-x"]), "3 tags.*Received: 2"),
    ("Tagger", lambda: tagger.Tagger(model(), Vocabulary([*PIECES, "b"]), ["O", "B-x", "I-x"]), "6 pieces"),
    ("Tagger", lambda: tagger.Tagger(model(), Vocabulary(PIECES), ["O", "B-x", "E-x"]), "'E-x'"),
    ("save_tagger", lambda: tagger.save_tagger(Path("x"), "tagger"), "must be a Tagger"),
    ("load_tagger", lambda: tagger.load_tagger("x"), "must be a Path"),
]


@pytest.mark.parametrize(("call", "message"), parameters(BAD))
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"(?s){message}"):
        call()


def test_every_public_function_has_a_row() -> None:
    assert public_names(MODULES) - WITHOUT == {row[0] for row in BAD}
