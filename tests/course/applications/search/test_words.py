"""Words of queries and documents: stems, stop words, and an index that remembers its language."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from course.applications.search.bm25 import Bm25
from course.applications.search.document import Document
from course.applications.search.index import Index
from course.applications.search.indexing import make_index
from course.applications.search.marking import passage
from course.applications.search.texts import Texts
from course.applications.search.words import STEMMERS, STOP_WORDS, query_words, search_words, stems

TEXTS = ("The wings lift slowly.", "Heat flows.", "To be or not to be.")


def texts_of(texts: tuple[str, ...] = TEXTS) -> Texts:
    documents = [Document(str(number), "", text) for number, text in enumerate(texts)]
    return Texts("made up", sum(map(len, texts)), lambda: iter(documents))


@pytest.fixture
def found(tmp_path: Path) -> Callable[..., list[int]]:
    def search(query: str, language: str | None = "en", texts: tuple[str, ...] = TEXTS) -> list[int]:
        make_index(texts_of(texts), tmp_path / "index", language=language)
        return Bm25(Index(tmp_path / "index")).rank(query, 10).documents.tolist()  # opened again: it is remembered

    return search


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The wings, lifting.", None, ["the", "wings", "lifting"]),
        ("The wings, lifting.", "en", ["the", "wing", "lift"]),
        ("Die Häuser", "de", ["die", "haus"]),
        ("翼 wings", "zh", ["翼", "wings"]),
    ],
)
def test_endings_are_removed_by_language(text: str, language: str | None, expected: list[str]) -> None:
    assert search_words(text, language) == expected


@pytest.mark.parametrize("language", STEMMERS)
def test_every_stemmer_exists_and_keeps_some_of_each_word(language: str) -> None:
    assert all(stems(["a", "wings", "été", "дома", "7"], language))


def test_stop_words_of_a_query_do_not_count_unless_there_is_nothing_else() -> None:
    assert query_words("What is the lift of wings?", "en") == ["lift", "wings"]
    assert query_words("to be or not to be", "en") == ["to", "be", "or", "not", "to", "be"]
    assert query_words("the wings", None) == query_words("the wings", "de") == ["the", "wings"]
    assert all(word == word.lower() and search_words(word) == [word] for word in STOP_WORDS)


def test_an_index_finds_other_endings_in_its_language(found: Callable[..., list[int]]) -> None:
    assert found("a lifting wing") == [0]
    assert found("wing", None) == []
    assert found("the heat") == [1]
    assert found("the heat", None) == [1, 0]
    assert found("to be or not to be") == [2]


def test_an_index_of_another_language_is_made_again(tmp_path: Path) -> None:
    names = []
    for language in (None, "en", "de", "zh"):
        done = make_index(texts_of(), tmp_path / "index", language=language)
        names.append(done.index.parts[0].name)
        assert done.index.language == (None if language == "zh" else language)
    assert len(set(names[:3])) == 3
    assert names[3] == names[0]  # without a stemmer, it is the index of words as they stand


def test_found_words_are_marked_whatever_their_endings() -> None:
    pieces = passage("The wing lifts.", ["wings", "lifting"], language="en")
    assert pieces == [("The ", False), ("wing", True), (" ", False), ("lifts", True), (".", False)]


def test_several_threads_get_the_same_stems() -> None:
    words = [f"{start}{middle}ings" for start in "bcdfgl" for middle in ("end", "ift", "eat", "urn", "ock")] * 20
    with ThreadPoolExecutor(4) as threads:
        assert [stem for (stem,) in threads.map(lambda word: stems([word], "en"), words)] == [
            stem for word in words for stem in stems([word], "en")
        ]
