"""Rows of texts and packed rows hold the corpus once an epoch, also when a run is resumed."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from course.data.corpus.epochs import Epochs
from course.data.corpus.text_rows import PackedRows, SpanHiding, TextRows
from course.data.corpus.token_arrays import TokenArrays
from tests.course.data.corpus.small_corpus import VOCABULARY, random_shard, small_corpus

LENGTH = 24


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> TokenArrays:
    random = np.random.default_rng(5)
    shards = [random_shard(random, documents, longest=12) for documents in (70, 40)]
    return small_corpus(tmp_path_factory.mktemp("rows") / "corpus", shards)


def rows_of(kind: type[TextRows], corpus: TokenArrays, spans: SpanHiding | None = None, tokens: int = 96) -> TextRows:
    return kind(corpus, LENGTH, tokens, 3, 1, 7, spans=spans)


def epoch(rows: Epochs, number: int = 0) -> list[dict[str, np.ndarray]]:
    start = number * rows.batches_per_epoch
    return [batch.inputs for batch in itertools.islice(rows.batches(start), rows.batches_per_epoch)]


def words(inputs: list[dict[str, np.ndarray]]) -> np.ndarray:
    """How often each piece occurs."""
    pieces = np.concatenate([batch["token_ids"].ravel() for batch in inputs])
    return np.bincount(pieces[pieces >= len(VOCABULARY.special_ids)], minlength=len(VOCABULARY))


@pytest.mark.parametrize("kind", [TextRows, PackedRows])
class TestBoth:
    def test_an_epoch_holds_the_corpus_except_incomplete_batches(self, kind: Any, corpus: TokenArrays) -> None:
        counts = np.bincount(
            np.concatenate([corpus.shard(number).pieces for number in range(2)]), minlength=len(VOCABULARY)
        )
        everything = words(epoch(rows_of(kind, corpus, tokens=LENGTH)))  # batches of one row: nothing is left over
        assert (everything <= counts).all()
        # A text of one piece gets no row; packed rows leave nothing out.
        assert counts.sum() - everything.sum() <= (0 if kind is PackedRows else 30)
        assert words(epoch(rows_of(kind, corpus))).sum() > 0.9 * counts.sum()

    def test_resumes_at_any_batch(self, kind: Any, corpus: TokenArrays) -> None:
        spans = SpanHiding(corpus.vocabulary, corpus.word_probabilities(), 0.15)
        rows = rows_of(kind, corpus, spans)
        count = rows.batches_per_epoch + 5
        whole = list(itertools.islice(rows.batches(), count + 3))
        rest = list(itertools.islice(rows_of(kind, corpus, spans).batches(count), 3))
        for expected, batch in zip(whole[count:], rest, strict=True):
            assert expected.inputs.keys() == batch.inputs.keys() == set(rows.input_names)
            assert expected.labels is None
            for name in expected.inputs:
                assert expected.inputs[name].dtype == np.int32
                np.testing.assert_array_equal(expected.inputs[name], batch.inputs[name])

    def test_epochs_differ(self, kind: Any, corpus: TokenArrays) -> None:
        rows = rows_of(kind, corpus)
        first, second = epoch(rows), epoch(rows, 1)
        assert any(
            one["token_ids"].shape != two["token_ids"].shape or (one["token_ids"] != two["token_ids"]).any()
            for one, two in zip(first, second, strict=True)
        )

    def test_spans_differ_between_epochs(self, kind: Any, corpus: TokenArrays) -> None:
        rows = rows_of(kind, corpus, SpanHiding(corpus.vocabulary, corpus.word_probabilities(), 0.3))
        drawn = []
        for number in range(2):
            batches = epoch(rows, number)
            hidden = {
                (tuple(row), tuple(chosen))
                for batch in batches
                for row, chosen in zip(batch["token_ids"].tolist(), batch["selected"].tolist(), strict=True)
            }
            drawn.append(hidden)
            for batch in batches:
                selected, special = batch["selected"] > 0, np.isin(batch["token_ids"], VOCABULARY.special_ids)
                assert not (selected & special).any()
                np.testing.assert_array_equal(batch["masked_ids"][~selected], batch["token_ids"][~selected])
                share = selected.sum() / (~special).sum()
                assert 0.2 < share < 0.4
        assert len(drawn[0] & drawn[1]) < 0.1 * len(drawn[0])
        masked = np.concatenate([batch["masked_ids"][batch["selected"] > 0] for batch in batches])
        assert 0.65 < (masked == VOCABULARY.mask_id).mean() < 0.95


def test_packed_rows_may_have_nothing_of_a_shard(corpus: TokenArrays) -> None:
    first = corpus.shard(0)
    kept = corpus.only(lambda shard: np.full(len(shard.document_starts) - 1, len(shard.pieces) == len(first.pieces)))
    there = words(epoch(rows_of(PackedRows, kept, tokens=LENGTH)))
    assert 0.9 * len(first.pieces) < there.sum() <= len(first.pieces)


def test_packed_rows_have_hardly_any_padding(corpus: TokenArrays) -> None:
    packed, single = epoch(rows_of(PackedRows, corpus)), epoch(TextRows(corpus, LENGTH, 96, 1, 1, 7))
    padding = [
        np.mean(np.concatenate([batch["token_ids"].ravel() for batch in batches]) == VOCABULARY.padding_id)
        for batches in (packed, single)
    ]
    assert padding[0] < 0.2 < padding[1]
    for batch in packed:
        np.testing.assert_array_equal(batch["document_ids"] == 0, batch["token_ids"] == VOCABULARY.padding_id)
        assert (batch["token_ids"][:, 0] == VOCABULARY.cls_id).all()
    for batch in single:
        is_sep = batch["token_ids"] == VOCABULARY.sep_id
        assert (is_sep.sum(axis=1) == 1).all()
        ends = is_sep.argmax(axis=1)[:, None]
        np.testing.assert_array_equal(np.arange(LENGTH) > ends, batch["token_ids"] == VOCABULARY.padding_id)
