"""The endless stream of batches that a pretraining reads; the same seed gives the same batches after a resume, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from course.data.corpus.epoch_pairs import SPECIAL_TOKENS_IN_A_ROW, Pairs, Texts, cut_into_texts, draw_pairs
from course.data.corpus.length_buckets import batches_of, bucket_lengths, rows_in_a_batch
from course.data.corpus.token_arrays import Shard, TokenArrays
from course.errors import CourseError
from course.validation.values import require_instance, require_seed, require_sizes

# Two parts of one piece each, and the special tokens.
_SHORTEST_ROW = SPECIAL_TOKENS_IN_A_ROW + 2


class Batch(NamedTuple):
    """What `BertPretrainer` takes: rows without masks, because the training step draws these.

    Attributes:
        inputs: the arrays that `Epochs.input_names` names ("token_ids" and others), int32, (batch, length).
        labels: (batch,), of the next-sentence task; None where there is no such task.
    """

    inputs: dict[str, np.ndarray]
    labels: np.ndarray | None

    @property
    def tokens(self) -> int:
        """How many tokens the batch has, not counting padding."""
        return int(np.count_nonzero(self.inputs["token_ids"]))


class Epochs:
    """All batches of a pretraining with pairs of texts. Subclasses make other kinds of rows.

    Args:
        corpus: the token arrays.
        max_length: the largest length of a row.
        batch_tokens: the largest number of tokens in a batch.
        num_buckets: the largest number of different row lengths.
        multiple: the number of rows in a batch is a multiple of this.
        seed: everything is drawn from it.

    Attributes:
        buckets: the row lengths.
        num_texts: how many rows an epoch has.
        batches_per_epoch: how many batches an epoch has.
        input_names: the names of a batch's inputs.
        has_labels: whether a batch has labels.

    Raises:
        CourseError: the corpus is smaller than a batch, or a batch has no room for the longest rows.
        TypeError: `corpus` is not a prepared corpus.
        ValueError: a number is not a valid size or seed, or rows are too short for two parts.
    """

    input_names: tuple[str, ...] = ("token_ids", "segment_ids")
    has_labels = True

    def __init__(
        self, corpus: TokenArrays, max_length: int, batch_tokens: int, num_buckets: int, multiple: int, seed: int
    ) -> None:
        require_instance(corpus, "corpus", TokenArrays)
        require_sizes(max_length=max_length, batch_tokens=batch_tokens, num_buckets=num_buckets, multiple=multiple)
        require_seed(seed)
        if max_length < _SHORTEST_ROW:
            raise ValueError(
                f"max_length must be at least {_SHORTEST_ROW}: {SPECIAL_TOKENS_IN_A_ROW} special tokens, and a piece "
                f"for each part of a pair. Received: max_length={max_length}"
            )
        self.corpus = corpus
        self.max_length = max_length
        self.batch_tokens = batch_tokens
        self.multiple = multiple
        self.seed = seed
        counts = sum(
            (np.bincount(lengths, minlength=max_length + 1) for lengths in self._lengths_of_shards()),
            start=np.zeros(max_length + 1, "int64"),
        )
        self.num_texts = int(counts.sum())
        if not self.num_texts:
            raise CourseError("the corpus has no text of two pieces or more. Take a larger corpus.")
        self.buckets = bucket_lengths(counts, num_buckets)
        if self.buckets[-1] * multiple > batch_tokens:
            raise CourseError(
                f"a batch of {batch_tokens} tokens has no room for the longest rows: {multiple} of {self.buckets[-1]} "
                "tokens. Take more tokens a batch (--batch-tokens) or shorter rows (--max-length)."
            )
        self._batches_of_shards = [
            len(self._draw_batches(lengths, drawing(seed))) for lengths in self._lengths_of_shards()
        ]
        self.batches_per_epoch = sum(self._batches_of_shards)
        if not self.batches_per_epoch:
            raise CourseError(
                f"the corpus is smaller than a batch: {self.num_texts} texts, and a batch of {batch_tokens} tokens has "
                f"{rows_in_a_batch(int(self.buckets[-1]), batch_tokens, multiple)} rows. Take a larger corpus or fewer "
                "tokens a batch (--batch-tokens)."
            )

    def batches(self, start: int = 0) -> Iterator[Batch]:
        """Yield batches without end.

        Args:
            start: how many batches to skip, counted from the beginning of the first epoch.
        """
        epoch, skipped = divmod(start, self.batches_per_epoch)
        while True:
            for number in drawing(self.seed, epoch).permutation(self.corpus.num_shards):
                if skipped < self._batches_of_shards[number]:
                    yield from self._batches_of_shard(number, epoch, skipped)
                skipped = max(0, skipped - self._batches_of_shards[number])
            epoch += 1

    def _batches_of_shard(self, number: int, epoch: int, skipped: int) -> Iterator[Batch]:
        shard, random = self.corpus.shard(number), drawing(self.seed, epoch, number)
        texts = self._texts(shard)
        batches = self._draw_batches(_row_lengths(texts), random)
        limits = _row_lengths(texts)  # stays so for the rows that are in no batch
        for length, rows in batches:
            limits[rows] = length
        pairs = draw_pairs(shard.pieces, texts, limits - SPECIAL_TOKENS_IN_A_ROW, random)
        for length, rows in batches[skipped:]:
            yield Batch(self._inputs(shard, pairs, rows, length), pairs.labels[rows])

    def _row_lengths(self, number: int) -> np.ndarray:
        """(rows,), the length of each row that a shard gives."""
        return _row_lengths(self._texts(self.corpus.shard(number)))

    def _lengths_of_shards(self) -> Iterator[np.ndarray]:
        return map(self._row_lengths, range(self.corpus.num_shards))

    def _texts(self, shard: Shard) -> Texts:
        return cut_into_texts(shard, self.max_length)

    def _draw_batches(self, lengths: np.ndarray, random: np.random.Generator) -> list[tuple[int, np.ndarray]]:
        return batches_of(lengths, self.buckets, self.batch_tokens, self.multiple, random)

    def _inputs(self, shard: Shard, pairs: Pairs, rows: np.ndarray, length: int) -> dict[str, np.ndarray]:
        """[CLS] first [SEP] second [SEP], and padding."""
        vocabulary = self.corpus.vocabulary
        first_end = pairs.first_lengths[rows, None] + 1  # (rows, 1) the position of the first [SEP]
        second_end = first_end + pairs.second_lengths[rows, None] + 1  # (rows, 1) the position of the second one
        position = np.arange(length)  # (length,)
        in_second = (position > first_end) & (position <= second_end)  # (rows, length)
        place = np.where(
            in_second,
            pairs.second_starts[rows, None] + position - first_end - 1,
            pairs.first_starts[rows, None] + position - 1,
        )
        token_ids = shard.pieces[np.clip(place, 0, len(shard.pieces) - 1)].astype("int32")  # (rows, length)
        token_ids[:, 0] = vocabulary.cls_id
        token_ids[(position == first_end) | (position == second_end)] = vocabulary.sep_id
        token_ids[position > second_end] = vocabulary.padding_id
        return {"token_ids": token_ids, "segment_ids": in_second.astype("int32")}


def _row_lengths(texts: Texts) -> np.ndarray:
    return texts.lengths + SPECIAL_TOKENS_IN_A_ROW


def drawing(*seed: int) -> np.random.Generator:
    """Return a random generator that these numbers determine."""
    return np.random.default_rng(seed)
