"""The outlines of a chapter's records, kept in one file so that a course of thousands of records opens in seconds."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from grading.classroom.records import outline, read_record
from grading.classroom.results import Results
from grading.classroom.submission_record import SubmissionRecord
from grading.errors import GradingError
from grading.storage.files import write_file
from grading.storage.project import version

FILE = "outlines.json"


def outlines(results: Results) -> dict[Path, SubmissionRecord]:
    """The outlines of the records that count in a chapter of a course, without fingerprints, by the records' paths.

    They are read from the kept file while no record has changed, and else made again.

    Raises:
        GradingError: a record cannot be read.
    """
    folder, paths = results.folder, results.paths()
    key = _key(paths)
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
        kept = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if kept["key"] == key:
            return dict(zip(paths, kept["outlines"], strict=True))
    # JSON has no arrays of fingerprints, and a course compares none.
    made: list[SubmissionRecord] = [{**outline(read_record(path)), "fingerprints": {}} for path in paths]
    with contextlib.suppress(GradingError):  # a folder that cannot be written to is only slower
        write_file(folder / FILE, json.dumps({"key": key, "outlines": made}), mode=0o600)
    return dict(zip(paths, made, strict=True))


def _key(paths: list[Path]) -> str:
    digest = hashlib.sha256(version().encode())  # another version may read other things in a record
    for path in paths:
        found = path.stat()
        state = f"{path.name}\0{found.st_mtime_ns}\0{found.st_size}\0{found.st_ino}\0"
        digest.update(state.encode(errors="surrogateescape"))
    return digest.hexdigest()
