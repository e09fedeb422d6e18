"""Make an index, a part at a time. Existing parts are reused, so a killed indexing resumes.

A part is named after a hash of its documents, and of the language whose endings are removed. A change in the texts
leaves the parts before it as they are, and may remake those after it. Appending texts therefore costs only the new
texts, and at most one part more.
"""

from __future__ import annotations

import hashlib
import json
import os
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
from course.applications.search.words import STEMMERS
from course.errors import CourseError
from course.storage.atomic import clear_drafts, require_writable
from course.validation.values import require_instance

PART_DOCUMENTS = 10_000
_PART_CHARACTERS = 8_000_000  # keeps parts of long documents within memory


@dataclass(frozen=True)
class Indexed:
    """The result of an indexing.

    Attributes:
        index: to search in.
        made: the number of new parts.
        kept: the number of reused parts.
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
    language: str | None = None,
) -> Indexed:
    """Make the index of texts, or bring it up to date. The files equal those of an index made from scratch.

    Args:
        texts: the documents.
        folder: of the index. An existing index stays searchable until the new one replaces it.
        progress: called with the number of characters read so far.
        encoders: make vectors of the documents.
        encoded: called with an encoder's name, the number of documents it has encoded, and the number of all.
        language: the ISO 639 code of the language whose endings are removed from the words. None, or one without a
            stemmer: the words stay as they stand.

    Raises:
        CourseError: the folder contains other files, or vectors of other encoders; it cannot be written; the texts
            cannot be read, or have no word.
        TypeError: not a `Texts`, or not a path.
    """
    require_instance(texts, "texts", Texts)
    require_instance(folder, "folder", Path)
    language = language if language in STEMMERS else None
    _require_ours(folder, texts, encoders)
    require_writable(folder)
    clear_drafts(folder)
    parts: list[PartEntry] = []
    read = made = empty = 0
    for documents in _batches(texts.documents()):
        name = _name(documents, language)
        path = part_path(folder, name)
        if not is_whole(path):
            open_part.cache_clear()  # it may have cached a damaged file of this name
            save_part(path, Part.of_documents(documents, language))
            made += 1
        lengths = open_part(path).lengths
        parts.append(PartEntry(name, len(documents), int(lengths.sum()), path.stat().st_size))
        empty += int((lengths == 0).sum())
        read += sum(map(_characters, documents))
        progress(read)
    if not any(part.words for part in parts):
        raise CourseError(f"{texts.name} has {sum(part.documents for part in parts):,} documents, and none has a word.")
    vectors = [_vectors(folder, parts, encoder, encoded) for encoder in encoders]
    write_list(folder, texts.name, parts, vectors, language, texts.path)
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
    """Raise a CourseError if the index would overwrite something else."""
    if folder.is_file():
        raise CourseError(f"{folder} is a file. Name a folder for the index.")
    try:
        content = read_list(folder)
    except DamagedError:  # our own list: rebuild it, unless the folder has other files
        content = None
    name, path = (content.get("source"), content.get("path", "")) if content is not None else (texts.name, "")
    # Path.exists raises where this account may not look.
    is_another = bool(path) and path != texts.path and os.path.exists(path)  # noqa: PTH110
    if name != texts.name or is_another:  # else they were moved
        raise CourseError(
            f"{folder} has an index of {path or name}, not of {texts.path or texts.name}. "
            "Name another folder, or delete this one."
        )
    _require_encoders(folder, content, encoders)
    if content is None and folder.is_dir():
        ours = [*files_in(folder), folder / LIST]
        other = [path.name for path in folder.iterdir() if path not in ours and not path.name.startswith(".")]
        if other:
            raise CourseError(f"{folder} has other files, such as {min(other)}. Name a new folder for the index.")


def _require_encoders(folder: Path, content: dict[str, Any] | None, encoders: Sequence[TextEncoder]) -> None:
    """Raise a CourseError if vectors, which take long to make, would be lost."""
    known = {encoder.fingerprint for encoder in encoders}
    for entry in (VectorsEntry(*fields) for fields in (content or {}).get("vectors", ())):
        if entry.fingerprint not in known:
            raise CourseError(
                f"{folder} has the vectors of {entry.name} ({entry.fingerprint}), which would be lost. Name this "
                f"encoder, too: --vectors {entry.name}. If it has changed since, name a new folder for the index."
            )


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield the documents of each part. Where a part ends does not depend on later documents."""
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


def _name(documents: Iterable[Document], language: str | None) -> str:
    digest = hashlib.sha256(f"{VERSION}{language or ''}".encode())
    for document in documents:
        digest.update(json.dumps(document).encode())
    return digest.hexdigest()[:32]


def _remove_others(folder: Path, parts: Sequence[PartEntry], vectors: Sequence[VectorsEntry]) -> None:
    """Remove the files of the previous index.

    Windows cannot remove a file that a search has mapped. Such a file does no harm, and the next indexing removes it.
    """
    kept = {part_path(folder, part.name) for part in parts}
    for make in (vectors_path, graph_path):
        kept |= {make(part_path(folder, part.name), entry.fingerprint) for part in parts for entry in vectors}
    for path in files_in(folder):
        if path not in kept:
            with suppress(OSError):
                path.unlink()
