"""The rows that a pretraining without pairs reads: rows of one text, and packed rows of several documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from course.data.corpus.epoch_pairs import Texts, cut_into_texts
from course.data.corpus.epochs import Batch, Epochs, drawing
from course.data.corpus.token_arrays import Shard
from course.data.text.vocabulary import Vocabulary
from course.given.hiding import continues_word, hide_spans, word_numbers

Inputs = dict[str, np.ndarray]
_SPECIAL_TOKENS = 2  # [CLS] text [SEP]


class SpanHiding:
    """Hide spans of words: add to the inputs which words are hidden, and what the encoder sees in their place.

    Args:
        vocabulary: says which pieces continue a word.
        probabilities: (vocabulary_size,), of the random words that replace hidden ones.
        rate: the share of the pieces that is hidden.

    Attributes:
        input_names: the names of the inputs that it adds.
    """

    input_names = ("masked_ids", "selected")

    def __init__(self, vocabulary: Vocabulary, probabilities: np.ndarray, rate: float) -> None:
        self.continues = continues_word(vocabulary)
        self.special_ids, self.mask_id = vocabulary.special_ids, vocabulary.mask_id
        self.probabilities, self.rate = probabilities, rate

    def __call__(self, inputs: Inputs, random: np.random.Generator) -> Inputs:
        """Return the inputs with "masked_ids" and "selected" (1 where the model must predict the piece), both int32."""
        from course.objectives import span_mask  # a later chapter's, without which earlier ones pretrain

        token_ids = inputs["token_ids"]
        words = word_numbers(token_ids, self.continues)
        spans = span_mask(token_ids, words, self.special_ids, rate=self.rate, seed=random)
        masked_ids = hide_spans(token_ids, spans, self.probabilities, self.mask_id, random)
        return {**inputs, "masked_ids": masked_ids, "selected": (spans > 0).astype("int32")}


class TextRows(Epochs):
    """All batches of a pretraining with rows of one text: [CLS], as many sentences as there is room for, [SEP].

    Args:
        *args: as for `Epochs`.
        spans: hides spans in each batch, different ones in each epoch. None: nothing is hidden here.
    """

    input_names: tuple[str, ...] = ("token_ids",)
    has_labels = False

    def __init__(self, *args: Any, spans: SpanHiding | None = None) -> None:
        self.spans = spans
        self.input_names += spans.input_names if spans else ()
        super().__init__(*args)

    def _texts(self, shard: Shard) -> Texts:
        return cut_into_texts(shard, self.max_length, _SPECIAL_TOKENS)

    def _row_lengths(self, number: int) -> np.ndarray:
        return self._texts(self.corpus.shard(number)).lengths + _SPECIAL_TOKENS

    def _batches_of_shard(self, number: int, epoch: int, skipped: int) -> Iterator[Batch]:
        random = drawing(self.seed, epoch, number)
        batches = self._draw_batches(self._row_lengths(number), random)
        rows_of = self._reader(number)
        for place, (length, rows) in enumerate(batches[skipped:], start=skipped):
            # Each batch has its own generator: a resumed run has not drawn the batches before it.
            inputs, batch_random = rows_of(rows, length), drawing(self.seed, epoch, number, place)
            yield Batch(self.spans(inputs, batch_random) if self.spans else inputs, None)

    def _reader(self, number: int) -> Callable[[np.ndarray, int], Inputs]:
        """Return a function that makes the inputs of some of a shard's rows, at a given length."""
        shard, vocabulary = self.corpus.shard(number), self.corpus.vocabulary
        texts = self._texts(shard)

        def read(rows: np.ndarray, length: int) -> Inputs:
            end = texts.lengths[rows, None] + 1  # (rows, 1), the position of [SEP]
            position = np.arange(length)
            place = np.clip(texts.starts[rows, None] + position - 1, 0, len(shard.pieces) - 1)
            token_ids = shard.pieces[place].astype("int32")  # (rows, length)
            token_ids[:, 0] = vocabulary.cls_id
            token_ids[position == end] = vocabulary.sep_id
            token_ids[position > end] = vocabulary.padding_id
            return {"token_ids": token_ids}

        return read


class PackedRows(TextRows):
    """All batches of a pretraining with packed rows, in which documents stand side by side and do not see each other.

    A shard is packed in its own order, the same in each epoch; each epoch draws again which rows share a batch.
    """

    input_names = ("token_ids", "document_ids")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._packed = lru_cache(maxsize=1)(self._pack)  # most corpora have one shard
        super().__init__(*args, **kwargs)

    def _row_lengths(self, number: int) -> np.ndarray:
        return np.full(len(self._packed(number)[0]), self.max_length)

    def _reader(self, number: int) -> Callable[[np.ndarray, int], Inputs]:
        token_ids, document_ids = self._packed(number)
        return lambda rows, length: {"token_ids": token_ids[rows], "document_ids": document_ids[rows]}

    def _pack(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        from course.objectives import pack_documents

        shard, vocabulary = self.corpus.shard(number), self.corpus.vocabulary
        if len(shard.document_starts) == 1:  # none of its documents is in this part of the corpus
            return (np.zeros((0, self.max_length), "int32"),) * 2
        sentences = [piece.tolist() for piece in np.split(shard.pieces, shard.sentence_starts[1:-1])]
        bounds = zip(shard.document_starts[:-1], shard.document_starts[1:], strict=True)
        special = (vocabulary.cls_id, vocabulary.sep_id, vocabulary.padding_id)
        return pack_documents([sentences[start:end] for start, end in bounds], self.max_length, *special)
