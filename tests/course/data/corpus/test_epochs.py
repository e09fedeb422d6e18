"""Texts, pairs, buckets and batches: nothing is lost, nothing is seen twice, and labels are true."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.data.corpus.epoch_pairs import Texts, cut_into_texts, draw_pairs
from course.data.corpus.epochs import Epochs
from course.data.corpus.length_buckets import batches_of, bucket_lengths
from course.data.corpus.token_arrays import Shard
from course.errors import CourseError
from course.next_sentence import IS_NEXT, NOT_NEXT
from tests.course.data.corpus.small_corpus import VOCABULARY, random_shard, small_corpus


def greedy_texts(shard: Shard, room: int) -> list[tuple[int, int, int]]:
    """The same as `cut_into_texts`, sentence by sentence. No sentence may be longer than `room`."""
    texts = []
    for document, (first, last) in enumerate(itertools.pairwise(shard.document_starts)):
        bounds = shard.sentence_starts[first : last + 1]
        start = bounds[0]
        for end, after in itertools.pairwise([*bounds[1:], np.inf]):
            if after - start > room:
                texts.append((start, end, document))
                start = end
    return [text for text in texts if text[1] - text[0] >= 2]


def as_tuples(texts: Texts) -> list[tuple[int, int, int]]:
    return list(zip(texts.starts, texts.ends, texts.documents, strict=True))


class TestTexts:
    @pytest.mark.parametrize("max_length", [12, 20, 31, 200])
    def test_are_as_many_sentences_as_fit(self, max_length: int, random: np.random.Generator) -> None:
        shard = random_shard(random, documents=50)
        assert as_tuples(cut_into_texts(shard, max_length)) == greedy_texts(shard, max_length - 3)

    def test_only_a_sentence_longer_than_a_row_is_cut(self) -> None:
        shard = Shard.of_lengths(np.arange(5, 31, dtype="uint16"), np.array([23, 3]), np.array([1, 1]))
        texts = cut_into_texts(shard, max_length=13)
        assert as_tuples(texts) == [(0, 7, 0), (7, 15, 0), (15, 23, 0), (23, 26, 1)]


class TestPairs:
    def test_every_piece_is_used_once_and_first_parts_stay_in_place(self, random: np.random.Generator) -> None:
        shard = random_shard(random, documents=200)
        texts = cut_into_texts(shard, max_length=24)
        pairs = draw_pairs(shard.pieces, texts, np.full(len(texts.starts), 1000), random)
        counts = np.zeros(len(shard.pieces), int)
        for starts, lengths in ((pairs.first_starts, pairs.first_lengths), (pairs.second_starts, pairs.second_lengths)):
            assert (lengths >= 1).all()
            for start, length in zip(starts, lengths, strict=True):
                counts[start : start + length] += 1
        expected = np.zeros(len(shard.pieces), int)
        for start, end, _ in as_tuples(texts):
            expected[start:end] += 1
        np.testing.assert_array_equal(counts, expected)
        np.testing.assert_array_equal(pairs.first_starts, texts.starts)

    def test_labels_are_true_and_swapped_parts_come_from_other_documents(self, random: np.random.Generator) -> None:
        shard = random_shard(random, documents=400)
        texts = cut_into_texts(shard, max_length=24)
        pairs = draw_pairs(shard.pieces, texts, np.full(len(texts.starts), 1000), random)
        follows = pairs.first_starts + pairs.first_lengths == pairs.second_starts
        assert (pairs.labels[follows] == IS_NEXT).all()
        document_of = np.zeros(len(shard.pieces), int)
        document_of[shard.sentence_starts[shard.document_starts[1:-1]]] = 1
        document_of = document_of.cumsum()
        swapped = pairs.labels == NOT_NEXT
        assert (document_of[pairs.first_starts] != document_of[pairs.second_starts])[swapped].all()
        assert 0.4 < swapped.mean() < 0.6
        # A swapped pair with the label of a real one has the same pieces as the real one.
        for row in np.flatnonzero(~follows & ~swapped):
            middle, start, length = (
                (texts.starts + pairs.first_lengths)[row],
                pairs.second_starts[row],
                pairs.second_lengths[row],
            )
            np.testing.assert_array_equal(shard.pieces[middle : middle + length], shard.pieces[start : start + length])

    def test_cuts_are_between_sentences_and_differ_each_time(self, random: np.random.Generator) -> None:
        shard = random_shard(random, documents=200)
        texts = cut_into_texts(shard, max_length=40)
        limits = np.full(len(texts.starts), 1000)
        middles = [texts.starts + draw_pairs(shard.pieces, texts, limits, random).first_lengths for _ in range(2)]
        has_choice = np.searchsorted(texts.cuts, texts.ends) - np.searchsorted(texts.cuts, texts.starts, "right") > 0
        assert np.isin(middles[0], shard.sentence_starts)[has_choice].all()
        assert (middles[0] != middles[1]).any()

    def test_lengths_do_not_tell_the_labels(self, random: np.random.Generator) -> None:
        shard = random_shard(random, documents=3000)
        texts = cut_into_texts(shard, max_length=32)
        pairs = draw_pairs(shard.pieces, texts, np.full(len(texts.starts), 1000), random)
        lengths = pairs.first_lengths + pairs.second_lengths
        real, swapped = lengths[pairs.labels == IS_NEXT], lengths[pairs.labels == NOT_NEXT]
        for statistic in (np.mean, np.std):
            assert statistic(real) == pytest.approx(statistic(swapped), rel=0.06)

    def test_equal_texts_are_real_pairs(self, random: np.random.Generator) -> None:
        shard = Shard.of_lengths(np.tile(np.array([7, 8, 9, 9], "uint16"), 50), np.full(100, 2), np.full(50, 2))
        texts = cut_into_texts(shard, max_length=10)
        pairs = draw_pairs(shard.pieces, texts, np.full(50, 7), random)
        assert (pairs.first_starts + pairs.first_lengths != pairs.second_starts).any()
        assert (pairs.labels == IS_NEXT).all()


class TestBuckets:
    @given(st.lists(st.integers(0, 5), min_size=2, max_size=9).filter(any), st.integers(1, 4))
    def test_none_need_less_padding(self, counts: list[int], max_buckets: int) -> None:
        def tokens(buckets: tuple[int, ...]) -> int:
            return sum(count * min(b for b in buckets if b >= length) for length, count in enumerate(counts) if count)

        longest = max(length for length, count in enumerate(counts) if count)
        others = [length for length in range(longest) if counts[length]]
        possible = [
            (*some, longest)
            for size in range(min(max_buckets, len(others) + 1))
            for some in itertools.combinations(others, size)
        ]
        buckets_found = bucket_lengths(np.array(counts), max_buckets)
        assert list(buckets_found) == sorted(set(buckets_found))
        assert buckets_found[-1] == longest
        assert len(buckets_found) <= max_buckets
        assert tokens(tuple(buckets_found)) == min(map(tokens, possible))

    def test_batches_hold_each_row_once_and_never_more_tokens(self, random: np.random.Generator) -> None:
        lengths, buckets = random.integers(4, 30, 500), np.array([9, 17, 29])
        batches = batches_of(lengths, buckets, batch_tokens=70, multiple=1, random=random)
        rows = np.concatenate([rows for _, rows in batches])
        assert len(set(rows)) == len(rows)
        assert 500 - 70 // 29 < len(rows) <= 500
        for length, rows in batches:
            assert len(rows) == 70 // length
            assert lengths[rows].max() <= length

    def test_rows_can_be_shared_between_devices(self, random: np.random.Generator) -> None:
        batches = batches_of(
            random.integers(4, 30, 300), np.array([11, 29]), batch_tokens=130, multiple=3, random=random
        )
        assert {len(rows) for _, rows in batches} == {9, 3}


class TestEpochs:
    def test_rows_have_the_form_of_pairs(self, tmp_path: Path, random: np.random.Generator) -> None:
        shard = random_shard(random, documents=150)
        epochs = Epochs(small_corpus(tmp_path / "c", [shard]), 24, 100, 3, 1, seed=1)
        text = bytes(shard.pieces.astype("uint8"))
        batches = epochs.batches()
        for _ in range(epochs.batches_per_epoch):
            batch = next(batches)
            assert batch.inputs["token_ids"].shape[1] in epochs.buckets
            for ids, segments, label in zip(*batch.inputs.values(), batch.labels, strict=True):
                assert ids[0] == VOCABULARY.cls_id
                first_end, second_end = np.flatnonzero(ids == VOCABULARY.sep_id)
                first, second = ids[1:first_end], ids[first_end + 1 : second_end]
                assert (ids[second_end + 1 :] == VOCABULARY.padding_id).all()
                np.testing.assert_array_equal(
                    segments, (np.arange(len(ids)) > first_end) & (np.arange(len(ids)) <= second_end)
                )
                assert bytes(first.astype("uint8")) in text
                assert bytes(second.astype("uint8")) in text
                together = bytes(np.concatenate([first, second]).astype("uint8"))
                assert label == NOT_NEXT or together in text

    def test_batches_can_start_anywhere(self, tmp_path: Path, random: np.random.Generator) -> None:
        shards = [random_shard(random, documents) for documents in (40, 70, 30)]
        corpus = small_corpus(tmp_path / "c", shards)
        epochs = Epochs(corpus, 24, 100, 2, 1, seed=1)
        read = list(itertools.islice(epochs.batches(), 3 * epochs.batches_per_epoch))
        for start in (1, epochs.batches_per_epoch - 1, epochs.batches_per_epoch, 2 * epochs.batches_per_epoch + 7):
            batch = next(Epochs(corpus, 24, 100, 2, 1, seed=1).batches(start))
            np.testing.assert_array_equal(batch.inputs["token_ids"], read[start].inputs["token_ids"])
            np.testing.assert_array_equal(batch.labels, read[start].labels)

    def test_differ_from_each_other(self, tmp_path: Path, random: np.random.Generator) -> None:
        epochs = Epochs(small_corpus(tmp_path / "c", [random_shard(random, 90)]), 24, 100, 2, 1, seed=1)
        read = [batch.inputs["token_ids"] for batch in itertools.islice(epochs.batches(), 2 * epochs.batches_per_epoch)]
        assert [ids.tobytes() for ids in read] != [ids.tobytes() for ids in read[epochs.batches_per_epoch :]]
        rows = [{tuple(row) for ids in some for row in ids} for some in np.array_split(np.array(read, object), 2)]
        assert len(rows[0] & rows[1]) < 0.5 * len(rows[0])

    def test_a_corpus_smaller_than_a_batch_is_refused(self, tmp_path: Path, random: np.random.Generator) -> None:
        corpus = small_corpus(tmp_path / "c", [random_shard(random, 5)])
        with pytest.raises(CourseError, match="smaller than a batch: 5 texts, and a batch of 1000 tokens has"):
            Epochs(corpus, 50, 1000, 2, 1, seed=1)
