"""BM25 against a calculation by hand and the library bm25s; ties, unknown words, and parts in other processes."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import bm25s
import numpy as np
import pytest

from course.applications.search import indexing
from course.applications.search.bm25 import Bm25
from course.applications.search.document import Document
from course.applications.search.index import Index
from course.applications.search.ranking import best, search
from course.applications.search.words import search_words
from tests.course.applications.search.made_texts import index_of, random_documents

QUERIES = ["word0", "word3 word39", "word7 word1 word7 word7", "word12 nowhere", "word5, WORD5!"]


def test_scores_follow_the_equation(tmp_path: Path) -> None:
    index = index_of(["wing wing heat", "heat flows slowly here", "slipstream", "", "wing"], tmp_path / "index")
    documents, scores = Bm25(index, k1=1.5, b=0.5).rank("wing flows", 5)
    # 5 documents of 9 words: 1.8 on average. "wing" is in two of them, "flows" in one.
    wing, flows = math.log(1 + 3.5 / 2.5), math.log(1 + 4.5 / 1.5)
    expected = {
        1: flows * 1 / (1 + 1.5 * (0.5 + 0.5 * 4 / 1.8)),
        0: wing * 2 / (2 + 1.5 * (0.5 + 0.5 * 3 / 1.8)),
        4: wing * 1 / (1 + 1.5 * (0.5 + 0.5 * 1 / 1.8)),
    }
    assert dict(zip(documents.tolist(), scores.tolist(), strict=True)) == pytest.approx(expected)
    assert scores.tolist() == sorted(scores, reverse=True)


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.4, 0.0), (2.5, 1.0)])
@pytest.mark.parametrize("part_size", [7, 1000])
def test_agrees_with_bm25s(
    k1: float, b: float, part_size: int, tmp_path: Path, random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "PART_DOCUMENTS", part_size)
    texts = random_documents(random, 53)
    index = index_of(texts, tmp_path / "index")
    assert len(index.parts) == math.ceil(53 / part_size)
    peer = bm25s.BM25(method="lucene", k1=k1, b=b)
    peer.index([search_words(text) for text in texts], show_progress=False)
    ranker = Bm25(index, k1=k1, b=b)
    for query in QUERIES:
        known = [word for word in search_words(query) if word != "nowhere"]
        expected = peer.get_scores(known)
        documents, scores = ranker.rank(query, 100)
        np.testing.assert_array_equal(np.sort(documents), np.flatnonzero(expected))
        np.testing.assert_allclose(scores, expected[documents], rtol=1e-5)
        assert (np.diff(scores) <= 0).all()


def test_ties_keep_the_order_of_the_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "PART_DOCUMENTS", 4)
    index = index_of([Document(f"{number}", "", "wing over") for number in range(11)], tmp_path / "index")
    assert Bm25(index).rank("wing", 6).documents.tolist() == [0, 1, 2, 3, 4, 5]
    mixed = np.array([2.0, 3.0, 2.0, 1.0, 3.0, 2.0])
    assert best(np.arange(6) + 10, mixed, 4).documents.tolist() == [11, 14, 10, 12]
    many = np.tile([1.0, 2.0, 1.5], 300)  # short arrays would be stable with any sorting algorithm
    assert best(np.arange(900), many, 700).documents[:600].tolist() == [*range(1, 900, 3), *range(2, 900, 3)]


@pytest.mark.parametrize("query", ["", " ... ", "nowhere"])
def test_queries_without_known_words_find_nothing(query: str, tmp_path: Path) -> None:
    index = index_of(["wing", "heat ."], tmp_path / "index")
    documents, scores = Bm25(index).rank(query, 3)
    assert len(documents) == len(scores) == 0


def test_titles_are_searched_and_results_are_documents(tmp_path: Path) -> None:
    given = [Document("a, 1", "Heat", "it flows"), Document("a, 2", "Ŵings, λέξις", "in a\nslipstream \ud800")]
    index = index_of(given, tmp_path / "index")
    (found,) = search(index, Bm25(index), "WINGS")
    assert found.found == ("a, 2", "Ŵings, λέξις", "in a\nslipstream ?")
    assert found.document == 1
    assert search(index, Bm25(index), "λεξις flows", top=1)[0].document in (0, 1)


def test_other_processes_rank_parts_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "PART_DOCUMENTS", 9)
    index_of(random_documents(np.random.default_rng(4), 31), tmp_path / "index")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        there = Bm25(Index(tmp_path / "index", executor.map))
        here = Bm25(Index(tmp_path / "index"))
        for query in QUERIES:
            for remote, local in zip(there.rank(query, 8), here.rank(query, 8), strict=True):
                np.testing.assert_array_equal(remote, local)


def test_bad_input_is_named(tmp_path: Path) -> None:
    index = index_of(["wing"], tmp_path / "index")
    with pytest.raises(TypeError, match="index must be an Index"):
        Bm25(tmp_path)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"k1 must be a finite number, 0 or more.*k1=-1"):
        Bm25(index, k1=-1)
    with pytest.raises(ValueError, match=r"b must be from 0 to 1.*b=1\.5"):
        Bm25(index, b=1.5)
    with pytest.raises(ValueError, match="top must be a whole number, at least 1"):
        search(index, Bm25(index), "wing", top=0)
    with pytest.raises(TypeError, match="must be a string"):
        Bm25(index).rank(b"wing", 3)  # type: ignore[arg-type]
