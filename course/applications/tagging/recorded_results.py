"""What came of taggers that had few or many labelled articles to learn from, by `python -m recipes.entities`."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

ENTITIES_FILE = DATASETS / "full_entities.json.gz"


def load_entity_runs() -> pd.DataFrame:
    """A row for each run of `python -m recipes.entities`.

    They are `model`, `articles`, `seed`, `f1`, `strict_f1`, `viterbi_f1`, `low` and `high`.

    `f1` is over names, by each word's likeliest tag, read as conlleval reads it; `strict_f1` read strictly, and
    `viterbi_f1` of the best tags that are allowed. `low` and `high` are between what `viterbi_f1` lies on other test
    articles, by the bootstrap. Who knows names by heart has no seed and says only what is allowed.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(ENTITIES_FILE))
