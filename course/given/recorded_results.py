"""What came of chapter 11's objectives where a minute is too short, by the recipes that are named below."""

from __future__ import annotations

import pandas as pd

from course.storage.bundled import DATASETS
from course.storage.packed import read_packed

OBJECTIVES_FILE = DATASETS / "full_objectives.json.gz"
LANGUAGES_FILE = DATASETS / "full_languages.json.gz"
DENOISING_FILE = DATASETS / "full_denoising.json.gz"


def load_objective_runs() -> pd.DataFrame:
    """A row for each run of `python -m recipes.objectives`.

    They are `objective`, `seed`, `steps`, `f1`, `low` and `high`: how many steps the course's small encoder went on
    learning, and the F1 of the tagger of names that then began with it, with what it is on other articles, by the
    bootstrap. An objective of "none" did not go on.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(OBJECTIVES_FILE)["runs"])


def load_detective_history() -> pd.DataFrame:
    """What ELECTRA's detective could do, on texts that it had not read, at some steps of each seed.

    They are `seed`, `step`, and as shares `fakes` (how much of the words is replaced), `fakes_found` (of these) and
    `false_alarms` (of the others).

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(OBJECTIVES_FILE)["detective"])


def load_language_runs() -> pd.DataFrame:
    """A row for each run of `python -m recipes.languages`, which reads two languages, of which one is 1% of the text.

    They are `alpha`, `seed`, `large` and `small`, the losses of masked words in unseen sentences of each language, and
    `verbs_last`, how much of what is put last into sentences of the small language is a verb, as it must be there.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(LANGUAGES_FILE))


def load_denoising_runs() -> pd.DataFrame:
    """A row for each run of `python -m recipes.denoising`, in which a translator makes spoiled sentences whole.

    They are `kind` and `seed`, and as shares of unseen sentences `untouched`, which the noise had left as they were,
    `grammar`, in which words of the right kinds stand in the right order, and `exact`, which are right word for word.

    Raises:
        FileNotFoundError: the file is not where the course keeps it.
    """
    return pd.DataFrame(read_packed(DENOISING_FILE))
