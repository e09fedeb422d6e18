"""Writing with a cache gives what writing without it gives, and computes each word once."""

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
    """Knows how many words it was given in each call."""

    given: ClassVar[list[int]] = []

    def call(self, inputs, cache, position):
        Counted.given.append(inputs.shape[1])
        return super().call(inputs, cache, position)


@pytest.fixture(params=["sinusoidal", "none"])
def model(request):
    keras.utils.set_random_seed(3)
    made = Translator(10, WORDS, 2, 2, 12, 20, positions=request.param, max_length=LONGEST + 1)
    made((SOURCES, SOURCES))
    made.set_weights([2 * weight for weight in made.get_weights()])  # so that the next word is not always the same
    return made


def test_several_texts_are_written_as_without_it_and_each_word_is_computed_once(model, monkeypatch):
    monkeypatch.setattr(Counted, "given", [])
    starts = np.full(len(SOURCES), START)
    step = CachedStep(model, SOURCES, LONGEST + 1, Counted)
    written = greedy(step, starts, END, LONGEST)
    np.testing.assert_array_equal(written, greedy(model.step(SOURCES), starts, END, LONGEST))
    assert Counted.given == [1] * len(model.writers) * written.shape[1]


@pytest.mark.parametrize("beams", [1, 3, 5])
def test_hypotheses_take_the_cache_of_those_that_they_extend(model, beams):
    for source in SOURCES:
        one = source[None]
        ids, score = beam_search(CachedStep(model, one, LONGEST + 1), START, END, beams, LONGEST)
        expected, wanted = beam_search(model.step(one), START, END, beams, LONGEST)
        assert ids == expected
        assert score == pytest.approx(wanted, abs=1e-4)


def test_what_extends_nothing_is_computed_as_a_whole(model):
    step, without = CachedStep(model, SOURCES[:1], LONGEST + 1), model.step(SOURCES[:1])
    for prefixes in ([[1, 4, 5]], [[1, 4, 5, 6], [1, 4, 5, 7]], [[1, 4, 8, 6]], [[1]], [[1, 3], [1, 4], [1, 5]]):
        asked = np.array(prefixes, "int32")
        assert_close(array(step(asked)), array(without(asked)))


class Renamed(DecoderBlock):
    """What a student may make: the parts have other names."""

    def build(self, x_shape, context_shape=None):
        super().build(x_shape, context_shape)
        self.looks = [self.self_attention, self.cross_attention]
        self.norms = [self.self_attention_norm, self.cross_attention_norm]
        for name in ("self_attention", "cross_attention", "self_attention_norm", "cross_attention_norm"):
            delattr(self, name)

    def call(self, x, context=None, attention_mask=None, context_mask=None):
        x = x + self.looks[0](self.norms[0](x), attention_mask=causal_mask(x.shape[1]))
        x = x + self.looks[1](self.norms[1](x), context, context_mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class OfRenamed(Translator):
    block_class = Renamed


def test_a_block_may_call_its_parts_what_it_likes():
    keras.utils.set_random_seed(3)
    model = OfRenamed(10, WORDS, 2, 2, 12, 20, max_length=LONGEST + 1)
    model((SOURCES, SOURCES))
    ids, _ = beam_search(CachedStep(model, SOURCES[:1], LONGEST + 1), START, END, 3, LONGEST)
    assert ids == beam_search(model.step(SOURCES[:1]), START, END, 3, LONGEST)[0]
