"""An index on disk: parts, one file each, and a list of the parts with their sizes.

Only the parts in the list belong to the index. The list is replaced atomically, so the old index stays searchable until
the next one is complete.
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

# An index of another version is rebuilt. Raise the number when the meaning of the files changes, or the word rule.
VERSION = 1
LIST = "index.json"
_FORMAT = "a search index of bert-from-nothing"

_Result = TypeVar("_Result")
# Calls a function for each part: `map`, or the `map` of an executor whose workers read the same folder.
Map = Callable[[Callable[[Path], Any], Iterable[Path]], Iterable[Any]]


class PartEntry(NamedTuple):
    """The entry of a part in the list.

    Attributes:
        name: a hash of its documents.
        documents: the number of its documents.
        words: the total number of their words.
        size: of its file, in bytes.
    """

    name: str
    documents: int
    words: int
    size: int


class Index:
    """An index to search in.

    Args:
        folder: written by `course.applications.search.indexing.make_index`.
        each: calls a function for each part, in this process or in others.

    Attributes:
        source: the name of the texts.
        parts: the entry of each part.
        vectors: an entry for each encoder whose vectors the index has.
        language: whose endings were removed from the words, an ISO 639 code; None for words as they stand.
        num_documents: how many documents there are, including those without words.
        average_length: the mean number of words of a document.

    Raises:
        CourseError: the folder has no index, one of another version, or a damaged one.
        TypeError: not a path.

    Example:
        >>> index = Index(Path("build/index"))
        >>> index.document_frequencies(["wing", "wings"])
        array([12, 31])
    """

    def __init__(self, folder: Path, each: Map = map) -> None:
        require_instance(folder, "folder", Path)
        content = read_list(folder)
        if content is None:
            state = "has an unfinished index" if parts_in(folder) else "has no index"
            raise CourseError(f"{folder} {state}. `python -m course index TEXTS --to {folder}` makes it.")
        if content["version"] != VERSION:
            raise CourseError(
                f"{folder} has an index of version {content['version']}, and this is version {VERSION}. "
                "`python -m course index` with the same texts rebuilds it."
            )
        self.folder, self.source, self._each = folder, content["source"], each
        self.parts = [PartEntry(*entry) for entry in content["parts"]]
        self.vectors = [VectorsEntry(*entry) for entry in content.get("vectors", ())]
        self.language: str | None = content.get("language")
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
        """Return the result of a function for each part."""
        return list(self._each(function, self.paths))

    def document_frequencies(self, words: Sequence[str]) -> np.ndarray:
        """Return how many documents have each of these words: int64, (words,)."""
        return np.sum(self.over_parts(partial(_frequencies, words=tuple(words))), axis=0)

    def document(self, number: int) -> Document:
        """Return the document with a number, counted from 0.

        Raises:
            CourseError: its part is damaged.
            IndexError: no document has this number.
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
    """Return the content of an index's list; None if there is no list.

    Raises:
        CourseError: the list is damaged, or of another program.
    """
    path = folder / LIST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise damaged(path, error) from error
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise CourseError(f"{path} is of another program, not an index of this one. Name another folder.")
    if content.pop("checksum", None) != _checksum(content):
        raise damaged(path, "its checksum differs")
    return content


def write_list(
    folder: Path,
    source: str,
    parts: Sequence[PartEntry],
    vectors: Sequence[VectorsEntry] = (),
    language: str | None = None,
    path: str = "",
) -> None:
    """Write the list that makes existing parts and vectors the index.

    Raises:
        CourseError: the list cannot be written.
    """
    content: dict[str, Any] = {"format": _FORMAT, "version": VERSION, "source": source, "parts": [*map(list, parts)]}
    if vectors:
        content["vectors"] = [*map(list, vectors)]
    if language:
        content["language"] = language
    if path:
        content["path"] = path
    write_json(folder / LIST, {**content, "checksum": _checksum(content)})


def _frequencies(path: Path, words: Sequence[str]) -> np.ndarray:
    part = open_part(path)
    try:
        return np.array([len(part.postings(word)[0]) for word in words], "int64")
    except (ValueError, IndexError) as error:
        raise damaged(path, error) from error


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
