"""Recorded results of taggers trained on few or many labelled articles, by `python -m recipes.entities`."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

ENTITIES_FILE = DATASETS / "full_entities.json.gz"


def load_entity_runs() -> pd.DataFrame:
    """Load a row for each run of `python -m recipes.entities`.

    The columns are `model`, `articles`, `seed`, `f1`, `strict_f1`, `viterbi_f1`, `low` and `high`.

    `f1` is over names, from each word's likeliest tag, read as conlleval reads it. `strict_f1` reads the same tags
    strictly, and `viterbi_f1` is of the best allowed tags. `low` and `high` bound the bootstrap confidence interval of
    `viterbi_f1` over test articles. The lookup baseline has no seed and predicts only allowed tags.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(ENTITIES_FILE))
