"""An index on disk: parts, which are files of their own, and a list of these that says how much there is.

An index is what its list names. The list is replaced in one step, so an index is searched while the next one is made.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from course.applications.search.array_file import damaged, require_size
from course.applications.search.document import Document
from course.applications.search.part_file import open_part, part_path, parts_in
from course.applications.search.vectors import VectorsEntry
from course.errors import CourseError
from course.storage.outputs import write_json
from course.validation.values import require_instance

# An index of another version is made anew: raise it when what the files mean changes, or what a word is.
VERSION = 1
LIST = "index.json"
_FORMAT = "a search index of bert-from-nothing"

_Result = TypeVar("_Result")
# Calls a function for each part: `map`, or that of an executor whose workers read the same folder.
Map = Callable[[Callable[[Path], Any], Iterable[Path]], Iterable[Any]]


class PartEntry(NamedTuple):
    """What the list says of a part.

    Attributes:
        name: a hash of its documents.
        documents: how many.
        words: how many these have in all.
        size: of its file, in bytes.
    """

    name: str
    documents: int
    words: int
    size: int


class Index:
    """An index to search in.

    Args:
        folder: what `course.applications.search.indexing.make_index` has written.
        each: calls a function for each part, here or elsewhere.

    Attributes:
        source: the name of the texts.
        parts: what is known of each part.
        vectors: what is known of the vectors of each encoder that its documents have vectors of.
        num_documents: how many documents there are; a document without words is one, too.
        average_length: how many words they have, on average.

    Raises:
        CourseError: there is none, it is of another version, or it is damaged.
        TypeError: what is no path.

    Example:
        >>> index = Index(Path("build/index"))
        >>> index.document_frequencies(["wing", "wings"])
        array([12, 31])
    """

    def __init__(self, folder: Path, each: Map = map) -> None:
        require_instance(folder, "folder", Path)
        found = read_list(folder)
        if found is None:
            said = "has an index that was not finished" if parts_in(folder) else "has no index"
            raise CourseError(f"{folder} {said}. `python -m course index TEXTS --to {folder}` makes it.")
        if found["version"] != VERSION:
            raise CourseError(
                f"{folder} has an index of version {found['version']}, and this is version {VERSION}. "
                "`python -m course index` with the same texts makes it anew."
            )
        self.folder, self.source, self._each = folder, found["source"], each
        self.parts = [PartEntry(*entry) for entry in found["parts"]]
        self.vectors = [VectorsEntry(*entry) for entry in found.get("vectors", ())]
        self._starts = [0, *accumulate(part.documents for part in self.parts)]  # (parts + 1,)
        self.num_documents = self._starts[-1]
        self.average_length = sum(part.words for part in self.parts) / max(1, self.num_documents)
        for path, part in zip(self.paths, self.parts, strict=True):
            require_size(path, part.size)

    @property
    def paths(self) -> list[Path]:
        """The files of the parts."""
        return [part_path(self.folder, part.name) for part in self.parts]

    @property
    def first_documents(self) -> list[int]:
        """The number of the first document of each part: (parts,)."""
        return self._starts[:-1]

    def over_parts(self, function: Callable[[Path], _Result]) -> list[_Result]:
        """What a function says of each part."""
        return list(self._each(function, self.paths))

    def document_frequencies(self, words: Sequence[str]) -> np.ndarray:
        """How many documents have each of some words: int64, (words,)."""
        return np.sum(self.over_parts(partial(_frequencies, words=tuple(words))), axis=0)

    def document(self, number: int) -> Document:
        """One of the documents, counted from 0 in their order.

        Raises:
            CourseError: its part is damaged.
            IndexError: there is none of this number.
        """
        if not 0 <= number < self.num_documents:
            raise IndexError(f"a document has a number from 0 to {self.num_documents - 1}. Received: {number}")
        which = bisect_right(self._starts, number) - 1
        path = self.paths[which]
        try:
            return open_part(path).document(number - self._starts[which])
        except (ValueError, IndexError) as error:
            raise damaged(path, error) from error


def read_list(folder: Path) -> dict[str, Any] | None:
    """What an index says of itself; None where there is none.

    Raises:
        CourseError: it is damaged, or of another program.
    """
    path = folder / LIST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise damaged(path, error) from error
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise CourseError(f"{path} is of another program, and no index that this one can search. Name another folder.")
    if found.pop("checksum", None) != _checksum(found):
        raise damaged(path, "its checksum differs")
    return found


def write_list(folder: Path, source: str, parts: Sequence[PartEntry], vectors: Sequence[VectorsEntry] = ()) -> None:
    """Makes parts that are there, and vectors of them, the index.

    Raises:
        CourseError: it cannot be written.
    """
    said: dict[str, Any] = {"format": _FORMAT, "version": VERSION, "source": source, "parts": [*map(list, parts)]}
    if vectors:
        said["vectors"] = [*map(list, vectors)]
    write_json(folder / LIST, {**said, "checksum": _checksum(said)})


def _frequencies(path: Path, words: Sequence[str]) -> np.ndarray:
    part = open_part(path)
    try:
        return np.array([len(part.postings(word)[0]) for word in words], "int64")
    except (ValueError, IndexError) as error:
        raise damaged(path, error) from error


def _checksum(said: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
