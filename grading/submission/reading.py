"""Reads a student's notebooks, intact or damaged; raises nothing but `DamagedSubmission`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grading.errors import GradingError
from grading.languages import ENGLISH, known_language
from grading.messages import Message, in_turn
from grading.submission.archives import unpack
from grading.submission.class_archive import ArchiveMember
from grading.submission.content import (
    as_utf8,
    kind_of,
    printable,
    read_file,
    readable,
    too_large,
    without_conflicts,
)
from grading.submission.finding import class_in
from grading.submission.json_reader import JsonReader, Malformed
from grading.submission.modules import MOST_BYTES, with_modules
from grading.submission.notebook import Cell, DamagedSubmission, Limits, Notebook
from grading.submission.submission_file import SubmissionFile

_NO_NOTEBOOK = Message("it is not a notebook: a notebook is JSON with cells")
_MOST_RESTARTS = 20
_MOST_NOTES = 20

# The keys of a cell's text in formats 4, 3, 1 and 1.
_TEXT_KEYS = {"source", "input", "code", "text"}
_KINDS = {"code": "code", "markdown": "markdown", "raw": "raw", "heading": "markdown", "html": "markdown"}
_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
# The beginning of a cell. Inside a JSON string, there would be a backslash before the quotation mark.
_cell_start = re.compile(rb'\{\s*"(?:attachments|cell_type|collapsed|execution_count|id|input|metadata|source)"\s*:')


@dataclass(frozen=True)
class HandedIn:
    """A submission that has been read, once, so that the graded bytes are those of the hash.

    Attributes:
        contents: each file's name for display, and its bytes or why there are none.
        modules: the same of the modules beside the notebooks.
        sha256: the hash of all of it.
    """

    file: SubmissionFile
    contents: tuple[tuple[str, bytes | DamagedSubmission], ...]
    sha256: str
    modules: tuple[tuple[str, bytes | DamagedSubmission], ...] = ()


def read_files(file: SubmissionFile, limits: Limits | None = None) -> HandedIn:
    """Read the files of a submission, as far as they are no larger together than what an archive may hold.

    Never raises, whatever they are.
    """
    limits = limits or Limits()
    said = (file.problem, file.notes, *filter(None, [file.for_instructor]))
    digest = hashlib.sha256(repr(said).encode(errors="backslashreplace"))
    space = limits.archive_bytes

    def within_space(path: Path | ArchiveMember, most_bytes: int) -> bytes | DamagedSubmission:
        nonlocal space
        content = _content(path, min(most_bytes, space))
        space -= len(content) if isinstance(content, bytes) else 0
        return content

    contents = tuple((_shown(path, file.path), within_space(path, limits.file_bytes)) for path in file.files)
    modules = tuple((_shown(path, file.path), within_space(path, MOST_BYTES)) for path in file.modules)
    for _, content in (*contents, *modules):
        data = content if isinstance(content, bytes) else str(content).encode(errors="backslashreplace")
        digest.update(hashlib.sha256(data).digest())
    return HandedIn(file, contents, digest.hexdigest(), modules)


def _content(file: Path | ArchiveMember, most_bytes: int) -> bytes | DamagedSubmission:
    try:
        return _read_file(file, most_bytes)
    except DamagedSubmission as damage:
        return damage
    except GradingError:
        raise
    except Exception as error:  # such as MemoryError; it costs only this submission
        return DamagedSubmission(Message("it cannot be read: {error}", error=type(error).__name__))


def _read_file(file: Path | ArchiveMember, most_bytes: int) -> bytes:
    if isinstance(file, Path):
        return read_file(file, most_bytes)
    data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise too_large(most_bytes)
    return data


def read_notebooks(file: SubmissionFile, limits: Limits | None = None) -> list[Notebook]:
    """Read every notebook of a submission, in the order of the files.

    Raises:
        DamagedSubmission: no notebook can be read.
    """
    return notebooks_of(read_files(file, limits), limits)


def notebooks_of(handed_in: HandedIn, limits: Limits | None = None) -> list[Notebook]:
    """The notebooks of a submission that has been read.

    Encodings, merge conflicts, truncated files and old formats are repaired, with a note. If only some of several files
    can be read, notes name the others.

    Raises:
        DamagedSubmission: no notebook can be read, or an archive contains a whole class.
    """
    limits = limits or Limits()
    if handed_in.file.problem:
        raise DamagedSubmission(handed_in.file.problem)
    notebooks: list[Notebook] = []
    problems: list[str] = []
    to_do: list[str] = []

    def left_out(name: str, damage: DamagedSubmission) -> None:
        problems.append(Message("{file}: {note}", file=name, note=Message.of(str(damage))))
        to_do.extend([f"{name}: {damage.to_do}"] if damage.to_do else [])

    for shown, data in handed_in.contents:
        if not isinstance(data, bytes):
            left_out(shown, data)
            continue
        try:
            kind = kind_of(data, shown)
            members: dict[str, bytes] = {shown: data}
            modules: dict[str, bytes | DamagedSubmission] = dict(handed_in.modules)
            if kind != "notebook":
                unpacked = unpack(data, kind, limits)
                _refuse_class(shown, unpacked.notebooks)
                members = {f"{shown}/{name}": unpacked.notebooks[name] for name in sorted(unpacked.notebooks)}
                modules = {f"{shown}/{name}": text for name, text in unpacked.modules.items()}
                problems += [Message("{file}: {note}", file=shown, note=Message.of(note)) for note in unpacked.notes]
        except DamagedSubmission as damage:
            left_out(shown, damage)
            continue
        for name, content in members.items():
            try:
                notebooks.append(with_modules(_notebook(name, content, limits), modules))
            except DamagedSubmission as damage:
                left_out(name, damage)
    if not notebooks:
        reason = in_turn(problems[:5]) if problems else Message("there is no file to read")
        raise DamagedSubmission(reason, "; ".join(to_do[:5]))
    notes = (*handed_in.file.notes, *problems[:_MOST_NOTES])
    return [
        replace(notebook, notes=notebook.notes + notes, for_instructor=tuple(to_do[:_MOST_NOTES]))
        for notebook in notebooks
    ]


def _refuse_class(shown: str, names: Collection[str]) -> None:
    """Refuse the download of a whole class among the submissions, which would count as one student's work."""
    found = class_in(names)
    if found:
        system, students = found
        raise DamagedSubmission(
            Message("it is a download from {system}, with the work of several students", system=system),
            f"grade {shown} by itself, as a class (students: {students})",
        )


