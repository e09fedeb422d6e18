"""Write the same table as each kind of file, compressed or not."""

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
    """Return the content of a file of the kind ".csv", ".tsv", ".jsonl" or ".parquet"."""
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
    """Write a file, compressed if its name ends with .gz."""
    path.write_bytes(gzip.compress(content) if path.suffix.lower() == ".gz" else content)
    return path
