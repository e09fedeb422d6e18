"""The fast tokenizer gives the ids of the exercises, and those of published tokenizers where these agree.

They agree on plain English. `PEERS_DIFFER` lists where they differ, and why; `AG_NEWS_ROWS` the rows where it shows.
"""

from __future__ import annotations

import csv
import sys

import keras_hub
import numpy as np
import pytest
import tensorflow as tf
import tensorflow_text
import transformers
from hypothesis import given
from hypothesis import strategies as st

from course.data.datasets import load_ag_news, load_sample
from course.data.text.vocabulary import Vocabulary, train_vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.tokenization import SPECIAL_TOKENS, basic_tokenize, pack_pair, wordpiece_tokenize
from tests.course.local_data import AG_NEWS, BERT_VOCABULARY

# A text, then its words as read by: the course | TensorFlow Text | keras-hub | Hugging Face.
PEERS_DIFFER = {
    "keras-hub keeps accents": ("café", "cafe", "cafe", "café", "cafe"),
    "TensorFlow Text and keras-hub fold case, which changes more than lowering it": (
        "Straße",
        "straße",
        "strasse",
        "strasse",
        "straße",
    ),
    "case folding turns some symbols into other characters": ("x²", "x²", "x2", "x2", "x²"),
    "keras-hub folds after it has split off punctuation": ("y…", "y …", "y . . .", "y ...", "y …"),
    "only BERT's own code keeps the final form of a sigma": ("ΟΔΟΣ", "οδος", "οδοσ", "οδοσ", "οδοσ"),
    "a control character ends a word": ("a\x01b", "ab", "a b", "a b", "ab"),
    "a soft hyphen ends a word in keras-hub": ("a\u00adb", "ab", "ab", "a b", "ab"),
    "a no-break space ends no word in keras-hub": ("a\u00a0b", "a b", "a b", "[UNK]", "a b"),
    "Hugging Face drops characters of private use": ("a\ue000b", "[UNK]", "[UNK]", "[UNK]", "ab"),
    "typed special tokens are split": ("[MASK]", "[MASK]", "[ mask ]", "[ mask ]", "[MASK]"),
    "a long word is measured in bytes": ("я" * 60, "я" * 60, "[UNK]", "[UNK]", "я" * 60),
}
# Letters and other characters: spaces, control characters, accents, signs, the brackets of special tokens.
BREAKS_WORDS_OR_NOT = "aA9.-[MASK] \t\n\r\x0b\x0c\x1c\x85\xa0\u2028\u3000\u200b\u0308éΣß中"
# AG News as crawled is plain ASCII, and all tokenizers agree on every row. `load_ag_news` decodes it to accents,
# quotation marks and dashes; on the test rows, only the dots of "…" make a difference.
AG_NEWS_ROWS = {3674: "keras-hub folds after it has split off punctuation"}


