"""Word ids and offsets: a piece's characters give the piece when tokenized again, and Hugging Face's tokenizers agree.

`WHERE_THE_PEER_DIFFERS` lists the texts on which they differ, and why.
"""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Encoding, Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from course.data.datasets import load_ag_news, load_sample
from course.data.text.offsets import EncodedText, normalized_characters
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.tokenization import CONTINUATION, SPECIAL_TOKENS, basic_tokenize, is_accent, is_control
from tests.course.local_data import AG_NEWS, BERT_VOCABULARY

# Letters whose accents and case have several spellings, and characters that separate words or vanish in them.
HARD = "aAbBéÉe\u0301\u0323\u0344İßẞΣσñÅ\u212bﬁ≠ 中文한국क\u093f\u093e😀👩🏽.,'-$#[]MASK"
HARD += "\u200d\u00ad\x01\ufeff\t\n\xa0\u3000"
# Marks after a letter that are not accents, and that the form NFD sorts.
SORTED = "\u302e\u1b44\U00016ff0"
TEXTS = [
    "",
    " \t\n",
    "\x01",
    "\u0301",
    "Café au lait, s'il vous plaît!",
    "cafe\u0301 cafe\u0301s \u0301e",
    "İstanbul, ISTANBUL",
    "中文abc中 한국어 ニュース",
    "😀a😀b 👩🏽\u200d💻",
    "a\u00adb\u0001c\u200bd\ufeff",
    "\ufeffStraße ﬁn ≠ Å \u212b",
    "x" * 100 + " " + "x" * 101 + " y",
    "a [MASK] b[SEP]. [mask] [ MASK ]",
    "don't U.S.A.'s $5.00 #tag @name http://a.b/c?d=e",
    "क्षत्रिय और",
]

# A text, and its offsets from the course and from Hugging Face's tokenizers.
WHERE_THE_PEER_DIFFERS = {
    "the peer places a mark where it stands after NFD has sorted it behind an accent, which vanishes": (
        "a\u302e\u094d b",
        [(0, 1), (1, 2), (4, 5)],
        [(0, 1), (2, 3), (4, 5)],
    ),
    "the peer does so with two marks that have changed places, though each is a piece": (
        "a\u302e\u1b44",
        [(0, 1), (1, 3), (1, 3)],
        [(0, 1), (1, 2), (2, 3)],
    ),
}


def vocabulary_of(texts: list[str]) -> Vocabulary:
    """A vocabulary with the characters of these texts, and some longer pieces, so that words are cut in all ways."""
    letters = sorted({letter for text in [*texts, HARD, SORTED] for letter in "".join(basic_tokenize(text))})
    words = [word for text in texts for word in basic_tokenize(text)]
    starts = sorted({word[:3] for word in words} - set(letters) - set(SPECIAL_TOKENS))
    ends = sorted({word[-2:] for word in words if len(word) > 2})
    inside = dict.fromkeys([*letters, *ends])
    unknown = {"x", "ñ", "문"}  # a word with one of these is unknown
    pieces = [*SPECIAL_TOKENS, *letters, *starts, *(CONTINUATION + piece for piece in inside)]
    return Vocabulary(piece for piece in pieces if not unknown.intersection(piece))


def peer(vocabulary: Vocabulary, lowercase: bool = True) -> Tokenizer:
    tokenizer = Tokenizer(WordPiece(dict(vocabulary), unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.add_special_tokens(list(SPECIAL_TOKENS))
    return tokenizer


def sample_texts(count: int) -> list[str]:
    articles = load_sample()[:count]
    return (articles["title"] + ". " + articles["description"]).tolist()


def offsets(encoded: EncodedText) -> list[tuple[int, int]]:
    return list(zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True))


def rows_that_differ(texts: list[str], vocabulary: Vocabulary, lowercase: bool) -> list[str]:
    """The texts for which the peer gives other ids, words or offsets."""
    ours = WordPieceTokenizer(vocabulary, lowercase).encode_with_offsets(texts)
    theirs: list[Encoding] = peer(vocabulary, lowercase).encode_batch(texts, add_special_tokens=False)
    return [
        text
        for text, encoded, encoding in zip(texts, ours, theirs, strict=True)
        if (encoded.token_ids.tolist(), encoded.word_ids.tolist(), offsets(encoded))
        != (encoding.ids, encoding.word_ids, encoding.offsets)
    ]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return vocabulary_of([*TEXTS, *sample_texts(50)])


@pytest.fixture(scope="module", params=[True, False], ids=["uncased", "cased"])
def tokenizer(vocabulary: Vocabulary, request: pytest.FixtureRequest) -> WordPieceTokenizer:
    return WordPieceTokenizer(vocabulary, lowercase=request.param)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Zürich's lake", [("zur", 0, "Zür"), ("##ich", 0, "ich"), ("'", 1, "'"), ("s", 2, "s"), ("lake", 3, "lake")]),
        ("zu\u0308rich", [("zur", 0, "zu\u0308r"), ("##ich", 0, "ich")]),
        ("e\u0301 lake\u0301!", [("[UNK]", 0, "e"), ("lake", 1, "lake"), ("!", 2, "!")]),
        ("la\u00adke", [("lake", 0, "la\u00adke")]),
        ("湖lake", [("湖", 0, "湖"), ("lake", 1, "lake")]),
        ("[MASK]lake", [("[MASK]", 0, "[MASK]"), ("lake", 1, "lake")]),
        ("한!", [("ᄒ", 0, "한"), ("##ᅡ", 0, "한"), ("##ᆫ", 0, "한"), ("!", 1, "!")]),
        ("\u0301 \x01!", [("!", 0, "!")]),
        ("lakeside lake" + "x" * 100, [("[UNK]", 0, "lakeside"), ("[UNK]", 1, "lake" + "x" * 100)]),
        (" \t", []),
    ],
)
def test_examples(text: str, pieces: list[tuple[str, int, str]]):
    known = ["zur", "##ich", "'", "s", "lake", "!", "湖", *"한", "##ᅡ", "##ᆫ"]
    vocabulary = Vocabulary([*SPECIAL_TOKENS, *known])
    encoded = WordPieceTokenizer(vocabulary).encode_with_offsets([text])[0]
    encoded_pieces = zip(
        vocabulary.pieces_of(encoded.token_ids),
        encoded.word_ids.tolist(),
        [text[start:end] for start, end in offsets(encoded)],
        strict=True,
    )
    assert list(encoded_pieces) == pieces
    assert {array.dtype for array in encoded} == {np.dtype("int32")}
    assert {array.shape for array in encoded} == {(len(pieces),)}


