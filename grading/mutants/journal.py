"""The results of mutants from earlier surveys, with which an interrupted survey resumes.

A mutant's result is valid as long as its code, the checks, the library and the judging code stay the same. After that,
it still says which check to try first.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import sys
from pathlib import Path
from types import TracebackType
from typing import TextIO

from grading.errors import GradingError
from grading.judging.exercise import Chapter
from grading.mutants.making import Mutant
from grading.storage.cache import key_of
from grading.storage.files import write_file
from grading.storage.project import PROJECT

FOLDER = PROJECT / "build" / "mutants"
_DECIDE = ("course", "grading/extraction", "grading/judging", "grading/sandbox", "requirements.lock")


class Journal:
    """The trials of one chapter, with inputs from one secret; one line of JSON each.

    Args:
        of: the chapter.
        secret: seeds the inputs of the checks.
        folder: the folder of journals.

    Use it as a context manager. If the folder cannot be written, results are not kept.
    """

    def __init__(self, of: Chapter, secret: bytes, folder: Path | None = None) -> None:
        name = f"{of.slug}-{hashlib.sha256(secret).hexdigest()[:8]}.jsonl"
        self._path = (folder or FOLDER) / name
        common = key_of(_DECIDE, sys.version, secret.hex())
        self._keys = {exercise: common + checks_of(of, exercise) for exercise in of.exercises}
        self._seen: dict[tuple[str, str], tuple[str, str]] = {}
        self._file: TextIO | None = None

    def __enter__(self) -> Journal:
        lines = 0
        with contextlib.suppress(OSError, UnicodeDecodeError):
            for line in self._path.read_text(encoding="utf-8").splitlines():
                lines += 1
                with contextlib.suppress(ValueError, TypeError):  # the last line may be half written
                    exercise, change, key, seen_by = json.loads(line)
                    self._seen[exercise, change] = key, seen_by
        with contextlib.suppress(OSError, GradingError):
            if lines > len(self._seen):
                kept = (_line(*mutant, *result) for mutant, result in self._seen.items())
                write_file(self._path, "".join(kept).encode())
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a", encoding="utf-8")
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file:
            self._file.close()

    def seen_by(self, mutant: Mutant) -> str | None:
        """The check that killed the mutant, or "" if it survived; None if there is no valid result."""
        key, seen_by = self._seen.get((mutant.exercise, mutant.change), ("", ""))
        return seen_by if key == self._key_of(mutant) else None

    def likely(self, mutant: Mutant) -> str:
        """The check that killed a mutant with this change when it was last tried, or ""."""
        return self._seen.get((mutant.exercise, mutant.change), ("", ""))[1]

    def note(self, mutant: Mutant, seen_by: str) -> None:
        result = self._key_of(mutant), seen_by
        self._seen[mutant.exercise, mutant.change] = result
        if self._file:
            self._file.write(_line(mutant.exercise, mutant.change, *result))
            self._file.flush()

    def _key_of(self, mutant: Mutant) -> str:
        return hashlib.sha256(f"{self._keys[mutant.exercise]}/{mutant.source}".encode()).hexdigest()[:16]


def checks_of(of: Chapter, exercise: str) -> str:
    """The text of a chapter's checks and of the modules that chapters share, without other exercises' checks."""
    folder = PROJECT / "grading" / "exercises"
    paths = sorted([*folder.glob("*.py"), *(folder / of.package).glob("*.py")])
    text = "\0".join(path.read_text(encoding="utf-8") for path in paths)
    others = (check for name, other in of.exercises.items() if name != exercise for check in other.checks)
    for check in others:
        text = text.replace(inspect.getsource(check.probe), "")
    return text


def _line(*parts: str) -> str:
    return json.dumps(parts, ensure_ascii=False) + "\n"
