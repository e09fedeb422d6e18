"""What came of the translators at each length of sentence, from three seeds, by `python -m recipes.translation`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pandas as pd

TRANSLATION_FILE = Path(__file__).parents[2] / "datasets" / "full_translation.json.gz"


def load_translations() -> pd.DataFrame:
    """A row for each translator, seed and length: `model`, `seed`, `words`, `sentences` and `right`, those exactly so.

    Up to 14 words, sentences are as long as in training, and unseen; those of 15 to 19 words are longer than any there.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    with gzip.open(TRANSLATION_FILE, "rt", encoding="utf-8") as file:
        return pd.DataFrame(json.load(file))
