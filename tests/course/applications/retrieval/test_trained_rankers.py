"""Rankers: training, storage in a folder, and use in a search."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import keras
import numpy as np
import pytest
from keras import ops

from course.applications.retrieval import trained_ranker
from course.applications.retrieval.late_interaction import WordVectors, max_sim_loss, no_words
from course.applications.retrieval.searching import Reranker, VectorsOf, ranker_of
from course.applications.retrieval.teaching import Lesson, bm25_scores, likest_wrong, teach
from course.applications.retrieval.trained_ranker import (
    KINDS,
    READ_APART,
    TextReader,
    TrainedRanker,
    load_ranker,
    save_ranker,
)
from course.applications.search.bm25 import Bm25
from course.applications.search.max_sim import MaxSim
from course.applications.search.ranking import Ranking
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.errors import CourseError
from course.matching import in_batch_loss
from course.ranking import max_sim
from course.tokenization import SPECIAL_TOKENS
from course.training.encoder_source import EncoderSource
from tests.closeness import assert_close
from tests.course.applications.search.made_texts import index_of

NAMES = [f"{first}{second}" for first in "bdfgklmn" for second in "aeio"]
VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *NAMES, ".", "##s", "##."])
SIZES = {"num_layers": 1, "num_heads": 2, "hidden_dim": 16, "intermediate_dim": 24, "max_length": 24, "dropout": 0.0}
LESSON = Lesson(epochs=2, batch_size=8, query_length=6, document_length=9, width=5, negatives=2, seed=3)
SOURCE = EncoderSource("made", VOCABULARY, {"vocabulary_size": len(VOCABULARY), "num_segments": 2, **SIZES}, None)


def pairs(count: int = 32, seed: int = 0) -> tuple[list[str], list[str]]:
    """Return queries of two words, and documents with these words and three others."""
    random = np.random.default_rng(seed)
    drawn = [random.permutation(NAMES) for _ in range(count)]
    documents = [" ".join([*words[2:4], words[1], words[0], words[4]]) for words in drawn]
    return [" ".join(words[:2]) for words in drawn], documents


def taught(lesson: Lesson = LESSON) -> TrainedRanker:
    return teach("maxsim", SOURCE, *pairs(), lesson)[0]


def untaught(kind: str) -> TrainedRanker:
    """Return the same ranker each time, with larger weights than a new one, so that its scores differ."""
    keras.utils.set_random_seed(5)
    options = {"width": 5, "left_out": no_words([*VOCABULARY])} if kind == "maxsim" else {}
    model = KINDS[kind](SOURCE.make("float32"), **options)
    model.build({"token_ids": (None, None)})
    model.set_weights([weight * 9 if weight.ndim > 1 else weight for weight in model.get_weights()])
    return TrainedRanker(kind, model, TextReader(VOCABULARY, LESSON.query_length, LESSON.document_length))


class TestWordVectors:
    def test_words_have_unit_vectors_and_other_tokens_zeros(self) -> None:
        model = WordVectors(BertEncoder(len(VOCABULARY), num_segments=2, **SIZES), 5, no_words([*VOCABULARY]))
        reader = TextReader(VOCABULARY, 8, 8)
        inputs = reader.queries(["ba . de", "zzz", ""])
        vectors = ops.convert_to_numpy(model(inputs))
        assert vectors.shape == (3, inputs["token_ids"].shape[1], 5)
        lengths = np.linalg.norm(vectors, axis=-1)
        is_word = np.isin(inputs["token_ids"], VOCABULARY.ids_of(["ba", "de"]))
        assert is_word.sum() == 2
        assert_close(lengths, is_word, 1e-6)

    def test_without_a_width_vectors_are_the_encoders(self) -> None:
        encoder = BertEncoder(len(VOCABULARY), num_segments=2, **SIZES)
        inputs = TextReader(VOCABULARY, 5, 8).queries(["ba de fi"])
        vectors = ops.convert_to_numpy(WordVectors(encoder)(inputs))
        outputs = ops.convert_to_numpy(
            encoder(inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"])["sequence_output"]
        )
        assert_close(vectors, outputs / np.linalg.norm(outputs, axis=-1, keepdims=True), 1e-6)

    def test_no_words_are_special_tokens_and_punctuation(self) -> None:
        assert no_words(["[PAD]", "a", "##a", "...", "##.", "##", "$", "é"]) == [0, 3, 4, 5, 6]


class TestMaxSimLoss:
    def test_with_one_word_each_it_is_in_batch_loss(self, random: np.random.Generator) -> None:
        queries, documents = random.normal(size=(2, 5, 1, 7)).astype("float32")
        expected = in_batch_loss(queries[:, 0], documents[:, 0], 9.0)
        assert float(max_sim_loss(queries, documents, 9.0)) == pytest.approx(float(expected), abs=1e-5)

    def test_averages_over_real_words(self, random: np.random.Generator) -> None:
        queries, documents = random.normal(size=(3, 4, 7)), random.normal(size=(3, 6, 7))
        queries[0, 2:], documents[1, 3:] = 0, 0
        masks = [np.abs(vectors).sum(axis=-1) > 0 for vectors in (queries, documents)]
        scores = 20 * ops.convert_to_numpy(max_sim(queries, documents, *masks)) / np.array([[2], [4], [4]])
        expected = np.mean([np.log(np.exp(row).sum()) - row[number] for number, row in enumerate(scores)])
        assert float(max_sim_loss(queries, documents)) == pytest.approx(expected, abs=1e-4)

    def test_other_right_documents_are_no_wrong_ones(self, random: np.random.Generator) -> None:
        queries, documents = random.normal(size=(2, 4, 3, 7)).astype("float32")
        queries[2], documents[2] = queries[0], documents[0]
        same = np.eye(4, dtype=bool)
        same[[0, 2], [2, 0]] = True
        kept = [[0, 1, 3], [0, 1, 2, 3], [1, 2, 3], [0, 1, 2, 3]]
        scores = 20 * ops.convert_to_numpy(max_sim(queries, documents, *np.ones((2, 4, 3), bool))) / 3
        expected = [np.log(np.exp(scores[row, others]).sum()) - scores[row, row] for row, others in enumerate(kept)]
        assert float(max_sim_loss(queries, documents, same=same)) == pytest.approx(np.mean(expected), abs=1e-4)

    def test_texts_without_words_make_no_nan(self) -> None:
        assert np.isfinite(float(max_sim_loss(np.zeros((2, 3, 4), "float32"), np.zeros((2, 5, 4), "float32"))))


class TestTeach:
    @pytest.mark.parametrize(
        ("kind", "learning_rate"), [("dssm", 1e-2), ("maxsim", 1e-2), ("cross", 1e-2), ("cedr", 3e-3)]
    )
    def test_a_ranker_learns_its_pairs(self, kind: str, learning_rate: float, recwarn: pytest.WarningsRecorder) -> None:
        lesson = replace(LESSON, epochs=24, learning_rate=learning_rate)
        ranker, losses = teach(kind, SOURCE, *pairs(), lesson)
        assert len(losses) == 24
        assert losses[-1] < 0.8 * losses[0]
        assert all(weight.trainable for weight in ranker.model.encoder.pooler.variables)
        assert not [warning for warning in recwarn if "Gradients do not exist" in str(warning.message)]

    def test_the_same_seed_teaches_the_same_weights(self) -> None:
        lesson = replace(LESSON, epochs=1)
        first, again, other = (taught(each).fingerprint for each in (lesson, lesson, replace(lesson, seed=4)))
        assert first == again != other

    @pytest.mark.parametrize(
        ("kind", "given", "message"),
        [
            ("bert", pairs(), "kind"),
            ("dssm", (pairs()[0], pairs()[1][:9]), "each query must have a document. Received: 32 queries and 9"),
            ("dssm", pairs(5), "at least one batch of pairs"),
            ("cross", pairs(2), "more documents than negatives"),
        ],
    )
    def test_bad_input_is_named(self, kind: str, given: tuple[list[str], list[str]], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            teach(kind, SOURCE, *given, LESSON)

    def test_rows_too_long_for_the_encoder_are_refused(self) -> None:
        with pytest.raises(ValueError, match=r"reads 24 tokens\. Received: .* rows of 25 tokens"):
            teach("cross", SOURCE, *pairs(), replace(LESSON, query_length=10, document_length=16))

    def test_negatives_have_the_highest_bm25_scores(self, tmp_path: Path) -> None:
        queries, documents = pairs(12)
        scores = bm25_scores(queries, documents)
        ranker = Bm25(index_of(documents, tmp_path / "index"))
        for query, row in zip(queries, scores, strict=True):
            found = ranker.rank(query, 12)
            assert row[found.documents].tolist() == pytest.approx(found.scores.tolist(), rel=1e-5)
            assert np.flatnonzero(row).tolist() == sorted(found.documents.tolist())
        taught_pairs = likest_wrong(queries, documents, 2)
        assert len(taught_pairs.labels) == 36
        assert np.array_equal(taught_pairs.labels == 1, taught_pairs.queries == taught_pairs.documents)
        for query in range(12):
            wrong = taught_pairs.documents[(taught_pairs.queries == query) & (taught_pairs.labels == 0)]
            others = np.delete(scores[query], query)
            assert sorted(scores[query, wrong]) == sorted(np.sort(others)[-2:])

    def test_a_text_that_answers_two_queries_is_wrong_for_neither(self) -> None:
        queries, documents = pairs(6)
        queries, documents = [*queries, "ba fi", queries[2]], [*documents, documents[0], "da fe"]
        taught_pairs = likest_wrong(queries, documents, 5)
        wrong = taught_pairs.labels == 0
        right = {(query, text) for query, text in zip(queries, documents, strict=True)}
        numbers = zip(taught_pairs.queries[wrong], taught_pairs.documents[wrong], strict=True)
        asked = [(queries[query], documents[text]) for query, text in numbers]
        assert not right & set(asked)
        assert len(asked) >= 8 * 4

    @pytest.mark.parametrize("kind", READ_APART)
    def test_towers_learn_that_equal_texts_are_equally_right(self, kind: str) -> None:
        """If all queries have the same answer, there is nothing to learn."""
        queries, documents = pairs(16)
        _, losses = teach(kind, SOURCE, queries, documents[:1] * 16, LESSON)
        assert losses == pytest.approx([0.0, 0.0], abs=1e-6)

    def test_many_pairs_are_compared_in_groups(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("course.applications.retrieval.teaching._COMPARED", 10)
        found = likest_wrong(*pairs(32), 2)
        assert sorted(found.queries.tolist()) == sorted([*range(32)] * 3)
        assert np.array_equal(found.labels == 1, found.queries == found.documents)


class TestFolder:
    @pytest.mark.parametrize("kind", [*KINDS])
    def test_saved_rankers_load_unchanged(self, kind: str, tmp_path: Path) -> None:
        ranker = untaught(kind)
        save_ranker(tmp_path / "ranker", ranker)
        read = load_ranker(tmp_path / "ranker")
        assert (read.kind, read.fingerprint) == (kind, ranker.fingerprint)
        rows = (
            read.reader.pairs(*pairs(3)) if kind in trained_ranker.READ_TOGETHER else read.reader.queries(pairs(3)[0])
        )
        assert_close(ops.convert_to_numpy(read.model(rows)), ops.convert_to_numpy(ranker.model(rows)), 1e-6)
        with pytest.raises(CourseError, match="ranker"):
            save_ranker(tmp_path / "ranker", ranker)

    def test_fingerprints_differ_by_weights_pieces_and_lengths(self) -> None:
        ranker = untaught("dssm")
        longer = replace(ranker, reader=replace(ranker.reader, query_length=7))
        cased = replace(ranker, reader=replace(ranker.reader, lowercase=False))
        pieces = [*VOCABULARY][:-2]
        fewer = replace(ranker, reader=replace(ranker.reader, vocabulary=Vocabulary([*pieces, "##.", "##s"])))
        prints = {variant.fingerprint for variant in (ranker, longer, cased, fewer)}
        changed = untaught("dssm")
        changed.model.set_weights([weight + (weight == weight.max()) * 1e-3 for weight in changed.model.get_weights()])
        assert len(prints | {changed.fingerprint}) == 5

    @pytest.mark.parametrize("damage", ["ranker.json", "ranker.keras", "vocabulary.txt", "kind", "settings"])
    def test_damage_is_named(self, damage: str, tmp_path: Path) -> None:
        folder = tmp_path / "ranker"
        save_ranker(folder, untaught("dssm"))
        settings = json.loads((folder / "ranker.json").read_text())
        if damage == "kind":
            (folder / "ranker.json").write_text(json.dumps({**settings, "kind": "cross"}))
        elif damage == "settings":
            (folder / "ranker.json").write_text("[]")
        else:
            (folder / damage).unlink()
        with pytest.raises(CourseError, match=r"has no complete ranker: .*retrain it"):
            load_ranker(folder)

    def test_a_folder_without_ranker_or_encoder_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(CourseError, match=r"has no ranker, as `train-ranker` writes it.*has no encoder"):
            load_ranker(tmp_path)


class TestSearching:
    def test_word_vectors_are_ranked_by_max_sim(self, tmp_path: Path) -> None:
        queries, documents = pairs()
        ranker = taught(replace(LESSON, epochs=12, learning_rate=1e-2))
        encoder = VectorsOf("mine", ranker)
        assert [len(vectors) for vectors in encoder.queries(["ba de", "ba . zzz de", "zzz", ""])] == [2, 2, 0, 0]
        index = index_of(documents, tmp_path / "index", [encoder])
        searcher = ranker_of(index, "mine", ranker)
        assert isinstance(searcher, MaxSim)
        reader = ranker.reader
        sides = [
            ops.convert_to_numpy(ranker.model(rows)) for rows in (reader.queries(queries), reader.documents(documents))
        ]
        scores = ops.convert_to_numpy(max_sim(*sides, *(np.abs(side).sum(axis=-1) > 0 for side in sides)))
        for row, query in zip(scores[:9], queries[:9], strict=True):
            ranking = searcher.rank(query, 32)
            np.testing.assert_allclose(ranking.scores, row[ranking.documents], atol=5e-3)  # stored in float16
        assert searcher.rank("zzz", 3).documents.tolist() == []
        first = [searcher.rank(query, 1).documents[0] for query in queries]
        assert np.mean(np.array(first) == np.arange(32)) > 0.5

    def test_one_vector_per_text_scores_cosines(self, tmp_path: Path) -> None:
        queries, documents = pairs(9)
        ranker = untaught("dssm")
        index = index_of([*documents, ""], tmp_path / "index", [VectorsOf("mine", ranker)])
        ranking = ranker_of(index, "mine", ranker).rank(queries[4], 20)
        assert sorted(ranking.documents.tolist()) == [*range(9)]
        reader = ranker.reader
        query_vector, document_vectors = (
            ops.convert_to_numpy(ranker.model(rows))
            for rows in (reader.queries(queries[4:5]), reader.documents(documents))
        )
        repeated = ops.repeat(query_vector, 9, axis=0)
        cosines = -ops.convert_to_numpy(keras.losses.cosine_similarity(repeated, document_vectors))
        np.testing.assert_allclose(ranking.scores, cosines[ranking.documents], atol=2e-3)

    @pytest.mark.parametrize("kind", ["dssm", "maxsim"])
    def test_a_ranker_with_nan_weights_makes_no_index(self, kind: str, tmp_path: Path) -> None:
        ranker = untaught(kind)
        ranker.model.set_weights([np.full_like(weight, np.nan) for weight in ranker.model.get_weights()])
        with pytest.raises(CourseError, match="mine makes vectors that are not finite numbers"):
            index_of(pairs(9)[1], tmp_path / "index", [VectorsOf("mine", ranker)])

    def test_kinds_that_read_both_texts_have_no_vectors(self) -> None:
        with pytest.raises(CourseError, match="mine is of the kind cross, which reads a query and a document together"):
            VectorsOf("mine", untaught("cross"))


class Known:
    """Finds 7, 2, 5, 0, 1, in this order."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def rank(self, query: str, top: int) -> Ranking:
        self.asked.append(top)
        documents = np.array([7, 2, 5, 0, 1] if query != "nothing" else [], "int64")[:top]
        return Ranking(documents, np.arange(len(documents), 0.0, -1))


