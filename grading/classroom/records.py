"""The records of a class, however large: read from the disk one at a time, or kept as short outlines."""

from __future__ import annotations

import json
from array import array
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from grading.classroom.grader import SubmissionRecord
from grading.errors import GradingError


class Records(Collection[SubmissionRecord]):
    """Records in a folder of results. Each pass over them reads them anew, so none is kept.

    Args:
        paths: their files, in the order in which they are wanted.

    Raises:
        GradingError: at a file that cannot be read.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def __iter__(self) -> Iterator[SubmissionRecord]:
        return map(read_record, self._paths)

    def __contains__(self, record: object) -> bool:
        return any(record == one for one in self)


def read_record(path: Path) -> SubmissionRecord:
    """The record in a file of results.

    Raises:
        GradingError: it cannot be read.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))["record"]
    except (OSError, ValueError, KeyError) as error:
        raise GradingError(f"cannot read {path} ({error}); delete it and grade again") from error


def outline(record: SubmissionRecord) -> SubmissionRecord:
    """A record without what takes most of its room: its checks and its pictures. Fingerprints are packed."""
    exercises = [{**exercise, "checks": [], "panels": []} for exercise in record["exercises"]]
    packed: dict[str, Any] = {name: array("I", prints) for name, prints in record["fingerprints"].items()}
    outlined: Any = {**record, "exercises": exercises, "fingerprints": packed}
    return outlined