@pytest.mark.parametrize("lowercase", [True, False])
def test_agrees_with_the_peer(vocabulary: Vocabulary, lowercase: bool):
    assert rows_that_differ([*TEXTS, *sample_texts(50)], vocabulary, lowercase) == []


def test_agrees_with_the_peer_on_news_and_the_published_vocabulary(vocabulary: Vocabulary):
    # On a machine without AG News or that vocabulary, the sample and its own vocabulary replace them.
    texts = sample_texts(300)[50:]
    if AG_NEWS:
        articles = load_ag_news(AG_NEWS)["test"]
        texts = (articles["title"] + " " + articles["description"]).tolist()
        texts = [text for text in texts if not text.isascii()][:300] + texts[:300]
    published = Vocabulary.load(BERT_VOCABULARY) if BERT_VOCABULARY else vocabulary
    assert rows_that_differ([*TEXTS, *texts], published, lowercase=True) == []


@pytest.mark.parametrize("reason", WHERE_THE_PEER_DIFFERS)
def test_where_the_peer_differs(reason: str):
    text, ours, theirs = WHERE_THE_PEER_DIFFERS[reason]
    vocabulary = Vocabulary([*SPECIAL_TOKENS, "a", "b", *(f"##{mark}" for mark in SORTED)])
    assert offsets(WordPieceTokenizer(vocabulary).encode_with_offsets([text])[0]) == ours
    assert peer(vocabulary).encode(text).offsets == theirs


@given(st.lists(st.text(max_size=30) | st.text(HARD + SORTED, max_size=15), min_size=8, max_size=30))
def test_the_characters_between_offsets_give_the_piece(tokenizer: WordPieceTokenizer, texts: list[str]):
    encoded = tokenizer.encode_with_offsets(texts)
    for text, ids, (token_ids, word_ids, starts, ends) in zip(texts, tokenizer.encode(texts), encoded, strict=True):
        assert token_ids.tolist() == ids.tolist()
        assert (starts < ends).all()
        assert (np.diff(starts) >= 0).all()
        assert (np.diff(ends) >= 0).all()
        words = basic_tokenize(text, tokenizer.lowercase)
        assert list(dict.fromkeys(word_ids.tolist())) == list(range(len(words)))
        for row, piece in enumerate(tokenizer.vocabulary.pieces_of(token_ids)):
            word = words[word_ids[row]]
            expected = word if piece == "[UNK]" else piece.removeprefix(CONTINUATION)
            shared = (starts[row + 1 :] < ends[row]).any() or (ends[:row] > starts[row]).any()
            letters = read_again(text[starts[row] : ends[row]], tokenizer.lowercase)
            expected = expected.replace("ς", "σ")  # a sigma at the end of a slice is not at the end of its word
            assert expected in letters if shared else expected == letters


def read_again(text: str, lowercase: bool) -> str:
    """Normalize a slice of a text, by the definition."""
    text = "".join(letter for letter in text if not is_control(letter))
    if lowercase and text not in SPECIAL_TOKENS:
        text = "".join(letter for letter in unicodedata.normalize("NFD", text.lower()) if not is_accent(letter))
    return text.replace("ς", "σ")


@given(st.text() | st.text(HARD + SORTED))
def test_characters_are_those_of_the_form_nfd(text: str):
    visible = "".join(letter for letter in text if not is_control(letter))
    lowered = unicodedata.normalize("NFD", visible.lower())
    characters = normalized_characters(text, lowercase=True)
    if not any(token in text for token in SPECIAL_TOKENS):
        letters = "".join(letter for letter in lowered if not is_accent(letter))
        assert "".join(character.character for character in characters) == letters


def test_refuses_what_is_not_texts(tokenizer: WordPieceTokenizer):
    assert tokenizer.encode_with_offsets([]) == []
    with pytest.raises(TypeError, match=r"pass \[text\]"):
        tokenizer.encode_with_offsets("one text")
