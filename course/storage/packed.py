"""Compressed JSON, for results that recipes compute and lessons show."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from course.storage.atomic import atomic_file


def write_packed(path: Path, content: Any) -> None:
    """Writes plain values. The same values always give the same bytes."""
    with atomic_file(path) as draft:
        draft.write_bytes(gzip.compress(json.dumps(content).encode(), mtime=0))


def read_packed(path: Path) -> Any:
    """Reads what `write_packed` wrote.

    Raises:
        FileNotFoundError: there is no such file.
    """
    return json.loads(gzip.decompress(path.read_bytes()))
