"""The vocabulary: valid and invalid files, and vocabularies learned from text."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.data.datasets import load_sample
from course.data.text.vocabulary import Vocabulary, train_vocabulary
from course.tokenization import SPECIAL_TOKENS, basic_tokenize, wordpiece_tokenize


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary(["the", *SPECIAL_TOKENS, "##s"])


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return load_sample()["description"][:400].tolist()


class TestVocabulary:
    def test_drops_case_as_given_or_if_no_piece_has_a_capital(self, vocabulary: Vocabulary):
        cased = Vocabulary([*vocabulary, "Élan"])
        assert [checked.drops_case(None) for checked in (vocabulary, cased)] == [True, False]
        assert [checked.drops_case(said) for checked in (vocabulary, cased) for said in (True, False)] == [
            True,
            False,
        ] * 2

    def test_is_a_mapping_in_the_order_of_ids(self, vocabulary: Vocabulary):
        assert dict(vocabulary) == {"the": 0, "[PAD]": 1, "[UNK]": 2, "[CLS]": 3, "[SEP]": 4, "[MASK]": 5, "##s": 6}
        assert list(vocabulary) == ["the", *SPECIAL_TOKENS, "##s"]
        assert "##s" in vocabulary
        assert "s" not in vocabulary
        assert vocabulary.get("s") is None

    def test_knows_its_special_tokens(self, vocabulary: Vocabulary):
        special = (1, 2, 3, 4, 5)
        assert vocabulary.special_ids == special
        names = ("padding_id", "unknown_id", "cls_id", "sep_id", "mask_id")
        assert tuple(getattr(vocabulary, name) for name in names) == special

    def test_ids_and_pieces(self, vocabulary: Vocabulary):
        assert vocabulary.ids_of(["the", "##s", "no"]) == [0, 6, 2]
        assert vocabulary.pieces_of([6, 0, 2]) == ["##s", "the", "[UNK]"]

    @pytest.mark.parametrize("number", [-1, 7])
    def test_refuses_ids_that_it_does_not_have(self, vocabulary: Vocabulary, number: int):
        with pytest.raises(ValueError, match=f"between 0 and 6.*Received: {number}"):
            vocabulary.pieces_of([0, number])

    def test_save_and_load_keep_every_piece(self, vocabulary: Vocabulary, tmp_path: Path):
        path = tmp_path / "vocab.txt"
        pieces = [*vocabulary, "\u2028", "naïve", "中"]  # Python's splitlines would break at the first of these
        Vocabulary(pieces).save(path)
        assert list(Vocabulary.load(path)) == pieces

    def test_a_file_may_have_windows_line_ends(self, tmp_path: Path):
        path = tmp_path / "vocab.txt"
        path.write_bytes("\r\n".join([*SPECIAL_TOKENS, "the"]).encode())
        assert list(Vocabulary.load(path)) == [*SPECIAL_TOKENS, "the"]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nof\nthe\n", "'the' more than once"),
            (b"[PAD]\n[UNK]\n[CLS]\n\n[SEP]\n[MASK]\n", "empty one in line 4"),
            (b"[PAD]\n[UNK]\n[CLS]\nthe\n", r"4 pieces without \[SEP\], \[MASK\]"),
            (b"", "0 pieces without"),
            (b"[PAD]\n\xff\xfe\n", "utf-8"),
        ],
    )
    def test_says_what_is_wrong_with_a_file(self, tmp_path: Path, content: bytes, message: str):
        path = tmp_path / "vocab.txt"
        path.write_bytes(content)
        with pytest.raises(ValueError, match=message) as caught:
            Vocabulary.load(path)
        assert str(path) in str(caught.value)

    def test_says_which_file_is_missing(self, tmp_path: Path):
        with pytest.raises(FileNotFoundError, match=r"nowhere\.txt"):
            Vocabulary.load(tmp_path / "nowhere.txt")


class TestTrainVocabulary:
    def test_knows_frequent_words_and_can_spell_the_others(self, texts: list[str]):
        vocabulary = train_vocabulary(texts, size=1200)
        assert len(vocabulary) == 1200
        assert vocabulary.special_ids == (0, 1, 2, 3, 4)
        assert {"the", "said", "percent"} <= set(vocabulary)
        words = {word for text in texts for word in basic_tokenize(text)}
        assert not any("[UNK]" in wordpiece_tokenize(word, vocabulary) for word in words)

    def test_is_the_same_each_time(self, texts: list[str]):
        vocabularies = [list(train_vocabulary(texts, size=900)) for _ in range(4)]
        assert all(vocabulary == vocabularies[0] for vocabulary in vocabularies)

    def test_learns_the_codes_of_its_field(self, texts: list[str]):
        prose = [text for text in texts if not any(character.isdigit() for character in text)]
        general = train_vocabulary(prose, size=700)
        field = train_vocabulary([*prose, *["The pump a317 replaces the a318."] * 40], size=700)
        assert wordpiece_tokenize("a317", general) == ["a", "##3", "##1", "##7"]
        assert wordpiece_tokenize("a317", field) == ["a317"]
        # A vocabulary that fits too closely would not know the next code. It must be cut, and not be unknown.
        pieces = wordpiece_tokenize("z942", field)
        assert "".join(piece.removeprefix("##") for piece in pieces) == "z942"

    def test_keeps_case_if_asked(self):
        vocabulary = train_vocabulary(["Élan Élan"], size=500, lowercase=False)
        assert "Élan" in vocabulary
        assert "elan" not in vocabulary
        assert "elan" in train_vocabulary(["Élan Élan"], size=500)

    def test_learns_from_any_iterable(self):
        assert "word" in train_vocabulary((text for text in ["word word"]), size=400)

    def test_without_text_it_has_the_alphabet(self):
        vocabulary = train_vocabulary([], size=500)
        assert wordpiece_tokenize("q9", vocabulary) == ["q", "##9"]

    def test_refuses_sizes_without_room(self, texts: list[str]):
        with pytest.raises(ValueError, match=r"size must be at least \d+.*Received: size=60"):
            train_vocabulary(texts, size=60)