def _shown(path: Path | ArchiveMember, root: Path) -> str:
    """The path inside the submission, because the instructor's folders do not belong on a student's page."""
    if isinstance(path, ArchiveMember):
        return printable(path.name)
    inside = path != root and path.is_relative_to(root)
    return printable(path.relative_to(root).as_posix() if inside else path.name)


@dataclass
class _Contents:
    """The parts of a notebook that have been read so far."""

    cells: list[dict[str, Any]] = field(default_factory=list)
    chapter: int | None = None
    language: str = ENGLISH
    has_cells: bool = False
    last_cell_at: int = 0
    source_left: int = 0  # bytes
    notes: list[str] = field(default_factory=list)


def _notebook(shown: str, data: bytes, limits: Limits) -> Notebook:
    text, notes = as_utf8(data)
    _refuse_other_files(text)
    ours = without_conflicts(text)
    if ours != text:
        notes.append(Message("it contains merge conflicts; our side (the upper one) was taken"))
    contents = _contents(ours, limits)
    if not contents.has_cells:
        no_cells = Message("it is JSON, but not a notebook: it has no cells")
        raise DamagedSubmission(in_turn(contents.notes) if contents.notes else no_cells)
    cells = tuple(_cell(fields, index, contents.notes) for index, fields in enumerate(contents.cells, 1))
    all_notes = notes + contents.notes
    if len(all_notes) > _MOST_NOTES:
        all_notes[_MOST_NOTES:] = [Message("and {number} more notes", number=len(all_notes) - _MOST_NOTES)]
    digest = hashlib.sha256(data).hexdigest()
    return Notebook(shown, cells, contents.chapter, tuple(all_notes), digest, language=contents.language)


def _refuse_other_files(text: bytes) -> None:
    """Refuse the files that students most often submit instead of a notebook, and name them."""
    head = text[:1000].strip()
    if not head and not text.strip():
        raise DamagedSubmission(Message("it is empty"))
    if head[:1] == b"<":
        raise DamagedSubmission(Message("it is a web page, not a notebook; download the notebook itself"))
    if head.startswith(b"version https://git-lfs"):
        raise DamagedSubmission(Message("it is a pointer of Git LFS, not the notebook"), "run `git lfs pull` first")
    if head.startswith(b"%PDF"):
        raise DamagedSubmission(Message("it is a PDF, not a notebook"))


def _contents(text: bytes, limits: Limits) -> _Contents:
    contents = _Contents(source_left=limits.source_bytes)
    reader = JsonReader(text)
    try:
        _read_root(reader, contents, limits)
    except Malformed as damage:
        contents.notes.append(_read_around(reader, contents, limits, damage))
        contents.cells = [fields for fields in contents.cells if isinstance(fields.get("source"), str)]
        contents.has_cells = bool(contents.cells)
        if not contents.has_cells:
            began = damage.truncated and text.lstrip().startswith(b"{")
            problem = Message("it is cut off before the end of its first cell") if began else _NO_NOTEBOOK
            contents.notes[:] = [problem]
    if reader.has_stray_bytes:
        contents.notes.append(Message("it is not entirely UTF-8; other bytes were read as Windows-1252"))
    return contents


