"""Hidden spans: their statistics, and agreement with Hugging Face's collators."""

from __future__ import annotations

import numpy as np
import pytest

from course.given.hiding import continues_word, hide_spans, word_numbers
from course.objectives import span_mask
from tests.course.objectives.chance import assert_plausible

PAD, CLS, SEP, MASK = 0, 1, 2, 3
SPECIAL_IDS = (PAD, CLS, SEP, MASK)
SHARES = 0.2 * 0.8 ** np.arange(10)
SHARES /= SHARES.sum()


def rows(seed: int, count: int = 12, length: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    """Return ids of [CLS] words [SEP] words [SEP] padding, and word ids. A piece begins a word with probability 0.7."""
    random = np.random.default_rng(seed)
    token_ids = random.integers(10, 90, (count, length))
    token_ids[:, 0] = CLS
    for row in token_ids:
        end = random.integers(length - 200, length)
        row[[random.integers(length // 3, length // 2), end]] = SEP
        row[end + 1 :] = PAD
    begins = random.random(token_ids.shape) < 0.7
    return token_ids, np.cumsum(begins, axis=1)


def words_of(token_ids: np.ndarray, word_ids: np.ndarray) -> list[list[int]]:
    """Return where each word of each row begins. Special tokens are words of their own."""
    special = np.isin(token_ids, SPECIAL_IDS)
    return [
        [place for place in range(len(row)) if place == 0 or row[place] != row[place - 1] or is_special[place]
         or is_special[place - 1]]
        for row, is_special in zip(word_ids, special, strict=True)
    ]  # fmt: skip


class TestSpanMask:
    @pytest.fixture(params=range(4), scope="class")
    def found(self, request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        token_ids, word_ids = rows(request.param)
        return token_ids, word_ids, span_mask(token_ids, word_ids, SPECIAL_IDS, 0.1, seed=request.param)

    def test_spans_are_contiguous_whole_words(self, found: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
        token_ids, word_ids, spans = found
        assert spans.dtype == np.int32
        assert not spans[np.isin(token_ids, SPECIAL_IDS)].any()
        for row, starts in zip(spans, words_of(token_ids, word_ids), strict=True):
            bounds = {*starts, len(row)}
            for number in range(1, row.max() + 1):
                places = np.flatnonzero(row == number)
                assert np.array_equal(places, np.arange(places[0], places[-1] + 1))
                assert places[0] in bounds
                assert places[-1] + 1 in bounds

    def test_hides_the_rate_of_pieces_but_never_more(self, found: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
        token_ids, _, spans = found
        pieces = (~np.isin(token_ids, SPECIAL_IDS)).sum(axis=1)
        missing = np.round(0.1 * pieces) - (spans > 0).sum(axis=1)
        assert missing.min() >= 0
        assert missing.max() < 25  # no word has so many pieces

    def test_lengths_are_geometric_and_starts_are_uniform(self) -> None:
        lengths, places = np.zeros(11), np.zeros(10)
        for seed in range(40):
            token_ids = np.random.default_rng(seed).integers(10, 90, (1, 3000))
            spans = span_mask(token_ids, np.arange(3000)[None], SPECIAL_IDS, 0.05, seed=seed)[0]
            for number in range(1, spans.max()):  # the last one may be cut
                where = np.flatnonzero(spans == number)
                lengths[len(where)] += 1
                places[where[0] // 300] += 1
        assert_plausible(lengths[1:], SHARES)
        assert_plausible(places, np.ones(10))
        assert np.average(np.arange(11), weights=lengths) == pytest.approx(3.797, abs=0.35)

    def test_short_rows_have_a_span_if_they_have_a_word(self) -> None:
        token_ids = np.array([[CLS, 10, SEP, PAD], [CLS, SEP, PAD, PAD], [10, 11, 12, 13]])
        word_ids = np.array([[0, 1, 2, 3], [0, 1, 2, 3], [5, 5, 5, 5]])
        for seed in range(9):
            spans = span_mask(token_ids, word_ids, SPECIAL_IDS, seed=seed)
            assert spans.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]]
        everything = span_mask(*rows(1, 2, 300), SPECIAL_IDS, rate=1.0, seed=1)
        np.testing.assert_array_equal(everything > 0, ~np.isin(rows(1, 2, 300)[0], SPECIAL_IDS))

    def test_the_seed_decides(self) -> None:
        given = (*rows(5, 3, 200), SPECIAL_IDS)
        spans, again, other = (span_mask(*given, seed=seed) for seed in (4, 4, 5))
        np.testing.assert_array_equal(spans, again)
        assert (spans != other).any()
        random = np.random.default_rng(4)
        first, second = (span_mask(*given, seed=random) for _ in range(2))
        np.testing.assert_array_equal(first, spans)
        assert (second != spans).any()

    def test_hides_whole_words_like_a_whole_word_collator(self) -> None:
        """Hugging Face's collator takes words from the tokenizer's offsets. Both hide all pieces of a word, or none."""
        transformers = pytest.importorskip("transformers")
        pytest.importorskip("torch")
        letters = "abcdefgh"
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
        vocabulary = {piece: number for number, piece in enumerate(pieces)}
        tokenizer = transformers.BertTokenizer(vocab=vocabulary)
        random = np.random.default_rng(3)
        texts = [
            " ".join("".join(random.choice(list(letters), random.integers(1, 5))) for _ in range(30)) for _ in range(80)
        ]
        given = [tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True) for text in texts]
        shortest = min(len(text["input_ids"]) for text in given)
        names = ("input_ids", "offset_mapping", "special_tokens_mask")
        given = [{name: text[name][:shortest] for name in names} for text in given]
        token_ids = np.array([text["input_ids"] for text in given])
        with pytest.warns(UserWarning, match="Random token replacement"):
            collator = transformers.DataCollatorForLanguageModeling(tokenizer, whole_word_mask=True, seed=1)
        theirs = collator([dict(text) for text in given])["labels"].numpy() != -100
        word_ids = word_numbers(token_ids, continues_word(vocabulary))
        ours = span_mask(token_ids, word_ids, range(5), seed=2) > 0
        for hidden in (theirs, ours):
            assert 0.1 < hidden.mean() < 0.35
            assert not hidden[:, 0].any()
            for row, words in zip(hidden, word_ids, strict=True):
                assert all(len(set(row[words == word].tolist())) == 1 for word in set(words.tolist()))


class TestHideSpans:
    def test_spans_of_one_word_have_the_shares_of_a_token_collator(self) -> None:
        """Spans of one word get Hugging Face's 80/10/10 for single tokens."""
        transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{number}" for number in range(2000))]
        tokenizer = transformers.BertTokenizer(vocab={piece: number for number, piece in enumerate(pieces)})
        token_ids = np.random.default_rng(4).integers(5, 2005, (200, 100))
        collator = transformers.DataCollatorForLanguageModeling(tokenizer, seed=6)
        batch = collator([torch.tensor(row) for row in token_ids])
        spans = span_mask(token_ids, np.tile(np.arange(100), (200, 1)), range(5), longest=1, seed=5)
        probabilities = np.full(2005, 1 / 2005)
        ours = hide_spans(token_ids, spans, probabilities, 4, np.random.default_rng(5))
        for shown, hidden in ((batch["input_ids"].numpy(), batch["labels"].numpy() != -100), (ours, spans > 0)):
            np.testing.assert_array_equal(shown[~hidden], token_ids[~hidden])
            masked, same = (shown == 4)[hidden].sum(), (shown == token_ids)[hidden].sum()
            assert_plausible([masked, same, hidden.sum() - masked - same], [0.8, 0.1, 0.1])

    def test_each_span_has_one_draw(self) -> None:
        random = np.random.default_rng(7)
        token_ids = random.integers(10, 20, (4000, 6))
        spans = np.tile([1, 1, 0, 2, 2, 2], (4000, 1))
        probabilities = np.zeros(40)
        probabilities[30:34] = [0.1, 0.2, 0.3, 0.4]
        hidden = hide_spans(token_ids, spans, probabilities, MASK, random)
        np.testing.assert_array_equal(hidden[:, 2], token_ids[:, 2])
        fates = [[], []]
        for fate, places in zip(fates, ([0, 1], [3, 4, 5]), strict=True):
            masked = (hidden[:, places] == MASK).sum(axis=1)
            unchanged = (hidden[:, places] == token_ids[:, places]).sum(axis=1)
            drawn = (hidden[:, places] >= 30).sum(axis=1)
            assert set(masked) == set(unchanged) == set(drawn) == {0, len(places)}
            fate += [masked > 0, drawn > 0, unchanged > 0]
            assert_plausible([row.sum() for row in fate], [0.8, 0.1, 0.1])
        assert_plausible(np.bincount(hidden[hidden >= 30] - 30), probabilities[30:34])
        both = sum(np.count_nonzero(first & second) for first, second in zip(*fates, strict=True))
        assert_plausible([both, 4000 - both], [0.66, 0.34])  # the spans of a row are drawn independently


def test_continuation_pieces_belong_to_the_word_before() -> None:
    continues = continues_word({"[PAD]": 0, "zur": 1, "##ich": 2, "lake": 3})
    assert continues.tolist() == [False, False, True, False]
    assert word_numbers(np.array([[1, 2, 2, 3], [2, 3, 0, 0]]), continues).tolist() == [[0, 0, 0, 1], [0, 1, 2, 3]]
