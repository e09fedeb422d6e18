"""Vectors beside an index: MaxSim and graphs agree with the lesson, and files are reused and repaired like parts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from course.applications.search import indexing, vectors
from course.applications.search.document import Document
from course.applications.search.graph import build_graph, open_graph
from course.applications.search.index import Index
from course.applications.search.indexing import make_index
from course.applications.search.max_sim import MaxSim
from course.applications.search.part_file import files_in, parts_in
from course.applications.search.ranking import search
from course.applications.search.vectors import PartVectors, open_vectors
from course.errors import CourseError
from course.given.word_vectors import stacked
from course.ranking import max_sim
from tests.closeness import assert_close
from tests.course.applications.search.made_texts import random_documents, texts_of
from tests.course.applications.search.made_vectors import WIDTH, MadeEncoder, vector

TEXTS = random_documents(np.random.default_rng(3), 23)
QUERY = "word3 word0 nowhere word17 word3"


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five parts. Those with at least 30 vectors have a graph."""
    monkeypatch.setattr(indexing, "PART_DOCUMENTS", 5)
    monkeypatch.setattr(vectors, "FEW_VECTORS", 30)
    open_vectors.cache_clear()


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return make_index(texts_of(TEXTS), tmp_path / "index", encoders=[MadeEncoder()]).index


def expected(query: str) -> dict[int, float]:
    """Return MaxSim by the lesson's function for every document that has a word."""
    numbers = [number for number, text in enumerate(TEXTS) if text]
    documents, mask = stacked([np.array([vector(word) for word in TEXTS[number].split()]) for number in numbers])
    words = np.array([[vector(word) for word in query.split() if word.startswith("w")]])
    scores = np.asarray(max_sim(words, documents, np.ones(words.shape[:2], bool), mask))[0]
    return dict(zip(numbers, scores.tolist(), strict=True))


@pytest.mark.parametrize("per_vector", [None, 10_000])
def test_scores_agree_with_the_lesson(index: Index, per_vector: int | None) -> None:
    ranking = MaxSim(index, MadeEncoder(), per_vector).rank(QUERY, 23)
    scores = expected(QUERY)
    ranked = dict(zip(ranking.documents.tolist(), ranking.scores.tolist(), strict=True))
    assert ranked == pytest.approx(scores, abs=1e-5)
    best_first = sorted(scores, key=lambda number: (-round(scores[number], 5), number))
    assert ranking.documents.tolist() == best_first
    assert MaxSim(index, MadeEncoder(), per_vector).rank(QUERY, 4).documents.tolist() == best_first[:4]


