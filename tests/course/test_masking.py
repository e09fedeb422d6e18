"""Masking is judged by statistical tests, each with a false alarm for fewer than one seed in a million."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
from keras import ops, random
from scipy import stats

from course.masked_lm import mask_tokens, masked_positions, unigram_probabilities
from tests.course.masked_texts import (
    CLS,
    FISH,
    LENGTH,
    MASK,
    PAD,
    ROWS,
    SEP,
    SPECIAL_IDS,
    VOCABULARY_SIZE,
    corrupt,
    is_word,
    texts,
    zipf,
)

FALSE_ALARM = 1e-6


def assert_plausible(observed: np.ndarray, expected: np.ndarray) -> None:
    """A chi-square test; cells that expect fewer than 10 are pooled."""
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    assert stats.chisquare(observed, expected, sum_check=False).pvalue > FALSE_ALARM


@pytest.fixture(params=["generator 1", "generator 2", "generator 3", "integer", "global"])
def seed(request: pytest.FixtureRequest) -> Any:
    """Every kind of seed, and several generators, the kind that is used most."""
    kind, _, number = request.param.partition(" ")
    keras.utils.set_random_seed(29)
    return {"generator": random.SeedGenerator(int(number or 0)), "integer": 17, "global": None}[kind]


class TestUnigramProbabilities:
    def test_counts_words_only(self) -> None:
        token_ids = np.array([[CLS, 7, 5, 7, SEP], [CLS, 7, 9, SEP, PAD]])
        probabilities = unigram_probabilities(token_ids, 11, SPECIAL_IDS)
        np.testing.assert_allclose(probabilities, [0, 0, 0, 0, 0, 0.2, 0, 0.6, 0, 0.2, 0])

    def test_sums_to_one_and_agrees_with_a_plain_count(self) -> None:
        token_ids = texts(seed=1)
        words = [word for word in token_ids.ravel().tolist() if word not in SPECIAL_IDS]
        probabilities = unigram_probabilities(token_ids, VOCABULARY_SIZE, SPECIAL_IDS)
        assert probabilities.shape == (VOCABULARY_SIZE,)
        assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
        np.testing.assert_allclose(probabilities, [words.count(word) / len(words) for word in range(VOCABULARY_SIZE)])

    @pytest.mark.parametrize(
        ("token_ids", "message"),
        [
            ([[5, 11]], "0 to 10, for vocabulary_size=11. Received: 5 to 11"),
            ([[-1, 5]], "Received: -1 to 5"),
            ([[CLS, SEP]], "must hold words"),
            ([[0.5]], "must be integers. Received: token_ids.dtype=float64"),
        ],
    )
    def test_refuses_bad_input(self, token_ids: list[list[float]], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            unigram_probabilities(np.array(token_ids), 11, SPECIAL_IDS)


class TestMaskTokens:
    def test_selects_the_share_of_each_row(self, seed: Any) -> None:
        token_ids = texts(seed=2)
        _, selected = corrupt(token_ids, seed)
        words = is_word(token_ids).sum(axis=1)
        assert len(set(words)) > 20
        assert np.abs(selected.sum(axis=1) - np.maximum(0.15 * words, 1)).max() <= 0.5 + 1e-6

    def test_never_selects_special_tokens(self, seed: Any) -> None:
        token_ids = texts(seed=3)
        masked_ids, selected = corrupt(token_ids, seed, rate=1.0)
        np.testing.assert_array_equal(selected, is_word(token_ids))
        np.testing.assert_array_equal(masked_ids[~selected], token_ids[~selected])

    def test_leaves_unselected_tokens_unchanged(self, seed: Any) -> None:
        token_ids = texts(seed=4)
        masked_ids, selected = corrupt(token_ids, seed)
        np.testing.assert_array_equal(masked_ids[~selected], token_ids[~selected])

    def test_masks_80_replaces_10_keeps_10(self, seed: Any) -> None:
        token_ids = texts(seed=5)
        masked_ids, selected = corrupt(token_ids, seed)
        before, after = token_ids[selected], masked_ids[selected]
        # A random word is the same word again as often as that word occurs: it then looks like a kept one.
        again = 0.1 * zipf()[before].sum()
        count = len(before)
        observed = np.array([(after == MASK).sum(), (after == before).sum(), count])
        observed[2] -= observed[:2].sum()
        assert_plausible(observed, np.array([0.8 * count, 0.1 * count + again, 0.1 * count - again]))

    def test_draws_random_words_by_unigram_probability(self, seed: Any) -> None:
        token_ids = texts(seed=6)
        masked_ids, selected = corrupt(token_ids, seed, rate=0.9)
        replaced = selected & (masked_ids != MASK) & (masked_ids != token_ids)
        before, after = token_ids[replaced], masked_ids[replaced]
        # Given that it is another word than before, each word's probability is that much higher.
        other = np.tile(zipf(), (len(before), 1))
        other[np.arange(len(before)), before] = 0.0
        expected = (other / other.sum(axis=1, keepdims=True)).sum(axis=0)
        observed = np.bincount(after, minlength=VOCABULARY_SIZE)
        never = zipf() == 0
        assert not observed[never].any()
        assert_plausible(observed[~never], expected[~never])

    @pytest.mark.parametrize(("number", "word"), [(0.0, MASK + 1), (1 - 2**-24, VOCABULARY_SIZE - 4)])
    def test_the_smallest_and_the_largest_number_draw_words_that_occur(
        self, monkeypatch: pytest.MonkeyPatch, number: float, word: int
    ) -> None:
        """Once in some million draws a generator gives exactly 0, which must not stand for a special token."""

        def uniform(shape: tuple[int, int], **_: Any) -> Any:
            rows, columns = shape  # of equal parts, since all words are selected
            return ops.convert_to_tensor(np.repeat(np.full((rows, 3), (0.5, 0.85, number), "float32"), columns // 3, 1))

        monkeypatch.setattr(random, "uniform", uniform)
        masked_ids, selected = corrupt(texts(seed=11, rows=4), seed=None, rate=1.0)
        assert set(masked_ids[selected]) == {word}

    def test_selects_all_positions_equally_often(self, seed: Any) -> None:
        token_ids = np.full((ROWS, LENGTH), 7)
        _, selected = corrupt(token_ids, seed)
        # The places of a row exclude each other, so the counts vary less than the test allows.
        assert_plausible(selected.sum(axis=0), np.full(LENGTH, selected.sum() / LENGTH))

    def test_replacement_does_not_depend_on_the_position(self, seed: Any) -> None:
        token_ids = np.full((ROWS, LENGTH), 60)  # a word that is never drawn
        masked_ids, selected = corrupt(token_ids, seed)
        kinds = [masked_ids == MASK, selected & (masked_ids == 60), ~np.isin(masked_ids, (MASK, 60))]
        table = [[(kind & selected)[:, place::6].sum() for place in range(6)] for kind in kinds]
        assert stats.chi2_contingency(table).pvalue > FALSE_ALARM

    def test_replacements_of_neighbours_are_independent(self, seed: Any) -> None:
        token_ids = np.full((ROWS, LENGTH), 60)
        masked_ids, _ = corrupt(token_ids, seed, rate=1.0)
        kind = np.where(masked_ids == MASK, 0, np.where(masked_ids == 60, 1, 2))
        pairs = [[((kind[:, :-1] == i) & (kind[:, 1:] == j)).sum() for j in range(3)] for i in range(3)]
        assert stats.chi2_contingency(pairs).pvalue > FALSE_ALARM

    def test_generators_give_new_masks_and_integers_repeat(self) -> None:
        token_ids = texts(seed=7)
        generator = random.SeedGenerator(5)
        first, second, again = (
            corrupt(token_ids, generator),
            corrupt(token_ids, generator),
            corrupt(token_ids, 5),
        )
        assert (first[1] != second[1]).any()
        for left, right in zip(again, corrupt(token_ids, 5), strict=True):
            np.testing.assert_array_equal(left, right)
        for left, right in zip(first, corrupt(token_ids, random.SeedGenerator(5)), strict=True):
            np.testing.assert_array_equal(left, right)
        assert (again[1] != corrupt(token_ids, 6)[1]).any()
        assert (corrupt(token_ids, None)[1] != corrupt(token_ids, None)[1]).any()

    def test_selects_at_least_one_word_but_none_in_an_empty_row(self, seed: Any) -> None:
        token_ids = np.array([[CLS, 9, SEP, PAD, PAD], [CLS, SEP, PAD, PAD, PAD]])
        _, selected = corrupt(token_ids, seed)
        np.testing.assert_array_equal(selected, [[False, True, False, False, False], [False] * 5])

    def test_so_long_and_thanks_for_all_the_fish(self) -> None:
        """The textbook's corruption is one of those that occur, as often as 80/10/10 says."""
        words = ["[MASK]", "apricot", *FISH]
        text = np.array([[words.index(word) for word in FISH]])
        figure = ["so", "[MASK]", "and", "[MASK]", "for", "all", "apricot", "fish"]
        only_apricot = np.eye(len(words))[words.index("apricot")]
        rows = 40_000
        copies = np.repeat(text, rows, axis=0)
        masked_ids, selected = mask_tokens(copies, only_apricot, 0, [0], rate=3 / 8, seed=11)
        assert (ops.convert_to_numpy(selected).sum(axis=1) == 3).all()
        as_in_figure = ops.convert_to_numpy(masked_ids) == [words.index(word) for word in figure]
        # Three of eight places are these in 1 of 56 cases; then two of them are masked and one is replaced.
        probability = 0.8 * 0.8 * 0.1 / 56
        assert stats.binomtest(int(as_in_figure.all(axis=1).sum()), rows, probability).pvalue > FALSE_ALARM

    def test_compiled_calls_differ(self) -> None:
        class Masking(keras.Model):
            def __init__(self) -> None:
                super().__init__()
                self.seed = random.SeedGenerator(3)

            def call(self, token_ids: Any) -> Any:
                masked_ids, selected = mask_tokens(token_ids, zipf(), MASK, SPECIAL_IDS, seed=self.seed)
                return masked_ids, selected, *masked_positions(selected)

        model = Masking()
        model.compile(jit_compile=keras.backend.backend() != "torch")
        token_ids = texts(seed=8, rows=36)
        first, second = (model.predict(token_ids, batch_size=12, verbose=0) for _ in range(2))
        assert (first[1] != second[1]).any()
        assert (first[1][:12] != first[1][12:24]).any()
        words = is_word(token_ids).sum(axis=1)
        for masked_ids, selected, positions, weights in (first, second):
            np.testing.assert_array_equal(masked_ids[~selected], token_ids[~selected])
            assert np.abs(selected.sum(axis=1) - np.maximum(0.15 * words, 1)).max() <= 0.5 + 1e-6
            assert positions.shape == weights.shape == (36, round(0.15 * LENGTH))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                {"token_ids": np.array([5, 6, 7])},
                r"must be \(batch, length\). Received: token_ids.shape=\(3,\)",
            ),
            ({"unigram_probabilities": np.ones((2, 9))}, r"Received: unigram_probabilities.shape=\(2, 9\)"),
            ({"rate": 15}, "at most 1; BERT's is 0.15. Received: rate=15"),
            ({"rate": 0.0}, "above 0"),
        ],
    )
    def test_refuses_bad_input(self, change: dict[str, Any], message: str) -> None:
        arguments = {
            "token_ids": texts(seed=9, rows=3),
            "unigram_probabilities": zipf(),
            "mask_id": MASK,
            "special_ids": SPECIAL_IDS,
        }
        with pytest.raises(ValueError, match=message):
            mask_tokens(**{**arguments, **change})


class TestMaskedPositions:
    def test_finds_the_selected_words(self) -> None:
        selected = np.zeros((3, 20), dtype=bool)
        selected[0, [19, 2, 11]] = True
        selected[1, [4]] = True
        positions, weights = masked_positions(selected)
        np.testing.assert_array_equal(ops.convert_to_numpy(positions), [[2, 11, 19], [4, 0, 1], [0, 1, 2]])
        np.testing.assert_array_equal(ops.convert_to_numpy(weights), [[1, 1, 1], [1, 0, 0], [0, 0, 0]])

    @pytest.mark.parametrize("length", [3, 190, 512])
    def test_loses_no_selected_word(self, length: int) -> None:
        _, selected = corrupt(np.full((2, length), 7), seed=1)
        positions, weights = (ops.convert_to_numpy(output) for output in masked_positions(selected))
        assert weights.all()
        for row, where in zip(selected, positions, strict=True):
            np.testing.assert_array_equal(where, np.flatnonzero(row))
