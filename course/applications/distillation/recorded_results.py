"""Recorded results of compression runs that are too long for a lesson."""

from __future__ import annotations

from typing import Any

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

COMPRESSION_FILE = DATASETS / "full_compression.json.gz"


def load_compression_runs() -> tuple[pd.DataFrame, dict[str, Any]]:
    """Load the runs of `recipes/compression.py`, and the latency of a BERT of the published size.

    Returns:
        A row for each model, seed and number format: "model", "int8", "seed", "accuracy" and "megabytes".
        The latency: "milliseconds" by the number of tokens, and "vnni": whether the processor has int8 instructions.
    """
    results = read_packed(COMPRESSION_FILE)
    return pd.DataFrame(results["runs"]), results["speed"]
