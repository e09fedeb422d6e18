"""What came of the translators at each length of sentence, from three seeds, by `python -m recipes.translation`."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

TRANSLATION_FILE = DATASETS / "full_translation.json.gz"


def load_translations() -> pd.DataFrame:
    """A row for each translator, seed and length: `model`, `seed`, `words`, `sentences` and `right`, those exactly so.

    Up to 14 words, sentences are as long as in training, and unseen; those of 15 to 19 words are longer than any there.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(TRANSLATION_FILE))
