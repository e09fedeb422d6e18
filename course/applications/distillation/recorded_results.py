"""What came of the runs that are too long for a lesson."""

from __future__ import annotations

from typing import Any

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

COMPRESSION_FILE = DATASETS / "full_compression.json.gz"


def load_compression_runs() -> tuple[pd.DataFrame, dict[str, Any]]:
    """The runs of `recipes/compression.py`, and the times of a BERT of the published size.

    Returns:
        A row for each model, seed and kind of numbers: "model", "int8", "seed", "accuracy" and "megabytes".
        The times: "milliseconds" by the number of tokens, and whether the processor has instructions for int8, "vnni".
    """
    found = read_packed(COMPRESSION_FILE)
    return pd.DataFrame(found["runs"]), found["speed"]
