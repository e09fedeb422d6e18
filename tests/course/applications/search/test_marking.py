"""The passage of a document that a result shows, with its marked words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.applications.search.marking import passage, words_in
from course.applications.search.words import search_words


def shown(pieces: list[tuple[str, bool]]) -> str:
    return "".join(f"[{piece}]" if is_found else piece for piece, is_found in pieces)


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("Wings, in a slipstream.", "a WINGS", "[Wings], in [a] slipstream."),
        ("The Café's cafe\u0301 is ǆ.", "cafe ǆ", "The [Café]'s [cafe\u0301] is [ǆ]."),
        ("so\u00adft hyphen", "soft", "[so\u00adft] hyphen"),
        ("<b>wing</b>", "b", "<[b]>wing</[b]>"),
        ("风洞", "洞", "风[洞]"),
        ("half \ud800 wing", "wing", "half \ud800 [wing]"),
        ("nothing", "", "nothing"),
        ("", "wing", ""),
    ],
)
def test_query_words_are_marked_in_the_original_text(text: str, query: str, expected: str) -> None:
    assert shown(passage(text, search_words(query))) == expected


def test_passage_has_the_most_different_words() -> None:
    text = "wing " * 30 + "nothing here at all " * 30 + "then a wing in heat, and so on. " + "later on wing " * 40
    found = shown(passage(text, {"wing", "heat"}, width=100))
    assert found.startswith("… ") and found.endswith(" …")
    assert "a [wing] in [heat], and so on." in found
    assert len(found) < 140
    assert shown(passage("lost " * 100, {"wing"}, width=20)) == "lost lost lost lost …"


def test_a_word_longer_than_the_passage_is_cut() -> None:
    assert shown(passage("x" * 500, {"x" * 500}, width=50)) == "x" * 50 + " …"


@given(st.text(max_size=80), st.integers(1, 90))
def test_passage_is_a_substring_of_the_text(text: str, width: int) -> None:
    words = words_in(text)
    assert [word.word for word in words if len(word.word) > 1 or word.word in search_words(text)] == search_words(text)
    pieces = passage(text, search_words(text)[1::2], width)
    if len(text) <= width:
        assert "".join(piece for piece, _ in pieces) == text
    assert "".join(piece for piece, _ in pieces if piece not in ("… ", " …")) in text
