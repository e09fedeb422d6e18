"""Writing with a cache gives the same texts as without it, and computes each word once."""

from __future__ import annotations

from typing import ClassVar

import keras
import numpy as np
import pytest

from course.applications.translation.incremental_decoding import CachedStep
from course.applications.translation.translators import Translator
from course.attention import causal_mask
from course.decoder import CachedAttention, DecoderBlock, beam_search, greedy
from tests.closeness import assert_close
from tests.course.arrays import array

SOURCES = np.array([[3, 4, 5, 6], [7, 8, 0, 0], [9, 3, 5, 0]], "int32")
START, END, LONGEST, WORDS = 1, 2, 9, 13


class Counted(CachedAttention):
    """Records how many words each call gets."""

    given: ClassVar[list[int]] = []

    def call(self, inputs, cache, position):
        Counted.given.append(inputs.shape[1])
        return super().call(inputs, cache, position)


@pytest.fixture(params=["sinusoidal", "none"])
def model(request):
    keras.utils.set_random_seed(3)
    made = Translator(10, WORDS, 2, 2, 12, 20, positions=request.param, max_length=LONGEST + 1)
    made((SOURCES, SOURCES))
    made.set_weights([2 * weight for weight in made.get_weights()])  # varies the next words
    return made


def test_cached_texts_are_the_same_and_each_word_is_computed_once(model, monkeypatch):
    monkeypatch.setattr(Counted, "given", [])
    starts = np.full(len(SOURCES), START)
    step = CachedStep(model, SOURCES, LONGEST + 1, Counted)
    written = greedy(step, starts, END, LONGEST)
    np.testing.assert_array_equal(written, greedy(model.step(SOURCES), starts, END, LONGEST))
    assert Counted.given == [1] * len(model.writers) * written.shape[1]


@pytest.mark.parametrize("beams", [1, 3, 5])
def test_hypotheses_use_the_caches_of_their_prefixes(model, beams):
    for source in SOURCES:
        text = source[None]
        ids, score = beam_search(CachedStep(model, text, LONGEST + 1), START, END, beams, LONGEST)
        expected_ids, expected_score = beam_search(model.step(text), START, END, beams, LONGEST)
        assert ids == expected_ids
        assert score == pytest.approx(expected_score, abs=1e-4)


def test_rows_without_a_cached_prefix_are_computed_whole(model):
    step, without = CachedStep(model, SOURCES[:1], LONGEST + 1), model.step(SOURCES[:1])
    for prefixes in ([[1, 4, 5]], [[1, 4, 5, 6], [1, 4, 5, 7]], [[1, 4, 8, 6]], [[1]], [[1, 3], [1, 4], [1, 5]]):
        asked = np.array(prefixes, "int32")
        assert_close(array(step(asked)), array(without(asked)))


class Renamed(DecoderBlock):
    """A student's block may name its parts differently, and pass what attends to itself as its own context."""

    def build(self, x_shape, context_shape=None):
        super().build(x_shape, context_shape)
        self.looks = [self.self_attention, self.cross_attention]
        self.norms = [self.self_attention_norm, self.cross_attention_norm]
        for name in ("self_attention", "cross_attention", "self_attention_norm", "cross_attention_norm"):
            delattr(self, name)

    def call(self, x, context=None, attention_mask=None, context_mask=None):
        words = self.norms[0](x)
        x = x + self.looks[0](words, words, attention_mask=causal_mask(x.shape[1]))
        x = x + self.looks[1](self.norms[1](x), context, context_mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class OfRenamed(Translator):
    block_class = Renamed


def test_parts_of_a_block_may_have_any_names():
    keras.utils.set_random_seed(3)
    model = OfRenamed(10, WORDS, 2, 2, 12, 20, max_length=LONGEST + 1)
    model((SOURCES, SOURCES))
    step, without = CachedStep(model, SOURCES[:1], LONGEST + 1), model.step(SOURCES[:1])
    for length in range(1, LONGEST):
        asked = np.arange(START, START + length)[None]
        assert_close(step(asked), without(asked))
