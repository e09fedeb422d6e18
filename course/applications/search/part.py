"""A part of an index: some documents, and for each word the documents that have it."""

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
    """Documents, counted from 0, and their inverted index.

    Attributes:
        words: all words that occur, or their stems, sorted.
        starts: int64, (words + 1,), where the postings of each word begin; the last number is the number of postings.
        documents: int32, (postings,), the documents that have the word, in ascending order.
        counts: uint8 or larger, (postings,), how often each of these documents has the word.
        lengths: int32, (documents,), how many words each document has.
        stored: the fields of all documents, document by document.
    """

    words: PackedTexts
    starts: np.ndarray
    documents: np.ndarray
    counts: np.ndarray
    lengths: np.ndarray
    stored: PackedTexts

    @classmethod
    def of_documents(cls, documents: Iterable[Document], language: str | None = None) -> Part:
        """Index documents. Words of a title count like words of the text; `language` is as in `search_words`."""
        documents = list(documents)
        ids: dict[str, int] = {}
        word_ids, lengths = array("q"), []  # the ids of all words, document by document
        for document in documents:
            words = search_words(f"{document.title} {document.text}", language)
            word_ids.extend(ids.setdefault(word, len(ids)) for word in words)
            lengths.append(len(words))
        in_order = sorted(ids, key=str.encode)
        place = np.empty(len(ids), "int64")
        place[[ids[word] for word in in_order]] = np.arange(len(ids))
        owner = np.repeat(np.arange(len(documents)), lengths)
        pairs = place[np.frombuffer(word_ids, "int64")] * max(1, len(documents)) + owner  # (words of all documents,)
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
        """Return the documents that have a word, and how often each has it: (documents,) each."""
        place = self.words.find(word)
        if place is None:
            return self.documents[:0], self.counts[:0]
        which = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return self.documents[which], self.counts[which]

    def document(self, number: int) -> Document:
        """Return a document by its number."""
        return Document(*(self.stored[_FIELDS * number + field] for field in range(_FIELDS)))
