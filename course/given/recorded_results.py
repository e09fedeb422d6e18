"""Recorded results of chapter 11's objectives, where a minute is too short, from the recipes that are named below."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

OBJECTIVES_FILE = DATASETS / "full_objectives.json.gz"
LANGUAGES_FILE = DATASETS / "full_languages.json.gz"
DENOISING_FILE = DATASETS / "full_denoising.json.gz"


def load_objective_runs() -> pd.DataFrame:
    """Return a row for each run of `python -m recipes.objectives`.

    The columns are `objective`, `seed`, `steps`, `f1`, `low` and `high`: how many more steps the course's small encoder
    was trained for, and the F1 of the name tagger that then started from it, with its bootstrap interval over articles.
    With the objective "none", the encoder was not trained further.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(OBJECTIVES_FILE)["runs"])


def load_discriminator_history() -> pd.DataFrame:
    """Return how well ELECTRA's discriminator did on unseen texts, at some steps of each seed.

    The columns are `seed`, `step`, and as shares `fakes` (of the words, how many are replaced), `fakes_found` (of
    these) and `false_alarms` (of the others).

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(OBJECTIVES_FILE)["discriminator"])


def load_language_runs() -> pd.DataFrame:
    """Return a row for each run of `python -m recipes.languages`, on two languages, one of which is 1% of the text.

    The columns are `alpha`, `seed`, `large` and `small`, the losses of masked words in unseen sentences of each
    language, and `verbs_last`, the share of verbs among the words predicted at the end of the small language's
    sentences, where a verb must stand.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(LANGUAGES_FILE))


def load_denoising_runs() -> pd.DataFrame:
    """Return a row for each run of `python -m recipes.denoising`, in which a translator repairs corrupted sentences.

    The columns are `kind` and `seed`, and as shares of unseen sentences `untouched`, which the noise had not changed,
    `grammar`, in which words of the right kinds stand in the right order, and `exact`, which are right word for word.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(DENOISING_FILE))
