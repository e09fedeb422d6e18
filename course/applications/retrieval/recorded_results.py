"""What came of the rankers of chapter 14 on the Cranfield collection, by `python -m recipes.cranfield_rankers`."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

RANKERS_FILE = DATASETS / "full_rankers.json.gz"


def load_rankers() -> pd.DataFrame:
    """A row for each ranker of `python -m recipes.cranfield_rankers`, by its name.

    They are `nDCG@10`, the mean over 225 queries, `from` and `to`, between what it lies for other queries (95%, by the
    bootstrap), and `ms a query`, what a processor computes for a query, at the median.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame.from_dict(read_packed(RANKERS_FILE), orient="index")
