"""The toy language keeps its rules, and its words survive the way to ids and back."""

from __future__ import annotations

import doctest

import pytest

from course.applications.translation import toy_language
from course.applications.translation.toy_language import (
    ADJECTIVES,
    ARTICLES,
    NOUNS,
    PREPOSITIONS,
    SOURCE_WORDS,
    TARGET_WORDS,
    VERBS,
    sentences,
)
from course.applications.translation.words import END_ID, PADDING_ID, START_ID, Words

DRAWN = sentences(300, seed=4)
STEMS = {**NOUNS, **VERBS, **PREPOSITIONS, **ARTICLES, **ADJECTIVES}


def test_each_target_word_translates_its_aligned_source_word():
    for sentence in DRAWN:
        assert sorted(sentence.alignment) == list(range(len(sentence.source)))
        for word, place in zip(sentence.target, sentence.alignment, strict=True):
            english = sentence.source[place]
            ending = word.removeprefix(STEMS[english])
            assert ending in ("o", "a") if english in {**ARTICLES, **ADJECTIVES} else not ending


def test_the_docstring_shows_the_sentence_of_its_seed():
    (example,) = doctest.DocTestFinder(recurse=False).find(toy_language.sentences, "sentences")
    example.globs = {"sentences": sentences}
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False).run(example).failed == 0


def test_the_verb_comes_last_adjectives_in_reverse_and_all_agree_with_the_noun():
    for sentence in DRAWN:
        assert sentence.target[-1] in VERBS.values()
        gender = None
        for word, place, after in zip(sentence.target, sentence.alignment, sentence.alignment[1:], strict=False):
            english = sentence.source[place]
            if english in NOUNS:
                gender = word[-1]
            elif english in ADJECTIVES:
                assert word[-1] == gender
                assert sentence.source[after] not in ADJECTIVES or after == place - 1
            elif english in ARTICLES:
                noun = next(later for later in sentence.source[place:] if later in NOUNS)
                assert word[-1] == NOUNS[noun][-1]


def test_same_seed_draws_the_same_sentences_within_the_lengths():
    assert sentences(300, seed=4) == DRAWN != sentences(300, seed=5)
    lengths = {len(sentence.source) for sentence in sentences(500, seed=1, shortest=7, longest=9)}
    assert lengths == {7, 8, 9}
    assert max(len(sentence.source) for sentence in sentences(4000, seed=2)) == 19
    assert {len(sentence.source) for sentence in sentences(50, seed=2, max_adjectives=0, max_phrases=0)} == {5}


def test_words_of_each_language_are_distinct():
    assert len(set(SOURCE_WORDS)) == len(SOURCE_WORDS)
    assert len(set(TARGET_WORDS)) == len(TARGET_WORDS)


def test_words_become_ids_and_words_again():
    words = Words(["a", "dog", "sees"])
    ids = words.ids([["a", "dog"], ["sees"]], length=3)
    assert ids.tolist() == [[3, 4, PADDING_ID], [5, PADDING_ID, PADDING_ID]]
    assert words.texts(ids) == [["a", "dog"], ["sees"]]
    assert words.texts([[3, END_ID, 4], [START_ID, 5]]) == [["a"], ["[START]", "sees"]]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([["a", "cat"]], "not known: cat. Known words: a, dog, sees"),
        ([[]], "none in text 0"),
        ([], "none"),
        ([["a"] * 4], "4 in text 0"),
    ],
)
def test_texts_without_ids_are_named(texts, message):
    with pytest.raises(ValueError, match=message):
        Words(["a", "dog", "sees"]).ids(texts, length=3)