class Peers:
    """The published tokenizers, each as a function from texts to ids without special tokens."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        pieces = list(vocabulary)
        self._tensorflow = tensorflow_text.FastBertTokenizer(pieces, lower_case_nfd_strip_accents=True)
        self._keras_hub = keras_hub.tokenizers.BertTokenizer(vocabulary=pieces, lowercase=True)
        self._hugging_face = transformers.BertTokenizer(vocab=dict(vocabulary))

    def __call__(self, texts: list[str]) -> dict[str, list[list[int]]]:
        return {
            "tensorflow_text": self._tensorflow.tokenize(texts).to_list(),
            "keras_hub": [tf.convert_to_tensor(ids).numpy().tolist() for ids in self._keras_hub(texts)],
            "hugging_face": self._hugging_face(texts, add_special_tokens=False)["input_ids"],
        }


def sample_texts() -> list[str]:
    articles = load_sample()
    return (articles["title"] + " " + articles["description"]).tolist()


def bert_vocabulary() -> Vocabulary:
    """The vocabulary of bert-base-uncased, or one of its size with the pieces of one sentence at their ids."""
    if BERT_VOCABULARY:
        return Vocabulary.load(BERT_VOCABULARY)
    known = dict(zip((0, 100, 101, 102, 103), SPECIAL_TOKENS, strict=True))
    known |= {1037: "a", 1052: "p", 2003: "is", 2005: "for", 2307: "great", 2361: "##p", 2818: "##ch"}
    known |= {2953: "##or", 7705: "framework", 17953: "nl", 22123: "##yt"}
    return Vocabulary(known.get(number, f"[unused{number}]") for number in range(30522))


@pytest.fixture(scope="module")
def vocabularies() -> dict[str, Vocabulary]:
    learned = {"learned": train_vocabulary(sample_texts(), size=2000)}
    return learned | ({"bert-base-uncased": bert_vocabulary()} if BERT_VOCABULARY else {})


@pytest.fixture(scope="module")
def tokenizer(vocabularies: dict[str, Vocabulary]) -> WordPieceTokenizer:
    return WordPieceTokenizer(vocabularies["learned"])


@pytest.fixture(scope="module")
def cased(vocabularies: dict[str, Vocabulary]) -> WordPieceTokenizer:
    return WordPieceTokenizer(vocabularies["learned"], lowercase=False)


def rows_that_differ(texts: list[str], vocabulary: Vocabulary) -> set[int]:
    """The rows for which a peer gives other ids than the course."""
    ours = [ids.tolist() for ids in WordPieceTokenizer(vocabulary).encode(texts)]
    theirs = Peers(vocabulary)(texts)
    return {row for ids in theirs.values() for row, (a, b) in enumerate(zip(ours, ids, strict=True)) if a != b}


class TestEncode:
    def test_sentence_of_the_lecture_notes(self):
        row = WordPieceTokenizer(bert_vocabulary())(["PyTorch is a great framework for NLP"], max_length=13)
        expected = [101, 1052, 22123, 2953, 2818, 2003, 1037, 2307, 7705, 2005, 17953, 2361, 102]
        assert row["token_ids"].tolist() == [expected]

    def test_agrees_with_the_peers_on_the_sample(self, vocabularies):
        for vocabulary in vocabularies.values():
            assert rows_that_differ(sample_texts(), vocabulary) == set()

    def test_agrees_with_the_peers_on_ag_news(self, vocabularies):
        # On a machine without AG News, the bundled sample's last rows replace it; none of them differs.
        crawled = decoded = sample_texts()[-500:]
        expected: set[int] = set()
        if AG_NEWS:
            with (AG_NEWS / "test.csv").open(encoding="utf-8", newline="") as lines:
                crawled = [f"{title} {description}" for _, title, description in csv.reader(lines)]
            articles = load_ag_news(AG_NEWS)["test"]
            decoded = (articles["title"] + " " + articles["description"]).tolist()
            expected = set(AG_NEWS_ROWS)
        vocabulary = list(vocabularies.values())[-1]
        assert rows_that_differ(crawled, vocabulary) == set()
        assert rows_that_differ(decoded, vocabulary) == expected

    @pytest.mark.parametrize("reason", PEERS_DIFFER)
    def test_where_peers_differ(self, reason: str):
        text, *expected = PEERS_DIFFER[reason]
        characters = sorted(set("".join(expected)) - {" "})
        vocabulary = Vocabulary([*SPECIAL_TOKENS, *characters, *(f"##{character}" for character in characters)])
        peers = Peers(vocabulary)([text])
        ids = [WordPieceTokenizer(vocabulary).encode([text])[0].tolist(), *(rows[0] for rows in peers.values())]
        words = [" ".join(vocabulary.pieces_of(row)).replace(" ##", "") for row in ids]
        assert words == expected

    @given(st.lists(st.text(max_size=30) | st.text(BREAKS_WORDS_OR_NOT, max_size=12), max_size=6), st.booleans())
    def test_gives_the_ids_of_the_exercises(self, tokenizer, cased, texts: list[str], lowercase: bool):
        texts = [*texts, "Plain text, a317!", "café [MASK] x[SEP]", "", "tab\tline\nend", "x" * 100, "x" * 101]
        vocabulary = tokenizer.vocabulary
        rows = (tokenizer if lowercase else cased).encode(texts)
        for text, ids in zip(texts, rows, strict=True):
            words = basic_tokenize(text, lowercase)
            pieces = [piece for word in words for piece in wordpiece_tokenize(word, vocabulary)]
            assert ids.dtype == np.int32
            assert ids.tolist() == vocabulary.ids_of(pieces)

    @pytest.mark.parametrize("lowercase", [True, False])
    def test_ids_are_the_same_without_tensorflow(self, vocabularies, monkeypatch, lowercase: bool):
        texts = [*sample_texts()[::25], "Plain text, a317!", "café [MASK]", "", "a\tb\nc\rd", "x" * 100, "x" * 101]
        texts += ["!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "A.b-C's [x] [ MASK ]"]
        vocabulary = vocabularies["learned"]
        expected = WordPieceTokenizer(vocabulary, lowercase).encode(texts)
        for name in ("tensorflow", "tensorflow_text"):
            monkeypatch.setitem(sys.modules, name, None)  # as if they were not installed
        without = WordPieceTokenizer(vocabulary, lowercase)
        assert [ids.tolist() for ids in without.encode(texts)] == [ids.tolist() for ids in expected]
        assert {ids.dtype for ids in without.encode(texts)} == {np.dtype("int32")}
        assert without.encode([]) == []

    def test_keeps_the_order_of_more_texts_than_a_batch(self, tokenizer: WordPieceTokenizer):
        texts = [f"number {number} é" if number % 7 == 0 else f"number {number}" for number in range(2500)]
        rows = tokenizer.encode(iter(texts))
        assert len(rows) == 2500
        for number in (0, 1, 1023, 1024, 1029, 2499):
            assert rows[number].tolist() == tokenizer.encode([texts[number]])[0].tolist()

    def test_no_texts_give_no_rows(self, tokenizer: WordPieceTokenizer):
        assert tokenizer.encode([]) == []
        assert tokenizer([], max_length=5)["token_ids"].shape == (0, 5)

    def test_refuses_what_is_not_texts(self, tokenizer: WordPieceTokenizer):
        with pytest.raises(TypeError, match=r"pass \[text\]"):
            tokenizer.encode("one text")
        with pytest.raises(TypeError, match="float as text 1"):
            tokenizer.encode(["text", float("nan")])


class TestPack:
    @pytest.mark.parametrize("max_length", [3, 4, 8, 11, 23])
    def test_gives_the_rows_of_the_exercise(self, tokenizer: WordPieceTokenizer, random, max_length: int):
        first = [random.integers(9, 99, length, "int32") for length in random.integers(0, 14, 40)]
        second = [random.integers(9, 99, length, "int32") for length in random.integers(0, 14, 40)]
        special = {"cls_id": tokenizer.vocabulary.cls_id, "sep_id": tokenizer.vocabulary.sep_id}
        pairs = tokenizer.pack(first, second, max_length)
        singles = tokenizer.pack(first, None, max_length)
        for row in range(40):
            pair = pack_pair(first[row], second[row], max_length, **special)
            single = pack_pair(first[row], None, max_length, **special)
            for name in ("token_ids", "segment_ids", "padding_mask"):
                assert pairs[name].dtype == pair[name].dtype
                np.testing.assert_array_equal(pairs[name][row], pair[name])
                np.testing.assert_array_equal(singles[name][row], single[name])

    def test_refuses_what_does_not_fit(self, tokenizer: WordPieceTokenizer):
        with pytest.raises(ValueError, match="2 first and 1 second"):
            tokenizer(["a", "b"], ["c"])
        with pytest.raises(ValueError, match=r"at least 3.*max_length=2"):
            tokenizer(["a"], ["c"], max_length=2)
        with pytest.raises(ValueError, match=r"at least 2.*max_length=1"):
            tokenizer(["a"], max_length=1)
