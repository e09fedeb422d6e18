"""Reads what is written as CSV."""

from __future__ import annotations

import csv
import io


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))
