"""The same table as people have it: in each kind of file, packed or not."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Rows = Sequence[dict[str, Any]]


def bytes_of(rows: Rows, kind: str) -> bytes:
    """The content of a file of one of the kinds ".csv", ".tsv", ".jsonl" and ".parquet"."""
    if kind == ".parquet":
        import pyarrow
        import pyarrow.parquet

        packed = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), packed)
        return packed.getvalue()
    if kind == ".jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), delimiter="\t" if kind == ".tsv" else ",")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode()


def write(path: Path, content: bytes) -> Path:
    """Writes it; packed, where the name ends with .gz."""
    path.write_bytes(gzip.compress(content) if path.suffix.lower() == ".gz" else content)
    return path
