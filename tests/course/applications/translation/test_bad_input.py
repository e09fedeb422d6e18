"""Errors of the decoder and the translators name what was given and what is expected."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from course import decoder
from course.applications.translation import (
    incremental_decoding,
    recorded_results,
    scores,
    tables,
    toy_language,
    training,
    translate,
    translators,
    words,
)
from tests.course.bad_input import Row, parameters, public_names

MODULES = (
    decoder,
    incremental_decoding,
    scores,
    recorded_results,
    tables,
    toy_language,
    training,
    translate,
    translators,
    words,
)
# They take no arguments, are only records, or are abstract.
WITHOUT = {"load_translations", "Sentence", "SequenceToSequence"}


def floats(*shape: int) -> np.ndarray:
    return np.ones(shape, "float32")


def ids(*shape: int, of: int = 7) -> np.ndarray:
    return np.full(shape, of, "int32")


def step(prefixes: np.ndarray) -> np.ndarray:
    return np.zeros((len(prefixes), 5))


def additive(*arrays: Any, **options: Any) -> Any:
    return decoder.AdditiveAttention(4)(*arrays, **options)


def forced(targets: Any, start: int = 1, end: int = 2, padding: int = 0) -> Any:
    return decoder.teacher_forcing(targets, start, end, padding)


def cached(cache: Any, position: Any = 0, new: int = 2) -> Any:
    return decoder.CachedAttention(12, 3)(floats(2, new, 12), cache, position=position)


@cache
def model() -> translators.Translator:
    return translators.Translator(9, 11, 1, 2, 8, 12, max_length=6)


def cached_step(source_ids: np.ndarray, max_length: int = 5, positions: str = "sinusoidal") -> Any:
    translator = model() if positions == "sinusoidal" else translators.Translator(9, 11, 1, 2, 8, 12, positions="rope")
    translator((ids(1, 3), ids(1, 3)))
    return incremental_decoding.CachedStep(translator, source_ids, max_length)


def trained(*arrays: np.ndarray, **options: Any) -> Any:
    return training.train(
        model(), *(arrays or (ids(4, 3), ids(4, 3), ids(4, 3), floats(4, 3))), **{"steps": 20, **options}
    )


BAD: list[Row] = [
    ("AdditiveAttention", lambda: decoder.AdditiveAttention(0), "units=0"),
    ("AdditiveAttention", lambda: additive(floats(2, 3, 4), floats(2, 5)), r"keys.shape=\(2, 5\)"),
    ("AdditiveAttention", lambda: additive(floats(2, 3), floats(2, 0, 4)), r"a key or more.*keys.shape=\(2, 0, 4\)"),
    ("AdditiveAttention", lambda: additive(floats(3, 4), floats(2, 5, 4)), r"query.shape=\(3, 4\)"),
    ("AdditiveAttention", lambda: additive(floats(2, 4), floats(2, 5, 4), floats(2, 6, 4)), r"values.shape=\(2, 6,"),
    ("AdditiveAttention", lambda: additive(floats(2, 4), floats(2, 5, 4), key_mask=ids(2, 5)), "boolean.*int32"),
    ("AdditiveAttention", lambda: additive(floats(2, 4), floats(2, 5, 4), key_mask=ids(2, 4) > 0), r"\(2, 5\).*\(2, 4"),
    ("teacher_forcing", lambda: forced(ids(4)), r"\(batch, length\).*\(4,\)"),
    ("teacher_forcing", lambda: forced(floats(2, 4)), "integers.*float32"),
    ("teacher_forcing", lambda: forced(np.array([[5, 6], [0, 6]])), r"after all words.*\[0, 6\] in row 1"),
    ("teacher_forcing", lambda: forced(ids(2, 4), end=0), "an id each.*end_id=0, padding_id=0"),
    ("DecoderBlock", lambda: decoder.DecoderBlock(12, 5, 20), "num_heads=5"),
    ("DecoderBlock", lambda: decoder.DecoderBlock(12, 3, 20, dropout=1.0), "dropout=1.0"),
    ("DecoderBlock", lambda: decoder.DecoderBlock(12, 3, 20, positions="sine")(floats(2, 3, 12)), "positions='sine'"),
    ("DecoderBlock", lambda: decoder.DecoderBlock(12, 3, 20)(floats(2, 3, 10)), r"shape.*10"),
    ("DecoderBlock", lambda: decoder.DecoderBlock(9, 3, 20, positions="rope")(floats(2, 3, 9)), "even.*head_dim=3"),
    ("greedy", lambda: decoder.greedy(step, [], 2, 4), "rows=0"),
    ("greedy", lambda: decoder.greedy(step, [[1]], 2, 4), r"\(rows\).*\(1, 1\)"),
    ("greedy", lambda: decoder.greedy(step, [1], 2, 0), "max_length=0"),
    ("greedy", lambda: decoder.greedy(step, [1], 5, 4), "from 0 to 4.*end_id=5"),
    ("greedy", lambda: decoder.greedy(step, [1, 7], 2, 4), "from 0 to 4.*greatest of start_ids=.*7"),
    ("greedy", lambda: decoder.greedy(step, [1, -1], 2, 4), "from 0 to 4.*least of start_ids=.*-1"),
    ("greedy", lambda: decoder.greedy(step, [1.5], 2, 4), "integers.*float64"),
    ("greedy", lambda: decoder.greedy(step, [1], -1, 4), "from 0 to 4.*end_id=-1"),
    ("greedy", lambda: decoder.greedy(lambda prefixes: step(prefixes)[0], [1], 2, 4), r"\(1, vocabulary\).*\(5,\)"),
    ("beam_search", lambda: decoder.beam_search(step, 1, 2, 0, 4), "beams=0"),
    ("beam_search", lambda: decoder.beam_search(step, 1, 2, 2.5, 4), "beams=2.5"),
    ("beam_search", lambda: decoder.beam_search(step, 1, 2, 3, 0), "max_length=0"),
    ("beam_search", lambda: decoder.beam_search(step, 1, 5, 3, 4), "from 0 to 4.*end_id=5"),
    ("beam_search", lambda: decoder.beam_search(step, 9, 2, 3, 4), "start_id=9"),
    ("beam_search", lambda: decoder.beam_search(step, 1, -1, 3, 4), "end_id=-1"),
    ("beam_search", lambda: decoder.beam_search(step, 1, 2, 3, 4, length_penalty=-1.0), "length_penalty=-1.0"),
    ("CachedAttention", lambda: cached(floats(2, 3, 5, 4)), r"max_length, head_dim.*\(2, 3, 5, 4\)"),
    ("CachedAttention", lambda: cached(floats(2, 2, 4, 6, 4)), r"\(2, 2, 3, 6, 4\).*\(2, 2, 4, 6, 4\)"),
    ("CachedAttention", lambda: cached(floats(2, 2, 3, 6, 4), position=5), "room for 6 words.*2 more after 5"),
    ("CachedAttention", lambda: cached(floats(2, 2, 3, 6, 4), position=-1), "must not be negative.*-1"),
    ("exact_match", lambda: scores.exact_match([["a"]], []), "Received: 1, wanted 0"),
    ("chrf", lambda: scores.chrf([], []), "Received: 0"),
    ("alignment_score", lambda: scores.alignment_score([floats(1, 3)], [[0, 1]]), "1 rows for 2 words"),
    ("Table", lambda: tables.Table([0.5, 0.5]), r"\(rows, words\).*\(2,\)"),
    ("Table", lambda: tables.Table([[0.5, 0.5]], only_last=True), "1 rows for 2 words"),
    ("Table", lambda: tables.Table([[0.5, 0.5]], until=2)(ids(3, 4) * 0 + 2), "all texts have ended"),
    ("Table", lambda: tables.Table(floats(2, 3, 5))(ids(3, 4)), r"each of 2 texts.*\(3, 4\)"),
    ("sentences", lambda: toy_language.sentences(0, 1), "count=0"),
    ("sentences", lambda: toy_language.sentences(1, -1), "seed=-1"),
    ("sentences", lambda: toy_language.sentences(1, 1, shortest=20), "from 5 to 19 words.*shortest=20"),
    ("sentences", lambda: toy_language.sentences(1, 1, longest=4), "from 5 to 19 words.*longest=4"),
    (
        "sentences",
        lambda: toy_language.sentences(1, 0, max_adjectives=0, shortest=6, longest=7),
        "3 for each phrase.*shortest=6, longest=7",
    ),
    ("sentences", lambda: toy_language.sentences(1, 1, max_adjectives=17), "of 16.*max_adjectives=17"),
    ("train", lambda: trained(steps=5), "at least 20.*5"),
    ("train", lambda: trained(ids(4, 3), ids(4, 3), ids(4, 2), floats(4, 3)), r"all of one length.*\(4, 2\)"),
    ("train", lambda: trained(ids(4, 3, of=0), ids(4, 3), ids(4, 3), floats(4, 3)), "4 texts, 4 of them without"),
    ("translate", lambda: translate.translate(model(), [["hello"]]), "not known: hello"),
    ("translate", lambda: translate.translate(model(), [[]]), "none in text 0"),
    ("translate", lambda: translate.translate(model(), []), "at least one text. Received: none"),
    ("train", lambda: trained(ids(0, 3), ids(0, 3), ids(0, 3), floats(0, 3)), "0 texts"),
    ("train", lambda: trained(ids(4, 3, of=9), ids(4, 3), ids(4, 3), floats(4, 3)), "from 0 to 8.*9 to 9"),
    ("train", lambda: trained(ids(4, 3), ids(3, 3), ids(3, 3), floats(3, 3)), r"all of one length.*\(3, 3\)"),
    ("RecurrentTranslator", lambda: translators.RecurrentTranslator(9, 0), "target_words=0"),
    (
        "RecurrentTranslator",
        lambda: translators.RecurrentTranslator(9, 9, 4, attends=False).weights_of(ids(2, 3), ids(2, 3)),
        "attends=True",
    ),
    ("Translator", lambda: translators.Translator(9, 9, positions="learned"), "positions='learned'"),
    ("Translator", lambda: translators.Translator(9, 9, 1, 3, 9, 8), "even.*hidden_dim=9"),
    ("Translator", lambda: translators.Translator(9, 9, 1, 5, 12, 8), "num_heads=5"),
    ("Translator", lambda: model().step(np.zeros((0, 3), "int32")), "0 texts"),
    ("Translator", lambda: model().step(np.array([[3, 4], [0, 0]])), "2 texts, 1 of them without"),
    ("Translator", lambda: model()((ids(1, 7), ids(1, 3))), "6 words.*Received: 7"),
    ("Translator", lambda: model().step(ids(1, 3, of=9)), "source_ids must be from 0 to 8.*9 to 9"),
    ("Translator", lambda: model().weights_of(ids(1, 3, of=-1), ids(1, 3)), "from 0 to 8.*-1 to -1"),
    ("CachedStep", lambda: cached_step(ids(0, 3)), "0 texts"),
    ("CachedStep", lambda: cached_step(ids(1, 3, of=0)), "1 texts, 1 of them without"),
    ("CachedStep", lambda: cached_step(ids(1, 3), max_length=0), "max_length=0"),
    ("CachedStep", lambda: cached_step(ids(1, 3), positions="rope"), "'sinusoidal' or 'none'.*positions='rope'"),
    ("CachedStep", lambda: cached_step(ids(1, 3))(ids(1, 6)), "room for 5 words; make a longer one.*6 more after 0"),
    ("CachedStep", lambda: cached_step(ids(1, 3), max_length=9)(ids(1, 7)), "6 words.*Received: 7"),
    ("Words", lambda: words.Words(["a", "a"]), "1 of them twice"),
    ("Words", lambda: words.Words(["a"]).ids([["a", "a"]], length=1), "1 words. Received: 2"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), parameters(BAD))
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"(?s){message}"):
        call()


def test_every_public_name_has_a_row():
    assert public_names(MODULES) - WITHOUT == {name for name, *_ in BAD}
