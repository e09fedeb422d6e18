"""The page that searches, as it answers without a browser."""

from __future__ import annotations

from pathlib import Path

from course.search.bm25 import Bm25
from course.search.part_file import open_part
from course.search.serving import SearchPage
from tests.course.search.made_texts import index_of


def test_a_page_outlives_the_files_of_its_index(tmp_path: Path) -> None:
    index = index_of(["a wing", "heat"], tmp_path / "index")
    open_part.cache_clear()
    page = SearchPage(index, Bm25(index))
    for path in index.paths:
        path.unlink()
    assert "<mark>wing</mark>" in page.html("wing")
