"""Sentences end where speakers of the language see their end; in hard cases, a text is left whole."""

from __future__ import annotations

import pytest

from course.data.text.sentences import split_sentences

TEXTS = {
    "en": ["Mr. Smith of the U.S. Army paid $3.50.", "Why?", '"Nobody knows," he said.'],
    "en-lower": [
        "shares fell 0.5 percent on monday.",
        "mr. smith did not say why.",
        "they rose again, e.g. in london!",
    ],
    "de": ["Am 3. Oktober 1990 war z. B. in Berlin viel los.", "Dr. Müller kam bzw. ging.", "Und dann?"],
    "ru": ["Он родился в 1990 г. в Москве.", "Проф. Иванов молчал!", "Что дальше?"],
    "zh": ["今天天气很好。", "我们去公园吧！", "你来吗？"],
    "ja": ["彼は来た。", "しかし、彼女は？"],
    "hi": ["यह एक वाक्य है।", "यह दूसरा है।"],
    "ar": ["مرحبا.", "كيف حالك؟", "بخير."],
    "fr": ["Mme Dupont est venue à 10 h.", "Pourquoi ?", "On ne sait pas."],
}


@pytest.mark.parametrize("language", TEXTS)
def test_splits_many_languages(language: str) -> None:
    space = "" if language in ("zh", "ja") else "  "
    text = space.join(TEXTS[language])
    assert split_sentences(f"\n{text} ", language.removesuffix("-lower")) == TEXTS[language]


@pytest.mark.parametrize("language", ["zh", "hi", "ar", "ja"])
def test_full_stops_of_all_scripts_are_known_in_every_language(language: str) -> None:
    assert split_sentences(" ".join(TEXTS[language]), "en") == TEXTS[language]


def test_an_unknown_language_is_read_as_english() -> None:
    assert split_sentences("Mr. Smith left. Why?", "tlh") == ["Mr. Smith left.", "Why?"]


def test_an_empty_text_has_no_sentence() -> None:
    assert split_sentences(" \n") == []


def test_only_spaces_are_lost() -> None:
    text = "".join(" ".join(sentences) for sentences in TEXTS.values()) + "\n\n1. First\n2. Second... (a) x [b] y"
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())
