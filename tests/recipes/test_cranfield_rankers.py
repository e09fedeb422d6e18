"""The recipe for neural rankers: combination with BM25, split encoders, and stored results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from course.applications.retrieval import recorded_results
from course.applications.retrieval.trained_ranker import TextReader
from course.data.datasets.cranfield import Cranfield
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.tokenization import SPECIAL_TOKENS
from recipes import cranfield_drawn, cranfield_rankers
from recipes.cranfield_models import SplitOnline, SplitRanker, WordByWord, fixed, split_rows
from recipes.cranfield_rankers import Collection, beside_bm25, likest_other, measured, reranked
from tests.closeness import assert_close

VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *"abcdefgh"])
SIZES = {"num_layers": 3, "num_heads": 2, "hidden_dim": 8, "intermediate_dim": 12, "max_length": 20, "dropout": 0.0}


def encoder() -> BertEncoder:
    made = BertEncoder(len(VOCABULARY), num_segments=2, **SIZES)
    made.build((None, None))
    return made


def test_documents_without_new_scores_come_last() -> None:
    assert reranked(np.array([5, 3, 9, 1]), np.array([0.1, 0.7])).tolist() == [3, 5, 9, 1]
    assert reranked(np.array([5, 3, 9]), np.array([2.0, 2.0, 2.0])).tolist() == [5, 3, 9]


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    """Four queries; for each, BM25 ranks the relevant document second."""
    texts = [f"word{number} more" if number % 2 else f"word{number} word{number} more" for number in range(8)]
    queries = [f"word{2 * number} word{2 * number + 1}" for number in range(4)]
    documents = pd.DataFrame({"document": range(10, 18), "title": ["word0", *[""] * 7], "text": texts})
    judgements = pd.DataFrame({"query": range(1, 5), "document": [11, 13, 15, 17], "gain": 1})
    asked = pd.DataFrame({"query": range(1, 5), "text": queries})
    return Collection(Cranfield(documents, asked, judgements), tmp_path)


def test_titles_are_queries_and_are_removed_from_abstracts(collection: Collection) -> None:
    assert collection.pairs == (["word0"], ["word0 more"])
    assert collection.relevant == [{1}, {3}, {5}, {7}]
    found = [documents.tolist() for documents, _ in collection.found]
    assert found == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert measured([np.array(one) for one in found], collection)[:, 2].tolist() == [0.5] * 4


def test_the_authors_own_papers_are_left_out(collection: Collection) -> None:
    own = pd.DataFrame({"query": range(1, 5), "document": [10, 12, 14, 16], "gain": 0})
    judgements = pd.concat([collection.data.judgements, own])
    other = Collection(collection.data._replace(judgements=judgements), collection.folder)
    assert other.own_papers == [[0], [2], [4], [6]]
    assert measured([documents for documents, _ in other.found], other)[:, 2].tolist() == [1.0] * 4


def test_the_weight_of_a_ranker_is_chosen_on_the_other_half(collection: Collection) -> None:
    # The ranker is right for even queries only, so it is chosen for the odd ones, where it is wrong.
    right, wrong = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    rankings, weights = beside_bm25([right, wrong, right, wrong], collection)
    assert weights[0] == 0  # of the even ones, as the odd ones have it
    assert weights[1] > 0.5
    assert [ranking.tolist() for ranking in rankings] == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_each_query_gets_its_own_wrong_document() -> None:
    queries = [f"word{number} next{number}" for number in range(7)]
    documents = [f"word{number} next{(number - 1) % 7}" for number in range(7)]
    assert likest_other(queries, documents).tolist() == [1, 2, 3, 4, 5, 6, 0]


@pytest.mark.parametrize("split", [0, 1, 2])
def test_documents_encoded_in_advance_get_the_same_scores(split: int) -> None:
    reader = TextReader(VOCABULARY, 6, 9)
    model = SplitRanker(encoder(), split, 6)
    model.build({})
    documents = ["a b c d e f g h a", "b", "c d e"]
    rows = split_rows(reader, ["h a b"] * 3, documents)
    assert rows["padding_mask"].sum(axis=1).tolist() == [5 + 8, 5 + 2, 5 + 4]
    assert rows["token_ids"][1, 6:].tolist() == VOCABULARY.ids_of(["b", "[SEP]"]) + [0] * 6
    expected = np.asarray(model(rows))
    ids = fixed(reader.documents(documents)["token_ids"][:, 1:], 8)
    before = model.reader.encode_document(ids, ids != 0)
    query = np.repeat(fixed(reader.queries(["h a b"])["token_ids"], 6), 3, axis=0)
    online = SplitOnline(model)({"query_ids": query, "document": before, "mask": ids != 0})
    assert_close(np.asarray(online), expected)
    assert len(set(expected.round(6))) == 3


@pytest.mark.parametrize(("pooling", "learns"), [("kernels", True), ("histogram", False)])
def test_only_the_token_table_is_trained_and_padding_adds_nothing(pooling: str, learns: bool) -> None:
    model = WordByWord(encoder(), pooling)
    model.build({})
    of_encoder = [id(variable) for variable in model.encoder.variables]
    table = model.encoder.embedding.token_embedding.embeddings
    trained = [id(variable) for variable in model.trainable_variables if id(variable) in of_encoder]
    assert trained == ([id(table)] if learns else [])
    reader = TextReader(VOCABULARY, 6, 9)
    alone, beside = reader.pairs(["a b"], ["b c d"]), reader.pairs(["a b", "a b c d"], ["b c d", "a b c d e f g"])
    assert_close(np.asarray(model(alone))[0], np.asarray(model(beside))[0])


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        (
            cranfield_rankers.RESULTS,
            {"BM25", "dssm", "maxsim", "maxsim by a graph", "K-NRM", "DRMM", "cross-encoder"},
        ),
        (cranfield_rankers.PUBLISHED, {"BM25", "as published", "BM25, then as published", "cross-encoder"}),
    ],
)
def test_stored_results_cover_all_rankers(file: Path, wanted: set[str]) -> None:
    stored = json.loads(file.read_text(encoding="utf-8"))
    assert wanted <= set(stored["rankers"])
    for one in stored["rankers"].values():
        for name in cranfield_rankers.MEASURES:
            assert 0 < one[name]["low"] < one[name]["value"] < one[name]["high"] < 1
            above = one[name]["above BM25"]
            difference = one[name]["value"] - stored["rankers"]["BM25"][name]["value"]
            assert above["low"] <= above["value"] <= above["high"]
            assert above["value"] == pytest.approx(difference)


def test_the_lessons_plot_shows_the_measured_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured_of = {"nDCG@10": {"value": 0.5, "low": 0.25, "high": 0.75}, "CPU ms a query": 3.5}
    monkeypatch.setattr(cranfield_drawn, "RANKERS_FILE", tmp_path / "rankers.json.gz")
    monkeypatch.setattr(recorded_results, "RANKERS_FILE", tmp_path / "rankers.json.gz")
    cranfield_drawn.keep_drawn({"BM25, then dssm": measured_of})
    assert recorded_results.load_rankers().to_dict("index") == {
        "BM25, then DSSM": {"nDCG@10": 0.5, "from": 0.25, "to": 0.75, "ms a query": 3.5}
    }


def test_the_lesson_has_all_rankers() -> None:
    stored = json.loads(Path(cranfield_rankers.RESULTS).read_text(encoding="utf-8"))
    assert recorded_results.load_rankers().to_dict("index") == cranfield_drawn.drawn(stored["rankers"])