class TestReranker:
    @pytest.fixture
    def reranker(self, tmp_path: Path) -> Reranker:
        index = index_of(pairs(9)[1], tmp_path / "index")
        return Reranker(index, untaught("cross"), Known(), depth=3)

    def test_first_documents_are_reordered_by_the_models_scores(self, reranker: Reranker) -> None:
        query, documents = pairs(9)[0][2], pairs(9)[1]
        found = reranker.rank(query, 2)
        logits = ops.convert_to_numpy(
            reranker.ranker.model(reranker.ranker.reader.pairs([query] * 3, [documents[n] for n in (7, 2, 5)]))
        )
        order = np.argsort(-logits)
        assert found.documents.tolist() == np.array([7, 2, 5])[order][:2].tolist()
        assert_close(found.scores, logits[order][:2])
        assert reranker.first.asked == [3]

    def test_reads_as_many_documents_as_requested(self, reranker: Reranker) -> None:
        assert len(reranker.rank("ba", 4).documents) == 4
        assert len(reranker.rank("ba", 9).documents) == 5

    def test_no_documents_stay_none_and_ties_keep_their_order(self, reranker: Reranker) -> None:
        assert reranker.rank("nothing", 3).documents.tolist() == []
        model = reranker.ranker.model
        model.set_weights([np.zeros_like(weight) for weight in model.get_weights()])
        assert reranker.rank("ba", 3).documents.tolist() == [7, 2, 5]

    def test_bad_sizes_are_named(self, reranker: Reranker) -> None:
        with pytest.raises(ValueError, match="depth"):
            Reranker(reranker.index, reranker.ranker, Known(), 0)
        with pytest.raises(ValueError, match="top"):
            reranker.rank("ba", 0)
