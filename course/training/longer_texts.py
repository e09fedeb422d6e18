"""What came of texts that are longer than those in training, by kind of positions: `python -m recipes.positions`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pandas as pd

LONGER_TEXTS_FILE = Path(__file__).parents[2] / "datasets" / "full_positions.json.gz"


def load_longer_texts() -> pd.DataFrame:
    """A row for each way to read, seed and length: `reading`, `seed`, `words` in a row, and the `loss` of masked words.

    All were trained on rows of 32 words. Learned positions have no row for a longer one.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    with gzip.open(LONGER_TEXTS_FILE, "rt", encoding="utf-8") as file:
        return pd.DataFrame(json.load(file))
