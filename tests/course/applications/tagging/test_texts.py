"""The rows that an encoder reads of tagged texts, and the way from words to tokens and back."""

from __future__ import annotations

import numpy as np
import pytest

from course.applications.tagging.lookup import Lookup
from course.applications.tagging.texts import (
    SAMPLE_KINDS,
    TaggedText,
    read_rows,
    sample_texts,
    tag_names,
    text_of_words,
    word_offsets,
)
from course.data.datasets import load_sample
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.entities import bio_tags

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ada", "holm", "##s", "var", "##ga", "is", ",", "@"]


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(Vocabulary(PIECES))


def pieces(tokenizer: WordPieceTokenizer, row: np.ndarray) -> list[str]:
    return tokenizer.vocabulary.pieces_of(row[row != tokenizer.vocabulary.padding_id])


def test_offsets_are_those_of_the_tokenizers_words(tokenizer: WordPieceTokenizer) -> None:
    text = " Ada Holms,  Várga"
    offsets = word_offsets(tokenizer.encode_with_offsets([text])[0])
    assert [text[start:end] for start, end in offsets] == ["Ada", "Holms", ",", "Várga"]
    assert word_offsets(tokenizer.encode_with_offsets([""])[0]).shape == (0, 2)


def test_tags_are_ordered_by_kind() -> None:
    assert tag_names(["x", "y"]) == ["O", "B-x", "I-x", "B-y", "I-y"]


def test_given_words_are_joined_by_spaces() -> None:
    text = text_of_words(["Ada", "Holm's", "!"], ["B-x", "I-x", "O"])
    assert text.text == "Ada Holm's !"
    assert text.words == ["Ada", "Holm's", "!"]
    assert text.names() == [(0, 10, "x")]
    assert text_of_words([], []).words == []


def test_the_tokenizer_may_split_a_given_word(tokenizer: WordPieceTokenizer) -> None:
    text = text_of_words(["@ada", "is", "varga,varga"], ["O", "O", "B-x"])
    rows = read_rows([text.text], [text.offsets], tokenizer, 12)
    assert pieces(tokenizer, rows.inputs["token_ids"][0])[1:-1] == ["@", "ada", "is", "var", "##ga", ",", "var", "##ga"]
    assert rows.word_ids[0].tolist() == [-1, 0, 0, 1, 2, 2, 2, 2, 2, -1, -1, -1]
    labels = rows.labels([text], {"O": 0, "B-x": 1})
    assert labels[0].tolist() == [-100, 0, -100, 0, 1, *[-100] * 7]


def test_long_texts_are_split_between_words_without_loss(tokenizer: WordPieceTokenizer) -> None:
    words = ["varga", "ada", "holms", "varga", "is"]
    text = text_of_words(words, ["O"] * 5)
    rows = read_rows(["ada", text.text], [np.array([[0, 3]]), text.offsets], tokenizer, 5)
    assert rows.text_ids.tolist() == [0, 1, 1, 1]
    read = [pieces(tokenizer, row)[1:-1] for row in rows.inputs["token_ids"]]
    assert read == [["ada"], ["var", "##ga", "ada"], ["holm", "##s"], ["var", "##ga", "is"]]
    assert rows.word_ids[1:].tolist() == [[-1, 0, 0, 1, -1], [-1, 2, 2, -1, -1], [-1, 3, 3, 4, -1]]


def test_a_word_longer_than_a_row_is_cut(tokenizer: WordPieceTokenizer) -> None:
    text = text_of_words(["ada", "vargavargavarga", "is"], ["O"] * 3)
    long = WordPieceTokenizer(Vocabulary([*PIECES, "##var"]))
    rows = read_rows([text.text], [text.offsets], long, 5)
    read = [pieces(long, row)[1:-1] for row in rows.inputs["token_ids"]]
    assert read == [["ada"], ["var", "##ga", "##var"], ["is"]]
    assert rows.word_ids.max(axis=1).tolist() == [0, 1, 2]


def test_a_text_without_words_has_a_row(tokenizer: WordPieceTokenizer) -> None:
    rows = read_rows(["", "ada"], [np.zeros((0, 2), int), np.array([[0, 3]])], tokenizer, 4)
    assert rows.text_ids.tolist() == [0, 1]
    assert (rows.word_ids[0] == -1).all()


def test_sample_texts_have_the_annotated_names(tokenizer: WordPieceTokenizer) -> None:
    articles = load_sample()[:40]
    for text, spans in zip(sample_texts(articles, tokenizer), articles["entities"], strict=True):
        assert text.names(strict=True) == sorted(map(tuple, spans))
        assert {kind for *_, kind in spans} <= set(SAMPLE_KINDS)


def test_first_sentences_keep_only_their_names(tokenizer: WordPieceTokenizer) -> None:
    articles = load_sample()[:40]
    for whole, text, sentences in zip(
        sample_texts(articles, tokenizer),
        sample_texts(articles, tokenizer, sentences=2),
        articles["sentences"],
        strict=True,
    ):
        assert text.text == " ".join(sentences[:2])
        assert text.names() == [name for name in whole.names() if name[0] < len(text.text)]


def test_lookup_takes_the_longest_name_and_its_most_frequent_kind() -> None:
    words = ["Varga", "Mining", "hired", "Varga", ",", "and", "Varga", "left", "Ada", "Varga", "Mining"]
    kinds = ["B-club", "I-club", "O", "B-person", "O", "O", "B-person", "O", "B-club", "O", "O"]
    lookup = Lookup([text_of_words(words, kinds), text_of_words(["Varga"], ["B-club"])])
    asked = "so VARGA mining and varga met ada".split()  # noqa: SIM905
    assert lookup.tags(asked) == ["O", "B-club", "I-club", "O", "B-person", "O", "B-club"]
    assert lookup.tags([]) == []


def test_tagged_texts_return_their_names() -> None:
    offsets = np.array([(0, 3), (4, 8), (9, 11)])
    text = TaggedText("Ada Holm is", offsets, bio_tags(offsets, [(0, 8, "person")]))
    assert text.names() == [(0, 8, "person")]
    assert TaggedText("Ada Holm is", offsets, ["I-x", "O", "O"]).names(strict=True) == []
