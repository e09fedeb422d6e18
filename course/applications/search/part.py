"""A part of an index: some documents, and for each word those that have it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from course.applications.search.document import Document
from course.applications.search.packed_texts import PackedTexts
from course.applications.search.words import search_words

_FIELDS = len(Document._fields)


@dataclass(frozen=True)
class Part:
    """Documents, counted from 0, and an inverted index of them.

    Attributes:
        words: all that occur, sorted.
        starts: int64, (words + 1,), where the postings of each word begin; the last number is how many there are.
        documents: int32, (postings,), which documents have the word, from the first to the last.
        counts: uint8 or larger, (postings,), how often each of these has it.
        lengths: int32, (documents,), how many words each document has.
        stored: the fields of the documents, one behind the other.
    """

    words: PackedTexts
    starts: np.ndarray
    documents: np.ndarray
    counts: np.ndarray
    lengths: np.ndarray
    stored: PackedTexts

    @classmethod
    def of_documents(cls, documents: Iterable[Document]) -> Part:
        """Indexes documents. The words of a title count as those of the text do."""
        documents = list(documents)
        ids: dict[str, int] = {}
        found, lengths = array("q"), []  # the ids of all words, document by document
        for document in documents:
            words = search_words(f"{document.title} {document.text}")
            found.extend(ids.setdefault(word, len(ids)) for word in words)
            lengths.append(len(words))
        in_order = sorted(ids, key=str.encode)
        place = np.empty(len(ids), "int64")
        place[[ids[word] for word in in_order]] = np.arange(len(ids))
        owner = np.repeat(np.arange(len(documents)), lengths)
        pairs = place[np.frombuffer(found, "int64")] * max(1, len(documents)) + owner  # (words of all documents,)
        distinct, counts = np.unique(pairs, return_counts=True)
        word, document_of = np.divmod(distinct, max(1, len(documents)))
        return cls(
            PackedTexts.of(in_order),
            np.searchsorted(word, np.arange(len(ids) + 1)),
            document_of.astype("int32"),
            counts.astype(np.min_scalar_type(counts.max(initial=0))),
            np.array(lengths, "int32"),
            PackedTexts.of(field for document in documents for field in document),
        )

    def postings(self, word: str) -> tuple[np.ndarray, np.ndarray]:
        """Which documents have a word, and how often: (documents,) each."""
        place = self.words.find(word)
        if place is None:
            return self.documents[:0], self.counts[:0]
        which = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return self.documents[which], self.counts[which]

    def document(self, number: int) -> Document:
        """One of the documents, as it was given."""
        return Document(*(self.stored[_FIELDS * number + field] for field in range(_FIELDS)))
