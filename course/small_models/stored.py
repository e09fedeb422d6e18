"""What came of the runs that are too long for a lesson."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd

COMPRESSION_FILE = Path(__file__).resolve().parents[2] / "datasets" / "full_compression.json.gz"


def load_compression_runs() -> tuple[pd.DataFrame, dict[str, Any]]:
    """The runs of `recipes/compression.py`, and the times of a BERT of the published size.

    Returns:
        A row for each model, seed and kind of numbers: "model", "int8", "seed", "accuracy" and "megabytes".
        The times: "milliseconds" by the number of tokens, and whether the processor has instructions for int8, "vnni".
    """
    found = json.loads(gzip.decompress(COMPRESSION_FILE.read_bytes()))
    return pd.DataFrame(found["runs"]), found["speed"]
