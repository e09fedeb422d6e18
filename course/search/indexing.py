"""Makes an index, a part at a time. A part that is there already is used again, so a killed indexing goes on.

A part is known by its documents. When texts are changed, the parts before the change are as they were, and those
behind it are made anew; so what is added at the end costs what is new, and at most one part more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from course.errors import CourseError
from course.search.document import Document
from course.search.index import LIST, VERSION, Index, PartEntry, read_list, write_list
from course.search.part import Part
from course.search.part_file import DamagedError, is_whole, open_part, part_path, parts_in, save_part
from course.search.texts import Texts
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


def make_index(texts: Texts, folder: Path, progress: Callable[[int], None] = lambda done: None) -> Indexed:
    """Makes the index of texts, or brings it up to date. What comes out is the same as from nothing.

    Args:
        texts: what to read.
        folder: where to write. What is there is searched until the end; then the new index takes its place.
        progress: is told how many characters have been read.

    Raises:
        CourseError: the folder holds something else, or cannot be written; the texts cannot be read, or have no word.
        TypeError: what are no texts or no path.
    """
    require_instance(texts, "texts", Texts)
    require_instance(folder, "folder", Path)
    _require_ours(folder, texts)
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
    write_list(folder, texts.name, parts)
    _remove_others(folder, {part.name for part in parts})
    return Indexed(Index(folder), made, len(parts) - made, empty)


def _require_ours(folder: Path, texts: Texts) -> None:
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
    if found is None and folder.is_dir():
        ours = [*parts_in(folder), folder / LIST]
        other = [path.name for path in folder.iterdir() if path not in ours and not path.name.startswith(".")]
        if other:
            raise CourseError(f"{folder} has other files, such as {min(other)}. Name a new folder for the index.")


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


def _remove_others(folder: Path, names: set[str]) -> None:
    """Removes the parts of the index that was there before.

    Windows removes no file that a search has mapped. Such a part is in nobody's way, and goes with the next indexing.
    """
    for path in parts_in(folder):
        if path.stem not in names:
            with suppress(OSError):
                path.unlink()
