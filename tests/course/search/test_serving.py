"""The page that searches, as it answers without a browser."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import numpy as np

from course.search.bm25 import Bm25
from course.search.part_file import open_part
from course.search.ranking import Ranking
from course.search.serving import SearchPage
from tests.course.search.made_texts import index_of


def test_a_page_outlives_the_files_of_its_index(tmp_path: Path) -> None:
    index = index_of(["a wing", "heat"], tmp_path / "index")
    open_part.cache_clear()
    page = SearchPage(index, {"BM25": Bm25(index)})
    for path in index.paths:
        path.unlink()
    assert "<mark>wing</mark>" in page.html("wing")


class Fixed:
    """Finds the same document, whatever is asked."""

    def __init__(self, document: int) -> None:
        self.document = document

    def rank(self, query: str, top: int) -> Ranking:
        return Ranking(np.array([self.document]), np.array([0.5]))


def test_a_page_has_a_choice_of_rankers(tmp_path: Path) -> None:
    index = index_of(["a wing", "heat"], tmp_path / "index")
    page = SearchPage(index, {"first & best": Fixed(0), "second": Fixed(1)})
    for address, name, found in (
        ("/?q=zzz", "first &amp; best", "a wing"),
        ("/?q=zzz&ranker=second", "second", "heat"),
        ("/?q=zzz&ranker=first+%26+best", "first &amp; best", "a wing"),
    ):
        status, said = page.answer(address)
        assert status == HTTPStatus.OK
        assert f"<option selected>{name}</option>" in said
        assert f"<p>{found}</p>" in said
    assert page.answer("/?q=zzz&ranker=third") == (
        HTTPStatus.BAD_REQUEST,
        "Wanted: one of the rankers first & best, second. Given: ranker=third.",
    )


def test_with_one_ranker_there_is_no_choice(tmp_path: Path) -> None:
    index = index_of(["a wing", "heat"], tmp_path / "index")
    assert "Ranked by" not in SearchPage(index, {"BM25": Bm25(index)}).html("wing")
