"""Draw new pairs for next-sentence prediction every epoch from the token arrays of a corpus.

A document is cut into texts that fit into a row. Each text is cut in two, between two of its sentences. Half of the
texts keep their second part; the others exchange theirs, each with a text of another document whose second part is
about as long. So every piece of the corpus is read once an epoch, half of the pairs are real, and their lengths do not
tell which.

Reference: Devlin et al., "BERT", 2018, section 3.1 and appendix A.2. In their code, the second part that a text loses
goes to a later row, and all rows are padded to one length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from course.data.corpus.token_arrays import Shard
from course.next_sentence import IS_NEXT, NOT_NEXT

SPECIAL_TOKENS_IN_A_ROW = 3  # [CLS] first [SEP] second [SEP]


@dataclass(frozen=True)
class Texts:
    """Runs of whole sentences, each from one document and short enough for a row.

    Attributes:
        starts, ends: (texts,), where each text begins and ends in the pieces.
        documents: (texts,), the number of its document.
        cuts: (cuts,), every index into the pieces at which a sentence begins.
    """

    starts: np.ndarray
    ends: np.ndarray
    documents: np.ndarray
    cuts: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """How many pieces each text has."""
        return self.ends - self.starts


@dataclass(frozen=True)
class Pairs:
    """The first and the second part of each row, as ranges of the pieces.

    Attributes:
        first_starts, first_lengths, second_starts, second_lengths: (rows,).
        labels: (rows,), int32, `IS_NEXT` or `NOT_NEXT`.
    """

    first_starts: np.ndarray
    first_lengths: np.ndarray
    second_starts: np.ndarray
    second_lengths: np.ndarray
    labels: np.ndarray


def cut_into_texts(shard: Shard, max_length: int, special_tokens: int = SPECIAL_TOKENS_IN_A_ROW) -> Texts:
    """Cut every document into texts: from its beginning, as many sentences as fit into a row, then the next ones.

    A sentence that does not fit into a row is first cut into equal parts. A text of one piece is left out: it cannot
    be cut in two.

    Args:
        shard: the documents.
        max_length: the length of a row, including its special tokens.
        special_tokens: how many special tokens a row has.
    """
    room = max_length - special_tokens
    lengths = np.diff(shard.sentence_starts)
    parts = -(-lengths // room)  # (sentences,)
    sentence = np.repeat(np.arange(len(lengths)), parts)  # (parts,)
    first_part = np.concatenate([[0], np.cumsum(parts)])  # (sentences + 1,)
    part = np.arange(len(sentence)) - first_part[sentence]
    cuts = shard.sentence_starts[sentence] + part * lengths[sentence] // parts[sentence]
    bounds = np.append(cuts, len(shard.pieces))
    document_starts = first_part[shard.document_starts]

    # For each part, where a text that begins there ends. Then follow these from text to text, in all documents at once.
    document = np.repeat(np.arange(len(document_starts) - 1), np.diff(document_starts))  # (parts,)
    end = np.searchsorted(bounds, cuts + room, side="right") - 1
    end = np.minimum(end, document_starts[document + 1])
    begins = np.zeros(len(cuts), bool)
    at = document_starts[:-1]
    while len(at):
        begins[at] = True
        at = end[at][end[at] < document_starts[document[at] + 1]]
    first = np.flatnonzero(begins)
    starts, ends, documents = bounds[first], bounds[end[first]], document[first]
    long_enough = ends - starts >= 2
    return Texts(starts[long_enough], ends[long_enough], documents[long_enough], cuts)


def draw_pairs(pieces: np.ndarray, texts: Texts, limits: np.ndarray, random: np.random.Generator) -> Pairs:
    """Cut each text in two, and exchange second parts between half of the texts.

    Args:
        pieces: of the shard. If two exchanged parts have the same pieces, their pairs count as real.
        texts: of the shard.
        limits: (texts,), how many pieces fit into each row. A row that is longer after an exchange loses its end.
        random: draws the cuts and the exchanges.
    """
    middles = _middles(texts, random)
    first_lengths = middles - texts.starts
    second_starts, second_lengths = middles, texts.ends - middles
    labels = np.full(len(middles), IS_NEXT, "int32")

    chosen = np.flatnonzero(random.random(len(middles)) < 0.5)
    chosen = chosen[np.lexsort((random.random(len(chosen)), second_lengths[chosen]))]
    left, right = chosen[0 : len(chosen) // 2 * 2 : 2], chosen[1::2]
    elsewhere = texts.documents[left] != texts.documents[right]
    left, right = left[elsewhere], right[elsewhere]
    both, swapped = np.concatenate([left, right]), np.concatenate([right, left])
    same = _read_the_same(pieces, second_starts, second_lengths, left, right)
    labels[both] = np.where(np.tile(same, 2), IS_NEXT, NOT_NEXT)
    second_starts, second_lengths = second_starts.copy(), second_lengths.copy()
    second_starts[both], second_lengths[both] = second_starts[swapped], second_lengths[swapped]
    second_lengths = np.minimum(second_lengths, limits - first_lengths)
    return Pairs(texts.starts, first_lengths, second_starts, second_lengths, labels)


def _middles(texts: Texts, random: np.random.Generator) -> np.ndarray:
    """Choose a place strictly inside each text where a sentence begins; in a text of one sentence, any place."""
    after_first = np.searchsorted(texts.cuts, texts.starts, side="right")  # the first cut after the start
    inside = np.searchsorted(texts.cuts, texts.ends, side="left") - after_first  # (texts,) how many to choose from
    draw = random.random(len(texts.starts))
    chosen = np.minimum(after_first + (draw * inside).astype("int64"), len(texts.cuts) - 1)
    anywhere = texts.starts + 1 + (draw * (texts.lengths - 1)).astype("int64")
    return np.where(inside > 0, texts.cuts[chosen], anywhere)


def _read_the_same(
    pieces: np.ndarray, starts: np.ndarray, lengths: np.ndarray, left: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """(pairs,), whether two ranges hold the same pieces. Few have the same length and first piece."""
    same = (lengths[left] == lengths[right]) & (pieces[starts[left]] == pieces[starts[right]])
    for pair in np.flatnonzero(same):
        first, second, length = starts[left[pair]], starts[right[pair]], lengths[left[pair]]
        same[pair] = np.array_equal(pieces[first : first + length], pieces[second : second + length])
    return same