def test_scores_do_not_depend_on_the_batch_of_vectors(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = MaxSim(index, MadeEncoder(), None).rank(QUERY, 9)
    monkeypatch.setattr(vectors, "_COMPARED", 13)
    pieces = MaxSim(index, MadeEncoder(), None).rank(QUERY, 9)
    assert pieces.documents.tolist() == whole.documents.tolist()
    assert_close(pieces.scores, whole.scores, 1e-6)


def test_a_graph_selects_documents_with_a_near_vector(index: Index) -> None:
    assert sum(size > 0 for size in index.vectors[0].graphs) >= 3
    scores = expected("word5")
    ranking = MaxSim(index, MadeEncoder(), 2).rank("word5", 23)
    assert len(ranking.documents) < len(scores)
    has_it = [number for number, text in enumerate(TEXTS) if "word5" in text.split()]
    assert set(ranking.documents[: len(set(ranking.documents) & set(has_it))]) <= set(has_it)
    for number, score in zip(ranking.documents.tolist(), ranking.scores, strict=True):
        assert score == pytest.approx(scores[number], abs=1e-5)


def test_without_voyager_all_vectors_are_compared(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "has_graphs", lambda: False)
    assert len(MaxSim(index, MadeEncoder(), 1).rank(QUERY, 23).documents) == len(expected(QUERY))


def test_a_graph_is_deterministic_and_finds_the_nearest_vectors() -> None:
    random = np.random.default_rng(0)
    made = random.normal(size=(900, 11)).astype("float16")
    made = (made / np.linalg.norm(made.astype("float32"), axis=1, keepdims=True)).astype("float16")
    graph = build_graph(made)
    np.testing.assert_array_equal(graph, build_graph(made))
    asked = made[:40].astype("float32")
    found = open_graph(graph, 11)(asked, 8)
    nearest = np.argsort(-(asked @ made.astype("float32").T), axis=1)[:, :8]
    assert np.mean([len({*ours} & {*exact}) / 8 for ours, exact in zip(found, nearest, strict=True)]) > 0.97
    assert found[:, 0].tolist() == [*range(40)]


def test_all_vectors_are_compared_if_a_graph_finds_too_few() -> None:
    part = PartVectors(np.ones((4, 2), "float16"), np.array([0, 1, 1, 4]), lambda asked, count: None)
    assert part.candidates(np.ones((1, 2), "float32"), 3).tolist() == [0, 2]


def test_one_vector_per_document_scores_cosines(tmp_path: Path) -> None:
    encoder = MadeEncoder(whole=True)
    index = make_index(texts_of(TEXTS), tmp_path / "index", encoders=[encoder]).index
    ranking = MaxSim(index, encoder).rank("word1 word2", 23)
    cosines = {number: float(vector(text.split()[0]) @ vector("word1")) for number, text in enumerate(TEXTS) if text}
    assert dict(zip(ranking.documents.tolist(), ranking.scores.tolist(), strict=True)) == cosines


def test_titles_are_encoded_with_the_text_and_ties_keep_the_order(tmp_path: Path) -> None:
    documents = [Document("a", "", "none"), *(Document(str(number), "wing", "word") for number in range(6))]
    index = make_index(texts_of(documents), tmp_path / "index", encoders=[MadeEncoder()]).index
    results = search(index, MaxSim(index, MadeEncoder()), "wing", 4)
    assert [result.found.name for result in results] == ["0", "1", "2", "3"]
    assert {result.score for result in results} == {1.0}


@pytest.mark.parametrize("query", ["", "...", "nothing known here"])
def test_a_query_of_unknown_words_finds_nothing(query: str, index: Index) -> None:
    assert MaxSim(index, MadeEncoder()).rank(query, 5).documents.tolist() == []


def test_an_index_of_another_encoder_is_refused(index: Index, tmp_path: Path) -> None:
    other = MadeEncoder("other", "f" * 16)
    with pytest.raises(CourseError, match=r"no vectors of other \(f{16}\), but of made \(.*--vectors other"):
        MaxSim(index, other)
    for encoders in ([], [other]):
        with pytest.raises(CourseError, match=r"has the vectors of made \(0123456789abcdef\), which would be lost"):
            make_index(texts_of(TEXTS), index.folder, encoders=encoders)
    plain = make_index(texts_of(TEXTS), tmp_path / "plain").index
    with pytest.raises(CourseError, match="but of no encoder"):
        MaxSim(plain, other)
    both = make_index(texts_of(TEXTS), index.folder, encoders=[other, MadeEncoder()]).index
    assert [entry.name for entry in both.vectors] == ["other", "made"]
    assert len(MaxSim(both, other).rank(QUERY, 3).documents) == 3


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_only_new_parts_are_encoded(index: Index, tmp_path: Path) -> None:
    encoder, calls = MadeEncoder(), []
    more = [*TEXTS, "word1 of more"]
    make_index(texts_of(more), index.folder, encoders=[encoder], encoded=lambda *call: calls.append(call))
    assert encoder.asked == 4
    assert calls[-1] == ("made", 24, 24)
    make_index(texts_of(more), tmp_path / "scratch", encoders=[MadeEncoder()])
    assert files(index.folder) == files(tmp_path / "scratch")  # vectors and graphs of the replaced part are gone


def test_a_killed_encoding_resumes(tmp_path: Path) -> None:
    program = f"""
import os, signal
from pathlib import Path
from course.applications.search import indexing, vectors
from tests.course.applications.search.made_texts import texts_of
from tests.course.applications.search.made_vectors import MadeEncoder
from tests.course.applications.search.test_vectors import TEXTS
indexing.PART_DOCUMENTS, vectors.FEW_VECTORS = 5, 30
def kill(name, done, total):
    if done == 15:
        os.kill(os.getpid(), signal.SIGKILL)
indexing.make_index(texts_of(TEXTS), Path({str(tmp_path)!r}) / "index", encoders=[MadeEncoder()], encoded=kill)
"""
    project = Path(__file__).resolve().parents[4]
    environment = os.environ | {"PYTHONPATH": str(project)}
    ended = subprocess.run([sys.executable, "-c", program], cwd=project, env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    with pytest.raises(CourseError, match="unfinished index"):
        Index(tmp_path / "index")
    encoder = MadeEncoder()
    make_index(texts_of(TEXTS), tmp_path / "index", encoders=[encoder])
    assert encoder.asked == 13  # two parts are not encoded again
    make_index(texts_of(TEXTS), tmp_path / "scratch", encoders=[MadeEncoder()])
    assert files(tmp_path / "index") == files(tmp_path / "scratch")


def test_old_index_stays_searchable_during_encoding(index: Index) -> None:
    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_index(texts_of(["word9", *TEXTS]), index.folder, encoders=[MadeEncoder()], encoded=stop)
    before = Index(index.folder)
    assert before.document(0).text == TEXTS[0]
    assert MaxSim(before, MadeEncoder()).rank(QUERY, 3).documents.tolist() == expected_order()[:3]


def expected_order() -> list[int]:
    scores = expected(QUERY)
    return sorted(scores, key=lambda number: (-round(scores[number], 5), number))


@pytest.mark.parametrize("kind", ["vectors", "graph"])
@pytest.mark.parametrize("damage", ["cut short", "another byte", "no header", "gone"])
def test_damage_is_named_and_repaired(damage: str, kind: str, index: Index) -> None:
    whole = files(index.folder)
    others = sorted(set(files_in(index.folder)) - set(parts_in(index.folder)))
    path = next(path for path in others if path.stem.endswith(".graph") == (kind == "graph"))
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        middle = len(content) // 2
        changed = bytes([content[middle] ^ 1])
        path.write_bytes(
            {
                "cut short": content[:-9],
                "another byte": content[:middle] + changed + content[middle + 1 :],
                "no header": b"\xff" * len(content),
            }[damage]
        )
    open_vectors.cache_clear()
    if (damage, kind) != ("another byte", "vectors"):  # a search does not notice: it would have to read the whole file
        with pytest.raises(CourseError, match=rf"{path.name} is damaged: .*repairs the index"):
            MaxSim(Index(index.folder), MadeEncoder())
    encoder = MadeEncoder()
    make_index(texts_of(TEXTS), index.folder, encoders=[encoder])
    assert encoder.asked in ((0,) if kind == "graph" else (3, 5))
    assert files(index.folder) == whole


def test_a_page_outlives_the_files_of_its_vectors(index: Index) -> None:
    ranker = MaxSim(index, MadeEncoder())
    before = ranker.rank(QUERY, 5)
    for path in set(files_in(index.folder)) - set(parts_in(index.folder)):
        path.unlink()
    assert ranker.rank(QUERY, 5).documents.tolist() == before.documents.tolist()


def test_vectors_must_be_finite(tmp_path: Path) -> None:
    class Wrong(MadeEncoder):
        def documents(self, texts: object) -> list[np.ndarray]:
            return [np.full((1, WIDTH), np.nan)] * 5

    with pytest.raises(CourseError, match="made makes vectors that are not finite numbers"):
        make_index(texts_of(TEXTS), tmp_path / "index", encoders=[Wrong()])


def test_bad_input_is_named(index: Index) -> None:
    with pytest.raises(TypeError, match="index must be an Index"):
        MaxSim("index", MadeEncoder())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="per_vector"):
        MaxSim(index, MadeEncoder(), 0)
    with pytest.raises(ValueError, match="top"):
        MaxSim(index, MadeEncoder()).rank("word1", 0)
