"""Makes an index, a part at a time. A part that is there already is used again, so a killed indexing goes on.

A part is known by its documents. When texts are changed, the parts before the change are as they were, and those
behind it are made anew; so what is added at the end costs what is new, and at most one part more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.applications.search.array_file import DamagedError, is_whole
from course.applications.search.document import Document
from course.applications.search.index import LIST, VERSION, Index, PartEntry, read_list, write_list
from course.applications.search.part import Part
from course.applications.search.part_file import files_in, graph_path, open_part, part_path, save_part, vectors_path
from course.applications.search.texts import Texts
from course.applications.search.vectors import TextEncoder, VectorsEntry, make_vectors
from course.errors import CourseError
from course.storage.atomic import clear_drafts, require_writable
from course.validation.values import require_instance

PART_DOCUMENTS = 10_000
_PART_CHARACTERS = 8_000_000  # so that long documents do not fill the memory


@dataclass(frozen=True)
class Indexed:
    """What came of an indexing.

    Attributes:
        index: to search in.
        made: how many parts were made.
        kept: how many were there already.
        empty: how many documents have no word.
    """

    index: Index
    made: int
    kept: int
    empty: int


def make_index(
    texts: Texts,
    folder: Path,
    progress: Callable[[int], None] = lambda done: None,
    encoders: Sequence[TextEncoder] = (),
    encoded: Callable[[str, int, int], None] = lambda encoder, done, total: None,
) -> Indexed:
    """Makes the index of texts, or brings it up to date. What comes out is the same as from nothing.

    Args:
        texts: what to read.
        folder: where to write. What is there is searched until the end; then the new index takes its place.
        progress: is told how many characters have been read.
        encoders: make vectors of the documents.
        encoded: is told the name of an encoder, of how many documents it has made vectors, and of how many it will.

    Raises:
        CourseError: the folder holds something else, or vectors of other encoders; it cannot be written; the texts
            cannot be read, or have no word.
        TypeError: what are no texts or no path.
    """
    require_instance(texts, "texts", Texts)
    require_instance(folder, "folder", Path)
    _require_ours(folder, texts, encoders)
    require_writable(folder)
    clear_drafts(folder)
    parts: list[PartEntry] = []
    read = made = empty = 0
    for documents in _batches(texts.documents()):
        name = _name(documents)
        path = part_path(folder, name)
        if not is_whole(path):
            open_part.cache_clear()  # it may know a damaged file of this name
            save_part(path, Part.of_documents(documents))
            made += 1
        lengths = open_part(path).lengths
        parts.append(PartEntry(name, len(documents), int(lengths.sum()), path.stat().st_size))
        empty += int((lengths == 0).sum())
        read += sum(map(_characters, documents))
        progress(read)
    if not any(part.words for part in parts):
        raise CourseError(f"{texts.name} has {sum(part.documents for part in parts):,} documents, and no word in them.")
    vectors = [_vectors(folder, parts, encoder, encoded) for encoder in encoders]
    write_list(folder, texts.name, parts, vectors)
    _remove_others(folder, parts, vectors)
    return Indexed(Index(folder), made, len(parts) - made, empty)


def _vectors(
    folder: Path, parts: Sequence[PartEntry], encoder: TextEncoder, encoded: Callable[[str, int, int], None]
) -> VectorsEntry:
    done, total = 0, sum(part.documents for part in parts)

    def progress(more: int) -> None:
        nonlocal done
        done += more
        encoded(encoder.name, done, total)

    return make_vectors(folder, [part.name for part in parts], encoder, progress)


def _require_ours(folder: Path, texts: Texts, encoders: Sequence[TextEncoder]) -> None:
    """Raises a CourseError where something else would be overwritten."""
    if folder.is_file():
        raise CourseError(f"{folder} is a file. Name a folder for the index.")
    try:
        found = read_list(folder)
    except DamagedError:  # ours, and made anew, where nothing else is there
        found = None
    if found is not None and found.get("source") != texts.name:
        raise CourseError(
            f"{folder} has an index of {found.get('source')}, not of {texts.name}. Name another folder, or delete it."
        )
    _require_encoders(folder, found, encoders)
    if found is None and folder.is_dir():
        ours = [*files_in(folder), folder / LIST]
        other = [path.name for path in folder.iterdir() if path not in ours and not path.name.startswith(".")]
        if other:
            raise CourseError(f"{folder} has other files, such as {min(other)}. Name a new folder for the index.")


def _require_encoders(folder: Path, found: dict[str, Any] | None, encoders: Sequence[TextEncoder]) -> None:
    """Raises a CourseError where vectors would be lost that take long to make."""
    known = {encoder.fingerprint for encoder in encoders}
    for entry in (VectorsEntry(*said) for said in (found or {}).get("vectors", ())):
        if entry.fingerprint not in known:
            raise CourseError(
                f"{folder} has the vectors of {entry.name} ({entry.fingerprint}), which would be lost. Name it, too: "
                f"--vectors {entry.name}; if it is another one by now, name a new folder for the index."
            )


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """The documents of each part: as many as go into one, whatever comes behind them."""
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += _characters(document)
        if len(batch) == PART_DOCUMENTS or characters >= _PART_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _characters(document: Document) -> int:
    return len(document.title) + len(document.text)


def _name(documents: Iterable[Document]) -> str:
    digest = hashlib.sha256(str(VERSION).encode())
    for document in documents:
        digest.update(json.dumps(document).encode())
    return digest.hexdigest()[:32]


def _remove_others(folder: Path, parts: Sequence[PartEntry], vectors: Sequence[VectorsEntry]) -> None:
    """Removes the files of the index that was there before.

    Windows removes no file that a search has mapped. Such a one is in nobody's way, and goes with the next indexing.
    """
    kept = {part_path(folder, part.name) for part in parts}
    for make in (vectors_path, graph_path):
        kept |= {make(part_path(folder, part.name), entry.fingerprint) for part in parts for entry in vectors}
    for path in files_in(folder):
        if path not in kept:
            with suppress(OSError):
                path.unlink()
