"""Chapter 1: words, pieces, merges and packing agree with results by hand and with published tokenizers."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import keras_hub
import numpy as np
import pytest
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from keras import ops
from transformers.models.bert.tokenization_bert_legacy import BasicTokenizer

from course.data.datasets import load_sample
from course.tokenization import (
    SPECIAL_TOKENS,
    basic_tokenize,
    is_accent,
    is_cjk,
    is_control,
    is_punctuation,
    is_space,
    learn_bpe,
    pack_pair,
    wordpiece_tokenize,
)


def has_no_special(text: str) -> bool:
    """Whether no special token is typed in the text."""
    return not any(token in text for token in SPECIAL_TOKENS)


class TestBasicTokenize:
    @pytest.mark.parametrize(
        ("text", "tokens"),
        [
            ("", []),
            (" \t\n\r\u00a0\u2028", []),
            ("Hello,world", ["hello", ",", "world"]),
            ("It's 5$ -- or^more...", ["it", "'", "s", "5", "$", "-", "-", "or", "^", "more", ".", ".", "."]),
            ("“Quoted” — text…", ["“", "quoted", "”", "—", "text", "…"]),
            ("café naïve Ångström", ["cafe", "naive", "angstrom"]),
            ("cafe\u0301", ["cafe"]),
            ("İstanbul", ["istanbul"]),
            ("Straße", ["straße"]),
            ("x² ½", ["x²", "½"]),
            ("天気x氣", ["天", "気", "x", "氣"]),
            ("カタカナ 한", ["カタカナ", "\u1112\u1161\u11ab"]),
            ("soft\u00adhyphen\u200b nu\x00ll \ufffd", ["softhyphen", "null"]),
            ("a317 QX-2140", ["a317", "qx", "-", "2140"]),
        ],
    )
    def test_splits(self, text: str, tokens: list[str]):
        assert basic_tokenize(text) == tokens

    def test_cased_keeps_case_and_accents(self):
        assert basic_tokenize("The Café's", lowercase=False) == ["The", "Café", "'", "s"]

    def test_special_tokens_stay_whole_only_in_their_own_spelling(self):
        assert basic_tokenize("The[MASK]ed [CLS] man") == ["the", "[MASK]", "ed", "[CLS]", "man"]
        assert basic_tokenize("[mask] [MASK") == ["[", "mask", "]", "[", "mask"]
        assert basic_tokenize(" ".join(SPECIAL_TOKENS), lowercase=False) == list(SPECIAL_TOKENS)

    def test_refuses_bytes(self):
        with pytest.raises(TypeError, match="bytes"):
            basic_tokenize(b"text")

    @settings(max_examples=300)
    # U+0085 is white space to Hugging Face, and a control character to BERT's own code and here.
    @given(st.text(st.characters(max_codepoint=0x24F, exclude_characters="\x85"), max_size=40).filter(has_no_special))
    def test_agrees_with_hugging_face_on_latin_text(self, text: str):
        normalized = tokenizers.normalizers.BertNormalizer(lowercase=True).normalize_str(text)
        expected = [word for word, _ in tokenizers.pre_tokenizers.BertPreTokenizer().pre_tokenize_str(normalized)]
        assert basic_tokenize(text) == expected

    @settings(max_examples=300)
    @given(st.text("ΑΣΒσaİ\x00\xad\u200b\ufffd\u0301\u0345 \t.中", max_size=12))
    @example("ΑΣ\x00Β").via("no end of a word, so no final sigma")
    def test_agrees_with_the_published_code_on_where_a_sigma_ends_a_word(self, text: str):
        assert basic_tokenize(text) == BasicTokenizer().tokenize(text)

    @settings(max_examples=300)
    @given(st.text(max_size=40).filter(has_no_special))
    def test_tokens_are_visible_and_tokenizing_again_changes_nothing(self, text: str):
        tokens = basic_tokenize(text)
        assert not any(is_space(character) or is_control(character) for token in tokens for character in token)
        assert all(len(token) == 1 or not any(map(is_punctuation, token)) for token in tokens)
        assert basic_tokenize(" ".join(tokens)) == tokens


def test_kinds_of_character():
    assert all(map(is_space, " \t\n\r\u00a0\u2028\u2029\u3000"))
    assert not any(map(is_space, "a\u200b_"))
    assert all(map(is_accent, "\u0300\u0301\u0345"))
    assert not any(map(is_accent, "´`aé"))
    assert all(map(is_punctuation, "!$+<=>^`|~。¿—"))
    assert not any(map(is_punctuation, "aZ09é€ \n"))
    assert all(map(is_cjk, "中㐀豈"))
    assert not any(map(is_cjk, "한あカa"))
    assert all(map(is_control, "\x00\x7f\u00ad\u200d\ufffd"))
    assert not any(map(is_control, "\t\n\r a"))


class TestWordpieceTokenize:
    vocabulary = ("[UNK]", "un", "u", "unaff", "##aff", "##able", "##a", "##b", "##le", "aff", "able")

    @pytest.mark.parametrize(
        ("word", "pieces"),
        [
            ("", []),
            ("un", ["un"]),
            ("unaffable", ["unaff", "##able"]),  # not un ##aff ##able: the longest start first
            ("unable", ["un", "##able"]),
            ("una", ["un", "##a"]),
            ("unc", ["[UNK]"]),  # and not "un"
            ("leun", ["[UNK]"]),  # "##le" starts no word
        ],
    )
    def test_cuts(self, word: str, pieces: list[str]):
        assert wordpiece_tokenize(word, self.vocabulary) == pieces

    def test_longest_first_may_fail_where_another_cut_would_not(self):
        assert wordpiece_tokenize("abc", {"ab", "a", "##bc"}) == ["[UNK]"]

    def test_long_words_are_unknown(self):
        vocabulary = {"é", "##é"}
        assert wordpiece_tokenize("é" * 100, vocabulary) == ["é"] + ["##é"] * 99  # characters count, not bytes
        assert wordpiece_tokenize("é" * 101, vocabulary) == ["[UNK]"]
        assert wordpiece_tokenize("é" * 6, vocabulary, unknown="?", max_chars=5) == ["?"]

    @settings(max_examples=300)
    @given(
        st.text("abc", max_size=12),
        st.frozensets(
            st.text("abc", min_size=1, max_size=3).flatmap(lambda piece: st.sampled_from([piece, "##" + piece])),
            max_size=12,
        ),
    )
    def test_agrees_with_hugging_face(self, word: str, pieces: frozenset[str]):
        numbered = {piece: number for number, piece in enumerate(["[UNK]", *sorted(pieces)])}
        model = tokenizers.models.WordPiece(numbered, unk_token="[UNK]", max_input_chars_per_word=9)
        assert wordpiece_tokenize(word, pieces, max_chars=9) == [token.value for token in model.tokenize(word)]


def merges_by_recounting(word_counts: dict[str, int], num_merges: int) -> list[tuple[str, str]]:
    """The algorithm as the paper states it: all words are counted again after each merge."""
    words = {word: [*word, "</w>"] for word in word_counts}
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for word, symbols in words.items():
            for pair in pairwise(symbols):
                counts[pair] += word_counts[word]
        counts = +counts
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        for word, symbols in words.items():
            merged = []
            for symbol in symbols:
                # Only the second half of a pair looks back, so that "aaa" becomes "aa a".
                if merged and (merged[-1], symbol) == best:
                    merged[-1] += symbol
                else:
                    merged.append(symbol)
            words[word] = merged
    return merges


class TestLearnBpe:
    def test_example_of_the_paper(self):
        counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
        assert learn_bpe(counts, num_merges=5) == [
            ("e", "s"),
            ("es", "t"),
            ("est", "</w>"),
            ("l", "o"),
            ("lo", "w"),
        ]

    def test_counts_every_place_times_the_count_of_the_word(self):
        # (a, b) stands in one word of count 3, and twice in that; (c, d) in words of count 5.
        assert learn_bpe({"abab": 3, "cd": 5}, num_merges=1) == [("a", "b")]
        assert learn_bpe({"abab": 2, "cd": 5}, num_merges=1)[0] != ("a", "b")

    def test_overlapping_pairs_merge_from_the_left(self):
        # aaa holds (a, a) twice. Merged it is aa a, so (aa, a) is next, and never (a, aa).
        assert learn_bpe({"aaa": 1}, num_merges=9) == [("a", "a"), ("a", "</w>"), ("aa", "a</w>")]

    def test_ties_go_to_the_first_pair_in_order(self):
        assert learn_bpe({"zb": 4, "ya": 4}, num_merges=1) == [("a", "</w>")]
        assert learn_bpe({"ya": 4, "zb": 4}, num_merges=1) == [("a", "</w>")]

    def test_ends_where_no_pair_is_left(self):
        assert learn_bpe({"ab": 2}, num_merges=100) == [("a", "b"), ("ab", "</w>")]
        assert learn_bpe({}, num_merges=3) == learn_bpe({"ab": 0}, num_merges=3) == learn_bpe({"ab": 1}, 0) == []

    def test_refuses_negative_numbers(self):
        with pytest.raises(ValueError, match="num_merges=-1"):
            learn_bpe({"a": 1}, -1)
        with pytest.raises(ValueError, match="smallest count=-2"):
            learn_bpe({"a": 1, "b": -2}, 1)

    @settings(max_examples=300)
    @given(st.dictionaries(st.text("abc", min_size=1, max_size=8), st.integers(0, 5), max_size=8))
    def test_agrees_with_recounting(self, word_counts: dict[str, int]):
        assert learn_bpe(word_counts, 30) == merges_by_recounting(word_counts, 30)

    def test_agrees_with_recounting_on_the_sample(self):
        counts = Counter(word for text in load_sample()["description"][:60] for word in basic_tokenize(text))
        assert learn_bpe(counts, 150) == merges_by_recounting(counts, 150)


class TestPackPair:
    def pack(self, first: list[int], second: list[int] | None, max_length: int) -> list[list[int]]:
        row = pack_pair(first, second, max_length, cls_id=2, sep_id=3, padding_id=9)
        assert row["token_ids"].dtype == row["segment_ids"].dtype == np.int32
        assert row["padding_mask"].dtype == bool
        return [row[name].astype(int).tolist() for name in ("token_ids", "segment_ids", "padding_mask")]

    def test_pads(self):
        assert self.pack([5, 6, 7], [8], 9) == [
            [2, 5, 6, 7, 3, 8, 3, 9, 9],
            [0, 0, 0, 0, 0, 1, 1, 0, 0],
            [1, 1, 1, 1, 1, 1, 1, 0, 0],
        ]

    def test_one_text(self):
        assert self.pack([5, 6], None, 5) == [[2, 5, 6, 3, 9], [0] * 5, [1, 1, 1, 1, 0]]

    def test_an_empty_second_text_has_its_separator(self):
        assert self.pack([5], [], 5) == [[2, 5, 3, 3, 9], [0, 0, 0, 1, 0], [1, 1, 1, 1, 0]]

    @pytest.mark.parametrize(
        ("first", "second", "max_length", "token_ids"),
        [
            ([11, 12, 13, 14], [21], 6, [2, 11, 12, 3, 21, 3]),  # only the longer one is cut
            ([11], [21, 22, 23, 24], 6, [2, 11, 3, 21, 22, 3]),
            ([11, 12, 13], [21, 22, 23], 8, [2, 11, 12, 13, 3, 21, 22, 3]),  # a tie: the second one is cut
            ([11, 12, 13], [21, 22, 23, 24], 6, [2, 11, 12, 3, 21, 3]),
            ([11, 12], [21, 22], 3, [2, 3, 3]),
            ([11, 12, 13], None, 4, [2, 11, 12, 3]),
            ([11, 12, 13], None, 2, [2, 3]),
        ],
    )
    def test_cuts_the_longer_text_first(self, first, second, max_length, token_ids):
        assert self.pack(first, second, max_length)[0] == token_ids

    def test_does_not_change_its_arguments(self):
        first, second = [11, 12, 13], [21, 22, 23]
        self.pack(first, second, 4)
        assert (first, second) == ([11, 12, 13], [21, 22, 23])

    def test_takes_arrays(self):
        row = pack_pair(np.array([7, 8]), np.array([5], "int64"), 7, cls_id=2, sep_id=3)
        assert row["token_ids"].tolist() == [2, 7, 8, 3, 5, 3, 0]

    @pytest.mark.parametrize(("second", "max_length", "shortest"), [([4], 2, 3), (None, 1, 2)])
    def test_refuses_rows_without_room(self, second, max_length, shortest):
        with pytest.raises(ValueError, match=f"at least {shortest}.*max_length={max_length}"):
            self.pack([5], second, max_length)

    @settings(max_examples=300)
    @given(st.integers(0, 9), st.integers(0, 9), st.integers(3, 16))
    def test_agrees_with_keras_hub(self, first_length: int, second_length: int, max_length: int):
        first, second = list(range(10, 10 + first_length)), list(range(30, 30 + second_length))
        packer = keras_hub.layers.MultiSegmentPacker(
            max_length, start_value=2, end_value=3, pad_value=9, truncate="round_robin", dtype="int32"
        )
        ours = self.pack(first, second, max_length)
        theirs = packer((np.array(first, "int32"), np.array(second, "int32")))
        assert ours[:2] == [ops.convert_to_numpy(part).tolist() for part in theirs]
