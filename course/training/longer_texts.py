"""Results for texts longer than those in training, by kind of positions; `python -m recipes.positions` makes them."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

LONGER_TEXTS_FILE = DATASETS / "full_positions.json.gz"


def load_longer_texts() -> pd.DataFrame:
    """Load a row for each kind, seed and length: `reading`, `seed`, `words` in a row, and the `loss` of masked words.

    All were trained on rows of 32 words. Learned positions have no row for a longer one.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(LONGER_TEXTS_FILE))
