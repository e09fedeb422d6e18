"""Six kinds of noise. The expected changes are worked out by hand: nothing here repeats the code."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from course.objectives import corrupt
from tests.course.objectives.chance import assert_plausible

CLS, SEP, MASK = 1, 2, 3
SPECIAL_IDS = (0, CLS, SEP, MASK)
KINDS = ("mask", "substitute", "delete", "insert", "reorder", "infill")
PROBABILITIES = np.zeros(400)
PROBABILITIES[300:304] = [0.4, 0.3, 0.2, 0.1]
TEXT = [CLS, *range(10, 40), SEP, *range(40, 71), SEP]  # 61 words, each once


def noisy(kind: str, rate: float, seed: int, text: list[int] = TEXT, probabilities: Any = PROBABILITIES) -> list[int]:
    options = {"probabilities": probabilities, "mask_id": MASK, "special_ids": SPECIAL_IDS}
    return corrupt(text, kind, rate, np.random.default_rng(seed), **options)


def stretches(text: list[int]) -> list[list[int]]:
    """Return the words between [CLS], [SEP] and [SEP]."""
    assert text[0] == CLS
    assert text[-1] == SEP
    assert text.count(SEP) == 2
    middle = text.index(SEP)
    return [text[1:middle], text[middle + 1 : -1]]


@pytest.mark.parametrize("kind", KINDS)
class TestAllKinds:
    def test_rate_0_adds_no_noise_and_the_input_is_unchanged(self, kind: str) -> None:
        text = list(TEXT)
        assert noisy(kind, 0.0, 1, text) == text
        noisy(kind, 1.0, 1, text)
        assert text == TEXT

    def test_special_tokens_stay_and_no_word_crosses_them(self, kind: str) -> None:
        for seed in range(30):
            first, second = stretches(noisy(kind, 0.7, seed))
            assert {word for word in first if word < 100} <= {*range(10, 40), MASK}
            assert {word for word in second if word < 100} <= {*range(40, 71), MASK}

    def test_texts_may_lack_words_or_special_tokens(self, kind: str) -> None:
        assert noisy(kind, 0.9, 1, [CLS, SEP]) == [CLS, SEP]
        assert noisy(kind, 0.9, 1, []) == []
        assert noisy(kind, 1.0, 1, list(range(10, 40))) != list(range(10, 40))

    def test_the_seed_decides(self, kind: str) -> None:
        assert noisy(kind, 0.5, 4) == noisy(kind, 0.5, 4) != noisy(kind, 0.5, 5)


class TestEachKind:
    def test_mask_hides_the_rate_of_words_evenly(self) -> None:
        counts = np.zeros(len(TEXT))
        for seed in range(600):
            given = np.array(noisy("mask", 0.2, seed))
            assert len(given) == len(TEXT)
            changed = given != TEXT
            assert changed.sum() == 12  # 0.2 · 61, rounded
            assert (given[changed] == MASK).all()
            counts += changed
        assert_plausible(counts[np.array(TEXT) > 9], np.ones(61))

    def test_substitute_draws_words_by_their_probabilities(self) -> None:
        drawn: Counter[int] = Counter()
        for seed in range(200):
            given = np.array(noisy("substitute", 0.5, seed))
            changed = given != TEXT
            assert changed.sum() == 30  # 30.5, rounded to even
            drawn.update(given[changed].tolist())
        assert_plausible([drawn[word] for word in range(300, 304)], [0.4, 0.3, 0.2, 0.1])
        assert drawn.total() == 6000

    def test_substitute_never_gives_the_word_itself(self) -> None:
        given = Counter(noisy("substitute", 1.0, 6, [300] * 3000))
        assert set(given) == {301, 302, 303}
        assert_plausible([given[word] for word in (301, 302, 303)], [3, 2, 1])

    def test_delete_keeps_the_order_of_the_rest(self) -> None:
        for seed in range(50):
            given = noisy("delete", 0.3, seed)
            assert len(given) == len(TEXT) - 18
            assert given == [word for word in TEXT if word in set(given)]
        assert noisy("delete", 1.0, 1) == [CLS, SEP, SEP]

    def test_insert_draws_words_and_places(self) -> None:
        drawn: Counter[int] = Counter()
        before: Counter[int] = Counter()
        for seed in range(300):
            given = noisy("insert", 0.3, seed)
            assert [word for word in given if word < 300] == TEXT
            new = [word for word in given if word >= 300]
            assert len(new) == 18
            drawn.update(new)
            before.update(given[place + 1] for place, word in enumerate(given[:-1]) if word >= 300)
        assert_plausible([drawn[word] for word in range(300, 304)], [0.4, 0.3, 0.2, 0.1])
        # A gap inside a stretch has words on both sides; a gap at its end has a word on one side.
        inside = [before[word] for word in (*range(11, 40), *range(41, 71))]
        assert min(inside) > 20
        assert 10 < before[10] < np.mean(inside)

    def test_reorder_shuffles_windows_of_three_words(self) -> None:
        orders: Counter[tuple[int, ...]] = Counter()
        for seed in range(400):
            for given, (first, last) in zip(stretches(noisy("reorder", 1.0, seed)), ((10, 40), (40, 71)), strict=True):
                for start in range(first, last, 3):
                    window = given[start - first : start - first + 3]
                    assert sorted(window) == list(range(start, min(start + 3, last)))
                    if len(window) == 3:
                        orders[tuple(word - start for word in window)] += 1
        assert len(orders) == 6
        assert_plausible(list(orders.values()), np.ones(6))

    def test_reorder_changes_the_rate_of_windows(self) -> None:
        moved = np.zeros(20)
        for seed in range(300):
            first, second = stretches(noisy("reorder", 0.2, seed))
            both = zip((*first[:30], *second[:30]), (*range(10, 40), *range(40, 70)), strict=True)
            windows = {place // 3 for place, (given, original) in enumerate(both) if given != original}
            assert len(windows) <= 4  # 0.2 · 21 windows, rounded
            moved[list(windows)] += 1
        assert_plausible(moved, np.ones(20))

    def test_infill_hides_spans_of_poisson_lengths(self) -> None:
        gaps: Counter[int] = Counter()
        for seed in range(300):
            text = [CLS, *range(10, 290), SEP]
            given = noisy("infill", 0.1, seed, text)
            kept = [word for word in given if word != MASK]
            assert kept == [word for word in text if word in set(kept)]
            assert len(kept) == len(text) - 28
            for place, word in enumerate(given):
                if word == MASK and MASK not in (given[place - 1], given[place + 1]):
                    before, after = given[place - 1], given[place + 1]
                    gaps[(290 if after == SEP else after) - (9 if before == CLS else before) - 1] += 1
        # Poisson(3), except for spans that touch each other, and for the last span of a text, which is cut.
        total = gaps.total()
        for length, share in enumerate([0.050, 0.149, 0.224, 0.224, 0.168, 0.101, 0.050]):
            assert gaps[length] / total == pytest.approx(share, abs=0.035)
        assert noisy("infill", 1.0, 3).count(MASK) < 45
        assert {word for word in noisy("infill", 1.0, 3) if word > 3} == set()
