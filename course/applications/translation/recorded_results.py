"""Recorded results of the translators by sentence length, from three seeds, by `python -m recipes.translation`."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

TRANSLATION_FILE = DATASETS / "full_translation.json.gz"


def load_translations() -> pd.DataFrame:
    """Load a row for each translator, seed and length: `model`, `seed`, `words`, `sentences` and `right`.

    `right` counts exact matches. Sentences of up to 14 words are unseen but as long as in training; those of 15 to 19
    words are longer than any sentence in training.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(TRANSLATION_FILE))
