"""Recorded results of chapter 14's rankers on the Cranfield collection, by `python -m recipes.cranfield_rankers`."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

RANKERS_FILE = DATASETS / "full_rankers.json.gz"


def load_rankers() -> pd.DataFrame:
    """Load a row for each ranker of `python -m recipes.cranfield_rankers`, by its name.

    The columns are `nDCG@10`, the mean over 225 queries; `from` and `to`, its 95% bootstrap confidence interval over
    queries; and `ms a query`, the median CPU time of a query in milliseconds.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame.from_dict(read_packed(RANKERS_FILE), orient="index")