def _read_around(reader: JsonReader, contents: _Contents, limits: Limits, damage: Malformed) -> str:
    """Read on after a damaged place as far as possible, and return a note on it."""
    if reader.is_exhausted:
        return Message("it is too large to be read to its end; only its first cells were read")
    before = len(contents.cells)
    line = reader.data.count(b"\n", 0, reader.position) + 1
    # A missing quotation mark inverts all strings after it, so look again from the cell that contains it.
    reader.position = contents.last_cell_at + 1
    _read_on(reader, contents, limits)
    if damage.truncated and len(contents.cells) == before:
        return Message("the file is cut off; the cells before that were read")
    return Message("it is not valid JSON at line {line}; the cells before and after that were read", line=line)


def _read_root(reader: JsonReader, contents: _Contents, limits: Limits) -> None:
    for key in reader.members():
        if key == "cells":
            contents.cells.clear()  # of two members with the same name, JSON readers take the last
            _read_cells(reader, contents, limits)
        elif key == "worksheets" and reader.peek() == b"[":
            contents.notes.append(Message("it is in a notebook format before 4"))
            for _ in reader.items():
                if reader.peek() == b"{":
                    _read_worksheet(reader, contents, limits)
        elif key == "metadata":
            _read_metadata(reader, contents)


def _read_metadata(reader: JsonReader, contents: _Contents) -> None:
    contents.chapter, contents.language = None, ENGLISH
    for key in reader.members() if reader.peek() == b"{" else ():
        for name in reader.members() if key == "course" and reader.peek() == b"{" else ():
            if name == "chapter":
                chapter = reader.at()
                contents.chapter = chapter if type(chapter) is int else None
            elif name == "language":
                contents.language = known_language(reader.at()) or ENGLISH


def _read_worksheet(reader: JsonReader, contents: _Contents, limits: Limits) -> None:
    for key in reader.members():
        if key == "cells":
            _read_cells(reader, contents, limits)


def _read_cells(reader: JsonReader, contents: _Contents, limits: Limits) -> None:
    if reader.peek() != b"[":
        contents.notes.append(Message("its cells are not a list"))
        return
    contents.has_cells = True
    for count, _ in enumerate(reader.items()):
        if count == limits.cells:
            contents.notes.append(Message("only its first {number} cells were read", number=limits.cells))
        elif count < limits.cells and reader.peek() == b"{":
            _read_cell(reader, contents)


def _read_cell(reader: JsonReader, contents: _Contents) -> None:
    """Read one cell into the contents, member by member, so that the part before a cut is kept."""
    fields: dict[str, Any] = {}
    contents.cells.append(fields)
    contents.last_cell_at = reader.position
    for key in reader.members():
        if key in _TEXT_KEYS:
            before = reader.position
            fields["source"] = _joined(reader.lines(contents.source_left))
            contents.source_left -= reader.position - before if fields["source"] else 0
        elif key == "metadata":
            fields["grade_id"] = reader.at("nbgrader", "grade_id")
        elif key in {"id", "cell_type"}:
            fields[key] = reader.at()


def _read_on(reader: JsonReader, contents: _Contents, limits: Limits) -> None:
    """Read everything that looks like a cell from the reader's position to the end."""
    restarts = 0
    while len(contents.cells) < limits.cells and restarts < _MOST_RESTARTS:
        start = _cell_start.search(reader.data, reader.position)
        if start is None:
            return
        reader.position = start.start()
        try:
            _read_cell(reader, contents)
        except Malformed:
            restarts += 1
            reader.position = start.end()


def _cell(fields: dict[str, Any], index: int, notes: list[str]) -> Cell:
    source = fields.get("source")
    if source is None:
        notes.append(Message("cell {cell} was left out: it has no text, or too much", cell=index))
        source = ""
    kind = fields.get("cell_type")
    known = _KINDS.get(kind) if isinstance(kind, str) else None
    if known is None:
        notes.append(Message("cell {cell} has an unknown type and was read as code", cell=index))
    ours = without_conflicts(source.encode()).decode()
    if ours != source:
        notes.append(Message("cell {cell} contains merge conflicts; our side (the upper one) was taken", cell=index))
    ids = (fields.get("id"), fields.get("grade_id"))
    cell_id = next((name for name in ids if isinstance(name, str) and _ID.fullmatch(name)), "")
    return Cell(cell_id, known or "code", ours, index)


def _joined(lines: list[str] | None) -> str | None:
    """A cell's text from its lines. Some editors drop the line ends when they write the list."""
    if lines is None:
        return None
    return readable(("" if any(line.endswith("\n") for line in lines[:-1]) else "\n").join(lines))
