"""Lists in TOML of exceptions, each of which has its reason."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from grading.errors import GradingError
from grading.storage.files import read_text


def reasoned_entries(path: Path, table: str, keys: Collection[str]) -> list[dict[str, Any]]:
    """Read the tables of a list.

    Args:
        path: the TOML file.
        table: the name of the tables.
        keys: the keys that each table must have; one of them is `reason`.

    Raises:
        GradingError: the file cannot be read, or an entry has other keys or no reason.
    """
    try:
        entries = tomllib.loads(read_text(path)).get(table, [])
    except tomllib.TOMLDecodeError as error:
        raise GradingError(f"{path} is not TOML: {error}") from error
    for number, entry in enumerate(entries, 1):
        if set(entry) != set(keys) or not entry["reason"].strip():
            raise GradingError(
                f"{path}, entry {number}: it has {sorted(entry)}; wanted {', '.join(sorted(keys))}, and a reason"
            )
    return entries
